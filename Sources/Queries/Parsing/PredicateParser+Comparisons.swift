internal import Modeling

extension PredicateParser {
  /// Reads a comparison, or a condition in parentheses or a single value in its place.
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
        return .condition(.unreadable(left, modifier: modifier))
      }
      return .value(left)
    }
    let right = found.right ?? rightSide(of: found.comparator)
    if found.isGuess {
      return .condition(.and([.unreadable(left, modifier: modifier), .unreadable(right)]))
    }
    let comparison = Comparison(
      left, found.comparator, right, options: found.options, modifier: modifier, origin: origin(from: start))
    return .condition(found.isNegated ? .not(.comparison(comparison)) : .comparison(comparison))
  }

  /// Reads the right side of an operator; reports `BETWEEN 1 AND 10`, SQL's form, as a whole.
  private mutating func rightSide(of comparator: Comparator) -> Expression {
    let start = current.range.lowerBound
    let right = value()
    guard comparator == .between, right.listElements == nil, isKeyword("AND") || isSign("&&") else { return right }
    switch next().kind {
    case .number, .string, .placeholder: break
    default: return right
    }
    guard self.comparator(at: index + 2) == nil else { return right }
    advance()
    let highest = value()
    let place = origin(from: start)
    report(.unexpected(found: slice(place.range), expected: "{ lowest, highest }"), at: place)
    return .aggregate([right, highest])
  }

  /// Whether a comparison seems to begin at the current token, after a missing AND.
  var startsComparison: Bool {
    var place = index
    if let keyword = current.keyword, reservedWords.contains(keyword) { return false }
    for _ in 0..<16 {
      switch token(at: place).kind {
      case .word, .escapedKey, .sign("."), .collectionOperator:
        if place > index, comparator(at: place) != nil { return true }
        place += 1
      default: return place > index && comparator(at: place) != nil
      }
    }
    return false
  }

  private mutating func readModifier() -> ComparisonModifier {
    let modifiers: [String: ComparisonModifier] = ["ANY": .any, "SOME": .any, "ALL": .all, "NONE": .none]
    guard let keyword = current.keyword, let modifier = modifiers[keyword] else { return .direct }
    advance()
    return modifier
  }
}
