internal import Modeling

/// Parses tokens into a tree by recursive descent, with one method for each level of precedence.
///
///     condition   := conjunction ((OR | ||) conjunction)*
///     conjunction := negation ((AND | &&) negation)*
///     negation    := (NOT | !) negation | comparison
///     comparison  := [ANY | SOME | ALL | NONE] value operator [options] value
///     value       := arithmetic, bitwise and postfix levels, see PredicateParser+Values.swift
///
/// A parenthesis may contain a condition or a value, which only its end decides. Every level therefore returns
/// `Parsed`, either of the two, and no token is read twice. After an error the parser continues at the next AND, OR or
/// closing bracket and keeps the parsed parts; a hole in the tree marks each part that could not be parsed.
struct PredicateParser {
  /// The result of parsing a level.
  enum Parsed {
    case condition(Predicate)
    case value(Expression)
  }

  let text: String
  let arguments: [PredicateArgument]
  private let tokens: [Token]
  private(set) var index = 0
  var issues: [PredicateError.Issue]
  private let bytes: [UInt8]
  /// The nesting depth of brackets and prefixes. All code walks trees by recursion, so this bounds the stack.
  private var depth = 0
  /// The height of the last value's tree: operators chained to the left deepen it without brackets.
  private(set) var height = 0 {
    didSet { tallest = max(tallest, height) }
  }
  /// The greatest height since the innermost bracket was opened.
  private var tallest = 0
  /// The token of the last reported error, so that each error is reported once.
  private var reportedIndex = -1
  /// The entity of the last CAST, whose keys follow.
  var castEntity: String?

  static let heightLimit = 400

  init(_ text: String, arguments: [PredicateArgument]) {
    self.text = text
    self.arguments = arguments
    var lexer = Lexer(text)
    tokens = lexer.tokenize()
    bytes = lexer.bytes
    issues = lexer.issues
    checkArgumentCount(lexer.placeholderCount)
  }

  /// Reads a condition that fills the text; adds `issues` on failure.
  mutating func readPredicate() -> Predicate {
    let first = disjunction()
    var predicate = condition(first)
    while current.kind != .end {
      unexpected("AND, OR or the end")
      if startsComparison {
        predicate = .and([predicate, condition(disjunction())])
        continue
      }
      recover()
      if acceptKeyword("AND") || acceptKeyword("OR") || accept("&&") || accept("||") {
        predicate = .and([predicate, condition(disjunction())])
      } else if current.kind != .end {
        advance()
      }
    }
    return predicate
  }

  /// Reads a value that fills the text; adds `issues` on failure.
  mutating func readExpression() -> Expression {
    let expression = value()
    if current.kind != .end { unexpected("an operator or the end") }
    return expression
  }

  func throwIssues() throws(PredicateError) {
    if !issues.isEmpty { throw PredicateError(issues: issues.inOrderOfText) }
  }

  private mutating func checkArgumentCount(_ expected: Int) {
    guard expected != arguments.count else { return }
    if arguments.count > expected {
      reportTooManyArguments(expected)
    } else {
      let first = tokens.first {
        if case .placeholder(_, let ordinal) = $0.kind { ordinal == arguments.count } else { false }
      }
      report(
        .tooFewArguments(expected: expected, given: arguments.count),
        at: Origin(text: text, range: first?.range ?? 0..<text.utf8.count))
    }
  }

  /// Reports surplus arguments; usually their placeholders are in quotes, where they are text.
  private mutating func reportTooManyArguments(_ expected: Int) {
    for token in tokens {
      guard case .string(let content) = token.kind else { continue }
      if let placeholder = ["%@", "%K", "%d", "%ld", "%f", "%s"].first(where: content.contains) {
        return report(.placeholderInQuotes(placeholder), at: Origin(text: text, range: token.range))
      }
    }
    let end = text.utf8.count
    report(
      .tooManyArguments(expected: expected, given: arguments.count), at: Origin(text: text, range: end..<end))
  }

  // MARK: Levels

  /// Reads terms joined by OR, which binds loosest.
  mutating func disjunction() -> Parsed {
    let first = conjunction()
    guard isKeyword("OR") || isSign("||") else { return first }
    var terms = [condition(first)]
    while acceptKeyword("OR") || accept("||") { terms.append(condition(conjunction())) }
    return .condition(.or(terms.flatMap { if case .or(let inner) = $0 { inner } else { [$0] } }))
  }

  private mutating func conjunction() -> Parsed {
    let first = negation()
    guard isKeyword("AND") || isSign("&&") else { return first }
    var terms = [condition(first)]
    while acceptKeyword("AND") || accept("&&") { terms.append(condition(negation())) }
    return .condition(.and(terms.flatMap { if case .and(let inner) = $0 { inner } else { [$0] } }))
  }

