/// A text of SQL that a person wrote, as its statements, with `?` for arguments as SQLite has them.
///
/// Text in quotes, dollar quotes and comments is left alone. A text that names its parameters itself, as `$1`, keeps them,
/// and its `?` are operators.
struct HandwrittenSQL {
  /// A statement, without the semicolon behind it.
  struct Statement: Equatable {
    let text: String
    /// Its first three words in lower case, as the server finds them: behind spaces and comments.
    let words: [String]

    var firstWord: String { words.first ?? "" }

    /// Whether it begins or ends a transaction, or a part of one.
    var controlsTransaction: Bool { endsTransaction || isOfPart }

    /// Whether it begins or ends a whole transaction.
    var endsTransaction: Bool {
      switch firstWord {
      case "begin", "start", "commit", "end", "abort": true
      case "rollback": !isOfPart
      case "prepare": words.dropFirst().first == "transaction"
      default: false
      }
    }

    /// Whether it begins or ends a part of a transaction: a savepoint.
    private var isOfPart: Bool {
      ["savepoint", "release"].contains(firstWord) || firstWord == "rollback" && words.dropFirst().contains("to")
    }

    /// Whether it may change or delete existing rows, to judge by its first word.
    var mayChangeRows: Bool {
      ["update", "delete", "merge", "truncate"].contains(firstWord) || words.starts(with: ["drop", "table"]) || isNested
    }

    /// Whether another statement within it may change rows, which the server's reply does not count.
    var isNested: Bool {
      guard firstWord == "with" else { return false }
      let text = text.lowercased()
      return ["update", "delete", "merge"].contains(where: text.contains)
    }

    /// Whether it is one that no transaction may hold.
    var standsAlone: Bool {
      firstWord == "vacuum" || firstWord == "create" && words.dropFirst().first == "database"
    }
  }

  /// The statements, without the semicolons between them.
  private(set) var statements: [Statement] = []
  /// How many parameters the last statement has by `?`.
  private(set) var parameterCount = 0

  /// Whether every statement writes rows and does nothing else, to judge by its first word.
  var writesRows: Bool {
    !statements.isEmpty
      && statements.allSatisfy { statement in
        ["insert", "update", "delete", "with", "merge", "truncate"].contains(statement.firstWord)
      }
  }

  private let bytes: [UInt8]
  private var position = 0
  private var current: [UInt8] = []
  private var words: [[UInt8]] = []
  private var hasCode = false
  /// Whether the next letter continues the last word.
  private var isInWord = false

  /// Reads a text; `?` becomes `$1`, `$2`, … where there are arguments.
  init(_ text: String, hasArguments: Bool) {
    bytes = Array(text.utf8)
    let takesMarks = hasArguments && !Self.numbersParameters(bytes)
    while position < bytes.count {
      let start = position
      if skipQuoted() || skipComment() {
        current += bytes[start..<position]
        isInWord = false
        continue
      }
      let byte = bytes[position]
      position += 1
      note(byte)
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
    if hasCode {
      statements.append(
        Statement(
          text: String(decoding: current, as: UTF8.self), words: words.map { String(decoding: $0, as: UTF8.self) }))
    }
    (current, words) = ([], [])
    (hasCode, isInWord) = (false, false)
  }

  /// Reads a byte of code that may be part of one of the first words.
  private mutating func note(_ byte: UInt8) {
    let lower = byte | 0x20
    guard lower >= UInt8(ascii: "a"), lower <= UInt8(ascii: "z") else { return isInWord = false }
    if isInWord {
      words[words.count - 1].append(lower)
    } else if words.count < 3 {
      words.append([lower])
      isInWord = true
    }
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
      let escapes = quote == UInt8(ascii: "'") && isBehindE
      position += 1
      while position < bytes.count, bytes[position] != quote {
        position += escapes && bytes[position] == UInt8(ascii: "\\") ? 2 : 1
      }
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

  /// Whether the text in quotes that begins here is one with escapes: `E'…'`.
  private var isBehindE: Bool {
    guard position > 0, bytes[position - 1] | 0x20 == UInt8(ascii: "e") else { return false }
    return position == 1 || !isPartOfTag(bytes[position - 2], isFirst: false)
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
      while position < bytes.count, ![UInt8(ascii: "\n"), UInt8(ascii: "\r")].contains(bytes[position]) {
        position += 1
      }
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
