/// A text of SQL that a person wrote, as its statements, with `?` for arguments as SQLite has them.
///
/// What stands in quotes, dollar quotes and comments is left alone. A text that names its parameters itself, as `$1`, keeps them,
/// and its `?` are operators.
struct HandwrittenSQL {
  /// The statements, without the semicolons between them.
  private(set) var statements: [String] = []
  /// How many parameters the last statement has by `?`.
  private(set) var parameterCount = 0

  /// Whether every statement writes rows and nothing else, as far as its first word tells.
  var writesRows: Bool {
    !statements.isEmpty
      && statements.allSatisfy { statement in
        ["insert", "update", "delete", "with", "merge", "truncate"].contains(Self.firstWord(of: statement))
      }
  }

  /// The first word of a statement in lower case, behind spaces and comments.
  static func firstWord(of statement: String) -> String {
    var rest = statement[...]
    while true {
      rest = rest.drop { $0.isWhitespace }
      if rest.hasPrefix("--") {
        rest = rest.drop { !$0.isNewline }
      } else if rest.hasPrefix("/*"), let end = rest.firstRange(of: "*/") {
        rest = rest[end.upperBound...]
      } else {
        return rest.prefix { $0.isLetter }.lowercased()
      }
    }
  }

  /// Whether a statement with this first word begins or ends a transaction, or a part of one.
  static func controls(_ word: String) -> Bool {
    ["begin", "start", "commit", "rollback", "end", "abort", "savepoint", "release"].contains(word)
  }

  private let bytes: [UInt8]
  private var position = 0
  private var current: [UInt8] = []
  private var hasCode = false

  /// Reads a text; `?` becomes `$1`, `$2`, … where there are arguments.
  init(_ text: String, hasArguments: Bool) {
    bytes = Array(text.utf8)
    let takesMarks = hasArguments && !Self.numbersParameters(bytes)
    while position < bytes.count {
      let start = position
      if skipQuoted() || skipComment() {
        current += bytes[start..<position]
        continue
      }
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: ";"): endStatement()
      case UInt8(ascii: "?") where takesMarks:
        parameterCount += 1
        current += Array("$\(parameterCount)".utf8)
        hasCode = true
      default:
        current.append(byte)
        if byte > 32 { hasCode = true }
      }
    }
    endStatement()
  }

  private mutating func endStatement() {
    if hasCode { statements.append(String(decoding: current, as: UTF8.self)) }
    current = []
    hasCode = false
  }

  private static func numbersParameters(_ bytes: [UInt8]) -> Bool {
    bytes.indices.dropLast().contains { index in
      bytes[index] == UInt8(ascii: "$") && bytes[index + 1] >= UInt8(ascii: "1")
        && bytes[index + 1] <= UInt8(ascii: "9")
    }
  }

  /// Moves behind a text or name in quotes, or a text between `$tag$`; false where there is none.
  private mutating func skipQuoted() -> Bool {
    let quote = bytes[position]
    if quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") {
      hasCode = true
      position += 1
      while position < bytes.count, bytes[position] != quote { position += 1 }
      position = min(position + 1, bytes.count)
      return true
    }
    guard quote == UInt8(ascii: "$") else { return false }
    var end = position + 1
    while end < bytes.count, isPartOfTag(bytes[end], isFirst: end == position + 1) { end += 1 }
    guard end < bytes.count, bytes[end] == UInt8(ascii: "$") else { return false }
    hasCode = true
    let tag = bytes[position...end]
    position = end + 1
    while position < bytes.count, !bytes[position...].starts(with: tag) { position += 1 }
    position = min(position + tag.count, bytes.count)
    return true
  }

  private func isPartOfTag(_ byte: UInt8, isFirst: Bool) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), 0x80...: true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): !isFirst
    default: false
    }
  }

  /// Moves behind `-- …` or `/* … */`, which nest; false where there is none.
  private mutating func skipComment() -> Bool {
    guard position + 1 < bytes.count else { return false }
    switch (bytes[position], bytes[position + 1]) {
    case (UInt8(ascii: "-"), UInt8(ascii: "-")):
      while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
      return true
    case (UInt8(ascii: "/"), UInt8(ascii: "*")):
      var depth = 0
      repeat {
        let pair = position + 1 < bytes.count ? (bytes[position], bytes[position + 1]) : (0, 0)
        if pair == (UInt8(ascii: "/"), UInt8(ascii: "*")) {
          (depth, position) = (depth + 1, position + 2)
        } else if pair == (UInt8(ascii: "*"), UInt8(ascii: "/")) {
          (depth, position) = (depth - 1, position + 2)
        } else {
          position += 1
        }
      } while depth > 0 && position < bytes.count
      return true
    default: return false
    }
  }
}
