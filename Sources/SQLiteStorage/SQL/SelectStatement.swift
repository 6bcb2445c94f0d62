import Modeling
import SQLite

/// A SELECT, clause by clause.
struct SelectStatement {
  var columns: [SQLFragment] = []
  var isDistinct = false
  var from = SQLFragment()
  var conditions: [SQLCondition] = []
  var groups: [SQLFragment] = []
  var having: SQLCondition?
  var order: [SQLFragment] = []
  /// The maximal number of rows; nil for all.
  var limit: Int?
  var offset = 0

  /// The statement.
  var sql: SQLFragment {
    var sql: SQLFragment = "SELECT \(raw: isDistinct ? "DISTINCT " : "")\(columns.joined(separator: ", ")) FROM \(from)"
    if !conditions.isEmpty { sql.append(" WHERE \(SQLCondition.all(conditions).sql)") }
    if !groups.isEmpty { sql.append(" GROUP BY \(groups.joined(separator: ", "))") }
    if let having { sql.append(" HAVING \(having.sql)") }
    if !order.isEmpty { sql.append(" ORDER BY \(order.joined(separator: ", "))") }
    if isLimited {
      sql.append(" LIMIT \(value: .int(Int64(limit ?? -1)))")
      if offset > 0 { sql.append(" OFFSET \(value: .int(Int64(offset)))") }
    }
    return sql
  }

  /// Whether the statement tells groups or distinct rows apart.
  var hasGroups: Bool { !groups.isEmpty || isDistinct }

  /// Whether the statement has a limit or an offset.
  var isLimited: Bool { limit != nil || offset > 0 }

  /// A statement that counts the rows of this one.
  var counting: SQLFragment {
    guard !isLimited, groups.isEmpty, having == nil, !isDistinct else {
      var inner = self
      if !isLimited { inner.order = [] }
      return "SELECT count(*) FROM (\(inner.sql))"
    }
    var plain = self
    plain.columns = ["count(*)"]
    plain.order = []
    return plain.sql
  }
}
