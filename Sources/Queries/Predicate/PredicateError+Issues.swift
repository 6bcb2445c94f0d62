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
  /// The mistakes of one text in its order, each once and not too many of them.
  var inOrderOfText: [PredicateError.Issue] {
    var seen: Set<IssueKey> = []
    let ordered = enumerated().sorted { left, right in
      let (l, r) = (left.element.origin?.range.lowerBound ?? 0, right.element.origin?.range.lowerBound ?? 0)
      return (l, left.offset) < (r, right.offset)
    }
    let different = ordered.map(\.element).filter { issue in
      seen.insert(IssueKey(fact: issue.fact, range: issue.origin?.range)).inserted
    }
    return Array(different.prefix(PredicateError.issueLimit))
  }
}
