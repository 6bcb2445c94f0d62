package import Queries

extension FetchRequest {
  /// Whether `now()` affects which objects the request selects, or their order.
  package var isTimeDependent: Bool {
    let expressions = sortDescriptors.map(\.expression) + (sectionIdentifier.map { [$0] } ?? [])
    return predicate?.callsNow == true || expressions.contains(where: \.callsNow)
  }
}

extension Predicate {
  fileprivate var callsNow: Bool {
    switch self {
    case .constant: false
    case .and(let terms), .or(let terms): terms.contains(where: \.callsNow)
    case .not(let inner): inner.callsNow
    case .comparison(let comparison): comparison.left.callsNow || comparison.right.callsNow
    case .expression(let expression): expression.callsNow
    }
  }
}

extension Expression {
  /// Whether its value depends on the time.
  package var callsNow: Bool {
    if case .function(.now, _, _) = self { return true }
    return children.contains(where: \.callsNow) || condition?.callsNow == true
  }
}
