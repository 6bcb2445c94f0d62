extension PredicateError {
  /// The greatest number of mistakes that are reported for one text.
  static let issueLimit = 25
}

/// What makes two mistakes the same: origins are all equal, so that their ranges are compared.
private struct IssueKey: Hashable {
  var fact: PredicateError.Fact
  var range: Range<Int>?
}

extension [PredicateError.Issue] {
  /// Each mistake once, in the order given.
  var withoutRepetition: [PredicateError.Issue] {
    var seen: Set<IssueKey> = []
    return filter { seen.insert(IssueKey(fact: $0.fact, range: $0.origin?.range)).inserted }
  }

  /// The mistakes of one text in its order, each once and not too many of them.
  var inOrderOfText: [PredicateError.Issue] {
    let ordered = enumerated().sorted { left, right in
      let (l, r) = (left.element.origin?.range.lowerBound ?? 0, right.element.origin?.range.lowerBound ?? 0)
      return (l, left.offset) < (r, right.offset)
    }
    let different = ordered.map(\.element).withoutRepetition
    return Array(different.withoutConsequences.prefix(PredicateError.issueLimit))
  }

  /// The mistakes without those that follow from a sign that does not belong there: names are still looked at behind it,
  /// while what the signs there mean is guessed.
  private var withoutConsequences: [PredicateError.Issue] {
    guard let broken = firstIndex(where: \.breaksText) else { return self }
    return Array(self[...broken]) + self[(broken + 1)...].filter { !$0.isAboutSigns }
  }
}

extension PredicateError.Issue {
  /// Whether the text makes no sense from here on.
  fileprivate var breaksText: Bool {
    switch fact {
    case .unexpected, .unknownPlaceholder, .unterminatedString: true
    default: false
    }
  }

  /// Whether it may follow from an earlier mistake of syntax.
  fileprivate var isAboutSigns: Bool {
    switch fact {
    case .tooFewArguments, .tooManyArguments, .unknownOperator, .typeMismatch, .noMeaning: true
    case .unknownProperty(let name, _, _): ["c", "d", "cd", "dc", "n", "l"].contains(name)
    default: breaksText
    }
  }
}
