extension PredicateError {
  /// The maximum number of errors that are reported for one text.
  static let issueLimit = 25
}

/// The identity of an error: origins are all equal, so their ranges are compared.
private struct IssueKey: Hashable {
  var fact: PredicateError.Fact
  var range: Range<Int>?
}

extension [PredicateError.Issue] {
  /// The issues in order, each once.
  var withoutRepetition: [PredicateError.Issue] {
    var seen: Set<IssueKey> = []
    return filter { seen.insert(IssueKey(fact: $0.fact, range: $0.origin?.range)).inserted }
  }

  /// The issues of one text in its order, each once, up to the limit.
  var inOrderOfText: [PredicateError.Issue] {
    let ordered = enumerated().sorted { left, right in
      let (l, r) = (left.element.origin?.range.lowerBound ?? 0, right.element.origin?.range.lowerBound ?? 0)
      return (l, left.offset) < (r, right.offset)
    }
    let different = ordered.map(\.element).withoutRepetition
    return Array(different.withoutConsequences.prefix(PredicateError.issueLimit))
  }

  /// The issues without those that may follow from a misplaced sign: after it, names are still checked, but the meaning
  /// of signs is guessed.
  private var withoutConsequences: [PredicateError.Issue] {
    guard let broken = firstIndex(where: \.breaksText) else { return self }
    return Array(self[...broken]) + self[(broken + 1)...].filter { !$0.isAboutSigns }
  }
}

extension PredicateError.Issue {
  /// Whether the rest of the text cannot be parsed reliably.
  fileprivate var breaksText: Bool {
    switch fact {
    case .unexpected, .unknownPlaceholder, .unterminatedString: true
    default: false
    }
  }

  /// Whether it may follow from an earlier syntax error.
  fileprivate var isAboutSigns: Bool {
    switch fact {
    case .tooFewArguments, .tooManyArguments, .unknownOperator, .typeMismatch, .noMeaning: true
    case .unknownProperty(let name, _, _): ["c", "d", "cd", "dc", "n", "l"].contains(name)
    default: breaksText
    }
  }
}
