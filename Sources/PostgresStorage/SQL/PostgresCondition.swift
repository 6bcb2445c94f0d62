/// A condition as far as the database can decide it.
struct PostgresCondition {
  var sql: PostgresSQL
  /// Whether it holds for exactly the rows for which the predicate is true; otherwise it holds for more.
  var isExact: Bool

  static func exact(_ sql: PostgresSQL) -> PostgresCondition { PostgresCondition(sql: sql, isExact: true) }
  static let yes = exact("TRUE")
  static let no = exact("FALSE")

  /// Holds where all hold; what cannot be said is left out.
  static func all(_ parts: [PostgresCondition?]) -> PostgresCondition? {
    let known = parts.compactMap { $0 }
    if known.isEmpty { return parts.isEmpty ? .yes : nil }
    return PostgresCondition(
      sql: "(\(known.map(\.sql).joined(" AND ")))", isExact: known.count == parts.count && known.allSatisfy(\.isExact))
  }

  /// Holds where any holds; nothing can be said where one of them cannot be said.
  static func any(_ parts: [PostgresCondition?]) -> PostgresCondition? {
    let known = parts.compactMap { $0 }
    guard known.count == parts.count else { return nil }
    if known.isEmpty { return .no }
    return PostgresCondition(sql: "(\(known.map(\.sql).joined(" OR ")))", isExact: known.allSatisfy(\.isExact))
  }
}
