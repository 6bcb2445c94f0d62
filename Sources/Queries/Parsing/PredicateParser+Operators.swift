internal import Modeling

extension PredicateParser {
  /// An operator with its context; `right` only if the operator implies it.
  struct FoundComparator {
    var comparator: Comparator
    var options: ComparisonOptions = []
    var isNegated = false
    /// Whether the operator is guessed from a similar spelling, so that its operands are not checked.
    var isGuess = false
    var right: Expression?
  }

  /// Reads an operator with its options; returns nil if the comparison ends.
  mutating func readComparator() -> FoundComparator? {
    let start = current.range.lowerBound
    if let comparator = comparator(at: index) {
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
      if let found = readTypeComparator(from: start) { return found }
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

  /// Reads the operators of uniform type identifiers, which are texts without case.
  private mutating func readTypeComparator(from start: Int) -> FoundComparator? {
    guard let keyword = current.keyword, keyword.hasPrefix("UTI-") else { return nil }
    advance()
    if keyword == "UTI-EQUALS" { return FoundComparator(comparator: .equal, options: .caseInsensitive) }
    report(.noMeaning(keyword, .listTypes), at: origin(from: start))
    return FoundComparator(comparator: .equal, options: .caseInsensitive)
  }

  /// The operator of the token at `place`.
  func comparator(at place: Int) -> Comparator? {
    switch token(at: place).kind {
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

  /// Reports an operator of another language or a misspelt one, and continues with the operator that was probably
  /// meant.
  private mutating func readUnknownOperator(from start: Int) -> FoundComparator {
    var words = tokenText
    advance()
    // IS NOT NULL and similar operators consist of several words.
    if words.uppercased() == "IS", isKeyword("NOT") {
      words += " " + tokenText
      advance()
    }
    let meant = OperatorSynonyms.meaning(of: words)
    report(.unknownOperator(words, nearest: meant.spelling.isEmpty ? nil : meant.spelling), at: origin(from: start))
    let options = readOptions(of: meant.comparator, spelled: words)
    var found = FoundComparator(comparator: meant.comparator, options: options, isGuess: meant.isGuess)
    if meant.isPostfix { found.right = .constant(.null) } else if current.kind == .end { found.right = .hole }
    return found
  }

  // MARK: Options

  /// Reads `[cd]`, or the older CASEINSENSITIVE.
  private mutating func readOptions(of comparator: Comparator, spelled spelling: String) -> ComparisonOptions {
    var options: ComparisonOptions = []
    if acceptKeyword("CASEINSENSITIVE") || acceptKeyword("CI") { options.insert(.caseInsensitive) }
    guard isSign("[") else { return options }
    guard case .word(let letters) = next().kind, next(2).kind == .sign("]") else {
      // `IN [1, 2]` is a list in the notation of other languages; the value level reports its bracket.
      if next().kind == .sign("]") {
        advance()
        advance()
      }
      return options
    }
    advance()
    options.formUnion(readLetters(letters, of: spelling))
    advance()
    expect("]")
    return options
  }

  /// The options for the letters of the current token.
  private mutating func readLetters(_ letters: String, of comparator: String) -> ComparisonOptions {
    let known: [Character: ComparisonOptions] = [
      "c": .caseInsensitive, "d": .diacriticInsensitive, "n": .normalized, "l": .localeSensitive,
    ]
    var options: ComparisonOptions = []
    var unknown: [(offset: Int, letter: Character)] = []
    for (offset, letter) in letters.enumerated() {
      if let option = known[Character(letter.lowercased())] {
        options.insert(option)
      } else {
        unknown.append((offset, letter))
      }
    }
    if letters.utf8.count > 4, !unknown.isEmpty {
      // A word such as [caseInsensitive].
      report(.unknownOption(letters, comparator: comparator), at: Origin(text: text, range: current.range))
      return options
    }
    for (offset, letter) in unknown {
      let start = current.range.lowerBound + letters.prefix(offset).utf8.count
      report(
        .unknownOption(String(letter), comparator: comparator),
        at: Origin(text: text, range: start..<start + letter.utf8.count))
    }
    return options
  }
}
