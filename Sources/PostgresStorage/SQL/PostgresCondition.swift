/// A condition as far as the database can decide it.
struct PostgresCondition {
  var sql: PostgresSQL
  /// Whether it holds for exactly the rows for which the predicate is true; otherwise it holds for more.
  var isExact: Bool
  /// A condition that holds only for rows for which the predicate is true; nil for none.
  var sure: PostgresSQL?

  static func exact(_ sql: PostgresSQL) -> PostgresCondition {
    PostgresCondition(sql: sql, isExact: true, sure: sql)
  }
  static let yes = exact("TRUE")
  static let no = exact("FALSE")

  /// The condition of values that SQL computes only in a domain; outside of it anything may be.
  func within(_ domain: PostgresSQL?) -> PostgresCondition {
    guard let domain else { return self }
    return PostgresCondition(
      sql: "(\(sql) OR NOT \(domain))", isExact: false, sure: sure.map { "(\($0) AND \(domain))" })
  }

  /// A condition that holds where all hold; parts that are nil are left out.
  static func all(_ parts: [PostgresCondition?]) -> PostgresCondition? {
    let known = parts.compactMap { $0 }
    if known.isEmpty { return parts.isEmpty ? .yes : nil }
    let sure = parts.compactMap { $0?.sure }
    return PostgresCondition(
      sql: "(\(known.map(\.sql).joined(" AND ")))", isExact: known.count == parts.count && known.allSatisfy(\.isExact),
      sure: sure.count == parts.count ? "(\(sure.joined(" AND ")))" : nil)
  }

  /// A condition that holds where any holds; nil if one of them is nil.
  static func any(_ parts: [PostgresCondition?]) -> PostgresCondition? {
    let known = parts.compactMap { $0 }
    guard known.count == parts.count else { return nil }
    if known.isEmpty { return .no }
    let sure = known.compactMap(\.sure)
    return PostgresCondition(
      sql: "(\(known.map(\.sql).joined(" OR ")))", isExact: known.allSatisfy(\.isExact),
      sure: sure.isEmpty ? nil : "(\(sure.joined(" OR ")))")
  }
}
