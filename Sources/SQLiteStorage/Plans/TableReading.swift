import SQLite

/// How SQLite reads the first table of a statement, as far as ranges of its rows can be read instead.
enum TableReading: Hashable {
  /// All rows, or all entries of an index, which alone may answer.
  case all(isCovered: Bool)
  /// A range of an index, and the row of each of its entries.
  case indexRange
  /// A range of the key.
  case keyRange
  /// In another way, or beside something that would be made again for each range: a list, an index for one run, a stored query.
  case other

  /// The reading of the table with an alias by a plan.
  init(_ plan: [PlanLine], of alias: String) {
    self = .other
    guard let first = plan.first?.step, case .access(let access) = first, access.subject == alias else { return }
    let isOnce = plan.dropFirst().allSatisfy { line in
      switch line.step {
      case .access(let access): access.path != .automaticIndex
      case .subquery(let isCorrelated, _): isCorrelated
      case .tree: true
      default: false
      }
    }
    guard isOnce else { return }
    switch access.path {
    // A search of the table itself looks for the least or greatest value without an index.
    case .table: self = .all(isCovered: false)
    case .index(_, let isCovering) where !access.isSearch: self = .all(isCovered: isCovering)
    case .index(_, isCovering: false) where !access.terms.contains { $0.contains("=") }: self = .indexRange
    case .key where !access.terms.contains { $0.contains("=") }: self = .keyRange
    default: break
    }
  }
}
