internal import Modeling

/// Reads tokens into a tree: recursive descent, one method a level of precedence.
///
///     condition   := conjunction ((OR | ||) conjunction)*
///     conjunction := negation ((AND | &&) negation)*
///     negation    := (NOT | !) negation | comparison
///     comparison  := [ANY | SOME | ALL | NONE] value operator [options] value
///     value       := arithmetic, bitwise and postfix levels, see PredicateParser+Values.swift
///
/// A parenthesis may hold a condition or a value, and which of them is known only at its end; so every level answers
/// `Parsed`, either of the two, and nothing is read twice. After a mistake the parser goes on at the next AND, OR or
/// closing bracket and keeps what it found out.
struct PredicateParser {
  /// What a level has read.
  enum Parsed {
    case condition(Predicate)
    case value(Expression)
  }

  let text: String
  let arguments: [PredicateArgument]
  private let tokens: [Token]
  private(set) var index = 0
  var issues: [PredicateError.Issue]
  /// How deep brackets and prefixes nest; trees are walked by recursion everywhere, so this bounds the stack.
  private var depth = 0
  /// How many operators were chained to the left in values, which deepens the tree without brackets.
  private var chained = 0
  /// The token at which the last mistake was reported, so that one mistake is told once.
  private var reportedIndex = -1

  static let depthLimit = 128
  static let chainLimit = 400
  /// Mistakes reported of one text; more is noise.
  static let issueLimit = 25

  init(_ text: String, arguments: [PredicateArgument]) {
    self.text = text
    self.arguments = arguments
    var lexer = Lexer(text)
    tokens = lexer.tokenize()
    issues = lexer.issues
    checkArgumentCount(lexer.placeholderCount)
  }

  /// Reads a condition that fills the text.
  mutating func parsePredicate() throws(PredicateError) -> Predicate {
    let first = disjunction()
    var predicate = condition(first)
    while current.kind != .end {
      unexpected("AND, OR or the end")
      recover()
      if acceptKeyword("AND") || acceptKeyword("OR") || accept("&&") || accept("||") {
        predicate = .and([predicate, condition(disjunction())])
      } else if current.kind != .end {
        advance()
      }
    }
    try throwIssues()
    return predicate
  }

  /// Reads a value that fills the text.
  mutating func parseExpression() throws(PredicateError) -> Expression {
    let expression = value()
    if current.kind != .end { unexpected("an operator or the end") }
    try throwIssues()
    return expression
  }

  private func throwIssues() throws(PredicateError) {
    guard !issues.isEmpty else { return }
    let ordered = issues.enumerated().sorted { left, right in
      let (l, r) = (left.element.origin?.range.lowerBound ?? 0, right.element.origin?.range.lowerBound ?? 0)
      return (l, left.offset) < (r, right.offset)
    }
    throw PredicateError(issues: ordered.prefix(Self.issueLimit).map(\.element))
  }

  private mutating func checkArgumentCount(_ expected: Int) {
    guard expected != arguments.count else { return }
    if arguments.count > expected {
      let end = text.utf8.count
      issues.append(
        PredicateError.Issue(
          .tooManyArguments(expected: expected, given: arguments.count), at: Origin(text: text, range: end..<end)))
    } else {
      let first = tokens.first {
        if case .placeholder(_, let ordinal) = $0.kind { ordinal == arguments.count } else { false }
      }
      issues.append(
        PredicateError.Issue(
          .tooFewArguments(expected: expected, given: arguments.count),
          at: Origin(text: text, range: first?.range ?? 0..<text.utf8.count)))
    }
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

  /// The condition that was read; a value alone is a mistake.
  mutating func condition(_ parsed: Parsed) -> Predicate {
    switch parsed {
    case .condition(let predicate): return predicate
    case .value:
      unexpected("an operator such as ==")
      return .constant(true)
    }
  }

  // MARK: Tokens

  var current: Token { tokens[index] }

  /// The token after the current one, or one further on.
  func next(_ offset: Int = 1) -> Token { tokens[min(index + offset, tokens.count - 1)] }

  /// Where the last token that was read ends.
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
  }

  /// Reports the current token, unless something was reported of it already.
  mutating func unexpected(_ expected: String) {
    guard reportedIndex < index else { return }
    reportedIndex = index
    let range = current.range
    let found =
      current.kind == .end
      ? "the end" : String(decoding: Array(text.utf8)[range], as: UTF8.self)
    report(.unexpected(found: found, expected: expected), at: Origin(text: text, range: range))
  }

  /// Skips to the next AND, OR, comma or closing bracket that is not within brackets.
  mutating func recover() {
    // What is found there was not the mistake.
    defer { reportedIndex = max(reportedIndex, index) }
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

  /// Reads one level deeper, or gives up the rest of a text that nests too deep.
  mutating func nested<Result>(otherwise fallback: Result, _ read: (inout PredicateParser) -> Result) -> Result {
    guard depth < Self.depthLimit else {
      giveUp()
      return fallback
    }
    depth += 1
    defer { depth -= 1 }
    return read(&self)
  }

  /// Counts an operator chained to the left; false where the tree would become too deep.
  mutating func chain() -> Bool {
    chained += 1
    if chained > Self.chainLimit { giveUp() }
    return chained <= Self.chainLimit
  }

  private mutating func giveUp() {
    if !issues.contains(where: { $0.fact == .tooDeep }) {
      report(.tooDeep, at: Origin(text: text, range: current.range))
    }
    index = tokens.count - 1
    reportedIndex = index
  }
}