  private mutating func negation() -> Parsed {
    guard acceptKeyword("NOT") || accept("!") else { return comparison() }
    return nested(otherwise: .condition(.constant(true))) { parser in
      .condition(.not(parser.condition(parser.negation())))
    }
  }

  /// The parsed condition; reports a value in its place.
  mutating func condition(_ parsed: Parsed) -> Predicate {
    switch parsed {
    case .condition(let predicate): return predicate
    case .value(let value):
      unexpected("an operator such as ==")
      return .unreadable(value)
    }
  }

  // MARK: Tokens

  var current: Token { tokens[index] }

  /// The token after the current one, or one further ahead.
  func next(_ offset: Int = 1) -> Token { tokens[min(index + offset, tokens.count - 1)] }

  /// The token at `place`, or the last one.
  func token(at place: Int) -> Token { tokens[min(place, tokens.count - 1)] }

  /// The text of a range.
  func slice(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// The end of the last token that was read.
  var previousEnd: Int { index == 0 ? 0 : tokens[index - 1].range.upperBound }

  mutating func advance() { if index < tokens.count - 1 { index += 1 } }

  func isSign(_ sign: String) -> Bool { current.kind == .sign(sign) }

  func isKeyword(_ keyword: String) -> Bool { current.keyword == keyword }

  mutating func accept(_ sign: String) -> Bool {
    guard isSign(sign) else { return false }
    advance()
    return true
  }

  mutating func acceptKeyword(_ keyword: String) -> Bool {
    guard isKeyword(keyword) else { return false }
    advance()
    return true
  }

  /// Reads `sign`, or reports that it is missing.
  mutating func expect(_ sign: String) {
    if accept(sign) { return }
    unexpected(sign)
    recover()
    _ = accept(sign)
  }

  /// The place from byte `start` to the end of the last token.
  func origin(from start: Int) -> Origin {
    Origin(text: text, range: min(start, previousEnd)..<max(start, previousEnd))
  }

  // MARK: Mistakes

  mutating func report(_ fact: PredicateError.Fact, at origin: Origin) {
    issues.append(PredicateError.Issue(fact, at: origin))
    // A text with this many errors is not worth parsing to its end.
    if issues.count >= PredicateError.issueLimit * 2 { skipToEnd() }
  }

  /// Reports the current token, unless it has been reported already.
  mutating func unexpected(_ expected: String) {
    guard reportedIndex < index else { return }
    reportedIndex = index
    let range = current.range
    let found =
      current.kind == .end
      ? "the end" : slice(range)
    report(.unexpected(found: found, expected: expected), at: Origin(text: text, range: range))
  }

  /// Suppresses further error reports for the current token.
  mutating func markReported() { reportedIndex = max(reportedIndex, index) }

  /// Skips to the next AND, OR, comma or closing bracket that is not within brackets.
  mutating func recover() {
    // The token found here is not itself the error.
    defer { markReported() }
    var open = 0
    while current.kind != .end {
      switch current.kind {
      case .sign("("), .sign("{"), .sign("["): open += 1
      case .sign(")"), .sign("}"), .sign("]"):
        if open == 0 { return }
        open -= 1
      case .sign(","), .sign("&&"), .sign("||"): if open == 0 { return }
      case .word: if open == 0, isKeyword("AND") || isKeyword("OR") { return }
      default: break
      }
      advance()
    }
  }

  /// Reads one level deeper; if the text nests too deep, skips the rest of it.
  mutating func nested<Result>(otherwise fallback: Result, _ read: (inout PredicateParser) -> Result) -> Result {
    guard depth < Nesting.predicateText else {
      giveUp()
      return fallback
    }
    let outer = tallest
    depth += 1
    tallest = 0
    let result = read(&self)
    depth -= 1
    height = tallest + 1
    tallest = max(outer, height)
    return result
  }

  /// Records the height of a value without parts.
  mutating func startValue() { height = 1 }

  /// Records that the last value has become a part of another, next to a part of height `other`; returns false if the
  /// tree would become too deep.
  mutating func deepen(beside other: Int = 0) -> Bool {
    height = max(height, other) + 1
    if height > Self.heightLimit { giveUp() }
    return height <= Self.heightLimit
  }

  mutating func giveUp() {
    if !issues.contains(where: { $0.fact == .tooDeep(limit: Nesting.predicateText) }) {
      report(.tooDeep(limit: Nesting.predicateText), at: Origin(text: text, range: current.range))
    }
    skipToEnd()
  }

  private mutating func skipToEnd() {
    index = tokens.count - 1
    reportedIndex = index
  }
}
