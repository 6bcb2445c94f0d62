/// A condition as far as the database can decide it.
struct PostgresCondition {
  /// For which rows it holds only where the predicate is true; for others it may hold where the predicate is not.
  enum Exactness {
    case always
    /// For rows for which this is true or null.
    case within(PostgresSQL)
    case never
  }

  var sql: PostgresSQL
  var exactness: Exactness

  /// Whether it holds for exactly the rows for which the predicate is true.
  var isExact: Bool { if case .always = exactness { true } else { false } }

  /// The condition under which it is exact; nil for one that always or never is.
  var domain: PostgresSQL? { if case .within(let domain) = exactness { domain } else { nil } }

  static func exact(_ sql: PostgresSQL) -> PostgresCondition { PostgresCondition(sql: sql, exactness: .always) }
  static let yes = exact("TRUE")
  static let no = exact("FALSE")

  /// The condition of values that SQL computes only in a domain, which holds for all rows outside of it. It is evaluated where the
  /// domain is true or null: some value is null then, and what is computed of it, too.
  func within(_ domain: PostgresSQL?) -> PostgresCondition {
    guard let domain else { return self }
    return PostgresCondition(
      sql: "(CASE WHEN \(domain) IS FALSE THEN TRUE ELSE \(sql) END)",
      exactness: Self.common([exactness, .within(domain)]))
  }

  /// A condition that holds where all hold; parts that are nil are left out.
  static func all(_ parts: [PostgresCondition?]) -> PostgresCondition? {
    let known = parts.compactMap { $0 }
    if known.isEmpty { return parts.isEmpty ? .yes : nil }
    return PostgresCondition(
      sql: "(\(known.map(\.sql).joined(" AND ")))",
      exactness: known.count == parts.count ? common(known.map(\.exactness)) : .never)
  }

  /// A condition that holds where any holds; nil if one of them is nil.
  static func any(_ parts: [PostgresCondition?]) -> PostgresCondition? {
    let known = parts.compactMap { $0 }
    guard known.count == parts.count else { return nil }
    if known.isEmpty { return .no }
    return PostgresCondition(
      sql: "(\(known.map(\.sql).joined(" OR ")))", exactness: common(known.map(\.exactness)))
  }

  private static func common(_ parts: [Exactness]) -> Exactness {
    var domains: [PostgresSQL] = []
    for part in parts {
      switch part {
      case .always: break
      case .within(let domain): domains.append(domain)
      case .never: return .never
      }
    }
    return domains.isEmpty ? .always : .within("(\(domains.joined(" AND ")))")
  }
}
