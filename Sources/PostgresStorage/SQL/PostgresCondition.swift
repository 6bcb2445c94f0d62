/// A condition as far as the database can decide it.
struct PostgresCondition {
  var sql: PostgresSQL
  /// Whether it holds for exactly the rows for which the predicate is true; otherwise it holds for more.
  var isExact: Bool

  static func exact(_ sql: PostgresSQL) -> PostgresCondition { PostgresCondition(sql: sql, isExact: true) }
  static let yes = exact("TRUE")
  static let no = exact("FALSE")

  /// A condition that holds where all hold; parts that are nil are left out.
  static func all(_ parts: [PostgresCondition?]) -> PostgresCondition? {
    let known = parts.compactMap { $0 }
    if known.isEmpty { return parts.isEmpty ? .yes : nil }
    return PostgresCondition(
      sql: "(\(known.map(\.sql).joined(" AND ")))", isExact: known.count == parts.count && known.allSatisfy(\.isExact))
  }

  /// A condition that holds where any holds; nil if one of them is nil.
  static func any(_ parts: [PostgresCondition?]) -> PostgresCondition? {
    let known = parts.compactMap { $0 }
    guard known.count == parts.count else { return nil }
    if known.isEmpty { return .no }
    return PostgresCondition(sql: "(\(known.map(\.sql).joined(" OR ")))", isExact: known.allSatisfy(\.isExact))
  }
}
