internal import Modeling

extension PredicateParser {
  /// Reads a comparison, or what stands where one could: a condition in parentheses, or a value alone.
  mutating func comparison() -> Parsed {
    let start = current.range.lowerBound
    let modifier = readModifier()
    let left: Expression
    if modifier == .direct {
      switch operand() {
      case .condition(let predicate): return .condition(predicate)
      case .value(let expression): left = expression
      }
    } else {
      left = value()
    }
    guard let found = readComparator() else {
      if modifier != .direct {
        unexpected("an operator such as ==")
        return .condition(.constant(true))
      }
      return .value(left)
    }
    let right = found.right ?? value()
    let comparison = Comparison(
      left, found.comparator, right, options: found.options, modifier: modifier, origin: origin(from: start))
    return .condition(found.isNegated ? .not(.comparison(comparison)) : .comparison(comparison))
  }

  private mutating func readModifier() -> ComparisonModifier {
    let modifiers: [String: ComparisonModifier] = ["ANY": .any, "SOME": .any, "ALL": .all, "NONE": .none]
    guard let keyword = current.keyword, let modifier = modifiers[keyword] else { return .direct }
    advance()
    return modifier
  }

  /// An operator with what stands around it; `right` only where the operator implies it.
  private struct FoundComparator {
    var comparator: Comparator
    var options: ComparisonOptions = []
    var isNegated = false
    var right: Expression?
  }

  /// Reads an operator with its options; nil where the comparison ends.
  private mutating func readComparator() -> FoundComparator? {
    let start = current.range.lowerBound
    if let comparator = currentComparator {
      let spelling = tokenText
      advance()
      return FoundComparator(comparator: comparator, options: readOptions(of: comparator, spelled: spelling))
    }
    switch current.kind {
    case .word:
      if isKeyword("NOT"), let word = next().keyword, let comparator = Comparator(rawValue: word) {
        advance()
        advance()
        let options = readOptions(of: comparator, spelled: word)
        report(.unknownOperator("NOT \(word)", nearest: "NOT (… \(word) …)"), at: origin(from: start))
        return FoundComparator(comparator: comparator, options: options, isNegated: true)
      }
      if let keyword = current.keyword, keyword.hasPrefix("UTI-") {
        advance()
        report(.unsupported(keyword), at: origin(from: start))
        return FoundComparator(comparator: .equal)
      }
      guard let keyword = current.keyword, !Self.enders.contains(keyword) else { return nil }
      return readUnknownOperator(from: start)
    case .sign(let sign) where OperatorSynonyms.foreignSigns.contains(sign):
      return readUnknownOperator(from: start)
    default: return nil
    }
  }

  /// The keywords that end a comparison.
  private static let enders: Set<String> = ["AND", "OR", "NOT"]

  private var tokenText: String {
    switch current.kind {
    case .word(let text), .sign(let text): text
    default: ""
    }
  }

  private var currentComparator: Comparator? {
    switch current.kind {
    case .word(let word):
      return Comparator(rawValue: word.uppercased())
    case .sign(let sign):
      let spellings: [String: Comparator] = [
        "=": .equal, "==": .equal, "!=": .notEqual, "<>": .notEqual, "<": .less, "<=": .lessOrEqual,
        "=<": .lessOrEqual, ">": .greater, ">=": .greaterOrEqual, "=>": .greaterOrEqual,
      ]
      return spellings[sign]
    default: return nil
    }
  }

  /// Reports an operator of another language or a misspelt one, and reads on with the one that was meant.
  private mutating func readUnknownOperator(from start: Int) -> FoundComparator {
    var words = tokenText
    advance()
    // IS NOT NULL and its like are one operator of two words.
    if words.uppercased() == "IS", isKeyword("NOT") {
      words += " " + tokenText
      advance()
    }
    let meant = OperatorSynonyms.meaning(of: words)
    report(.unknownOperator(words, nearest: meant.spelling), at: origin(from: start))
    let options = readOptions(of: meant.comparator, spelled: words)
    var found = FoundComparator(comparator: meant.comparator, options: options)
    if meant.isPostfix || current.kind == .end { found.right = .constant(.null) }
    return found
  }

  // MARK: Options

  /// Reads `[cd]`, or the older CASEINSENSITIVE.
  private mutating func readOptions(of comparator: Comparator, spelled spelling: String) -> ComparisonOptions {
    var options: ComparisonOptions = []
    if acceptKeyword("CASEINSENSITIVE") || acceptKeyword("CI") { options.insert(.caseInsensitive) }
    guard isSign("[") else { return options }
    guard case .word(let letters) = next().kind, next(2).kind == .sign("]") else {
      // `IN [1, 2]` is a list as other languages write it; the value level reports its bracket.
      if next().kind == .sign("]") {
        advance()
        advance()
      }
      return options
    }
    advance()
    let known: [Character: ComparisonOptions] = [
      "c": .caseInsensitive, "d": .diacriticInsensitive, "n": .normalized, "l": .localeSensitive,
    ]
    for (offset, letter) in letters.enumerated() {
      guard let option = known[Character(letter.lowercased())] else {
        let start = current.range.lowerBound + letters.prefix(offset).utf8.count
        report(
          .unknownOption(String(letter), comparator: spelling),
          at: Origin(text: text, range: start..<start + letter.utf8.count))
        continue
      }
      options.insert(option)
    }
    advance()
    expect("]")
    return options
  }
}
