internal import Modeling

/// Reads tokens into the shape of Swift source: declarations and statements here, values in the files beside.
///
/// The parser also reads what predicates and requests cannot have, so that it can be refused by its name. After a mistake
/// the parser goes on at the next comma, closing bracket or line.
package struct SwiftParser {
  package let text: String
  package let bytes: [UInt8]
  private let tokens: [SwiftToken]
  package private(set) var index = 0
  package var issues: SwiftIssues
  /// Whether `{` belongs to the statement around, as behind the condition of an `if`.
  var isBeforeBrace = false
  /// Whether `case` declares one, rather than being part of a statement.
  var isInEnumeration = false
  /// Whether the bodies of functions are looked into, as requests may stand in them.
  package let readsBodies: Bool
  /// Whether what views and their closures do is read, too, which means nothing to a reader of requests.
  package let readsViews: Bool
  /// The depth of nested brackets; trees are walked by recursion everywhere, so this bounds the stack.
  private var depth = 0
  /// The number of operators and members chained to the left, which deepens the tree without brackets.
  private var chained = 0
  private var reportedIndex = -1
  /// The parts of `#if` that were left out.
  package let leftOut: [SwiftConditions.LeftOut]

  static let chainLimit = 200

  package init(_ text: String, readsBodies: Bool = true, readsViews: Bool = false) {
    self.readsBodies = readsBodies
    self.readsViews = readsViews
    var lexer = SwiftLexer(text)
    let conditions = SwiftConditions(lexer.tokenize(), lexer.bytes)
    (tokens, leftOut) = (conditions.tokens, conditions.leftOut)
    issues = lexer.issues
    for mistake in conditions.mistakes { issues.report(mistake.fact, at: mistake.place) }
    self.text = text
    bytes = lexer.bytes
  }

  /// Reads from a token on, of a text that was split before; `#if` and its like are no tokens of it.
  package init(_ source: SwiftSourceFile, at index: Int) {
    (text, bytes, tokens) = (source.text, source.bytes, source.tokens)
    (readsBodies, readsViews, leftOut) = (true, true, [])
    issues = SwiftIssues(source.text)
    self.index = min(index, source.tokens.count - 1)
  }

  /// Reads the statements that fill the text.
  package mutating func parse() -> [SwiftStatement] {
    var all: [SwiftStatement] = []
    while current.kind != .end {
      all += statements()
      if current.kind != .end {
        unexpected("a statement or the end")
        advance()
      }
    }
    return all
  }

  // MARK: Tokens

  package var current: SwiftToken { tokens[index] }

  /// The token after the current one, or one further on.
  package func next(_ offset: Int = 1) -> SwiftToken { tokens[min(index + offset, tokens.count - 1)] }

  /// Where the last token that was read ends.
  var previousEnd: Int { index == 0 ? 0 : tokens[index - 1].range.upperBound }

  mutating func advance() { if index < tokens.count - 1 { index += 1 } }

  package func isSign(_ sign: String) -> Bool { current.kind == .sign(sign) }

  func isWord(_ word: String) -> Bool { keyword == word }

  package var word: String? { if case .name(let name) = current.kind { name } else { nil } }

  /// The current word where it may have a meaning to the language: in backticks it has none.
  package var keyword: String? { isEscaped(current) ? nil : word }

  /// Whether a token is a name in backticks.
  package func isEscaped(_ token: SwiftToken) -> Bool {
    token.range.lowerBound < bytes.count && bytes[token.range.lowerBound] == UInt8(ascii: "`")
  }

  mutating func accept(_ sign: String) -> Bool {
    guard isSign(sign) else { return false }
    advance()
    return true
  }

  mutating func acceptWord(_ word: String) -> Bool {
    guard isWord(word) else { return false }
    advance()
    return true
  }

  /// Reads `sign`, or reports that it is missing.
  package mutating func expect(_ sign: String) {
    if accept(sign) { return }
    unexpected(sign)
    recover()
    _ = accept(sign)
  }

  /// The place from byte `start` to the end of the last token.
  package func range(from start: Int) -> Range<Int> { min(start, previousEnd)..<max(start, previousEnd) }

  package func slice(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// Goes back to a token that was looked beyond.
  mutating func rewind(to index: Int) { self.index = index }

  // MARK: Mistakes

  /// Reports the current token, unless something was reported of it already.
  package mutating func unexpected(_ expected: String) {
    guard reportedIndex < index else { return }
    reportedIndex = index
    let found = current.kind == .end ? "the end" : slice(current.range)
    issues.report(.unexpected(found: found, expected: expected), at: current.range)
  }

  /// Skips to the next comma, closing bracket or line that is not within brackets.
  mutating func recover() {
    defer { reportedIndex = max(reportedIndex, index) }
    var open = 0
    var isFirst = true
    while current.kind != .end {
      switch current.kind {
      case .sign("("), .sign("{"), .sign("["): open += 1
      case .sign(")"), .sign("}"), .sign("]"):
        if open == 0 { return }
        open -= 1
      case .sign(","), .sign("&&"), .sign("||"), .sign(";"): if open == 0 { return }
      default: if open == 0, current.beginsLine, !isFirst { return }
      }
      isFirst = false
      advance()
    }
  }

  /// Skips from an opening bracket to behind the closing one.
  mutating func skipBrackets() {
    var open = 0
    repeat {
      switch current.kind {
      case .sign("("), .sign("{"), .sign("["): open += 1
      case .sign(")"), .sign("}"), .sign("]"): open -= 1
      case .end: return
      default: break
      }
      advance()
    } while open > 0
  }

  /// Reads one level deeper, or gives up the rest of a text that nests too deep.
  mutating func nested<Result>(otherwise fallback: Result, _ read: (inout SwiftParser) -> Result) -> Result {
    guard depth < Nesting.swiftSource else {
      giveUp()
      return fallback
    }
    depth += 1
    defer { depth -= 1 }
    return read(&self)
  }

  /// Counts a step chained to the left; false where the tree would become too deep.
  package mutating func chain() -> Bool {
    chained += 1
    if chained > Self.chainLimit { giveUp() }
    return chained <= Self.chainLimit
  }

  /// Counts the steps of one value apart from those before it.
  mutating func withOwnChain<Result>(_ read: (inout SwiftParser) -> Result) -> Result {
    let outer = chained
    defer { chained = max(outer, 0) }
    return read(&self)
  }

  private mutating func giveUp() {
    if !issues.found.contains(where: { $0.fact == .tooDeep }) { issues.report(.tooDeep, at: current.range) }
    index = tokens.count - 1
    reportedIndex = index
  }
}
