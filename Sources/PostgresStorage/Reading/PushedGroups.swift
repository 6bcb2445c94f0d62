import Layouts
import Modeling
import Postgres
import Queries
import Stores

/// Groups that the database makes, because it computes the same values as we do.
struct PushedGroups {
  private struct Column {
    let sql: PostgresSQL
    let form: ColumnForm
    let type: AttributeType
  }

  private let store: PostgresStore
  private let sql: PostgresSQL
  private let keys: [Column]
  private let columns: [Column]

  /// Nil if the groups must be made here.
  init?(_ selection: SplitRequest, keys: [Expression], _ expressions: [Expression], _ store: PostgresStore) {
    guard selection.isPushedDown, !selection.isLimited else { return nil }
    self.store = store
    var groupBy: [PostgresSQL] = []
    var keyColumns: [Column] = []
    for key in keys {
      guard let column = Self.plain(key, selection) else { return nil }
      groupBy.append(column.sql)
      keyColumns.append(column)
    }
    var found: [Column] = []
    for expression in expressions {
      if let index = keys.firstIndex(of: expression) {
        found.append(keyColumns[index])
      } else if let call = expression.aggregateCall, let column = Self.aggregate(call, selection) {
        found.append(column)
      } else {
        return nil
      }
    }
    self.keys = keyColumns
    columns = found
    let list = (keyColumns + found).map { $0.form.selected($0.sql) }
    var sql: PostgresSQL = "SELECT \(list.joined(", ")) FROM \(selection.place.source.sql)"
    if !selection.conditions.isEmpty { sql += " WHERE \(selection.conditions.joined(" AND "))" }
    if !groupBy.isEmpty { sql += " GROUP BY \(groupBy.joined(", "))" }
    self.sql = sql
  }

  /// The values of the columns for each group.
  func rows(sortedBy areInOrder: ([Value], [Value]) -> Bool) throws -> [[Value]] {
    let source = PostgresRowSource(result: try store.pool.run(sql))
    var found: [(keys: [Value], values: [Value])] = []
    let all = keys + columns
    while try source.step() {
      var scratch = ColumnReader.Scratch()
      var values: [Value] = []
      for (index, column) in all.enumerated() {
        let value = source.bytes(index).map { Value(keyColumn: ColumnReader.read($0, column.form, &scratch)) } ?? .null
        values.append(ValueCoding.decode(value, as: column.type))
      }
      found.append((Array(values.prefix(keys.count)), Array(values.dropFirst(keys.count))))
    }
    return found.sorted { areInOrder($0.keys, $1.keys) }.map(\.values)
  }

  /// A plain column of the rows, or of to-ones' destinations, whose values are equal here if they are equal there.
  private static func plain(_ expression: Expression, _ selection: SplitRequest) -> Column? {
    guard let operand = selection.compiler.operand(expression, at: selection.place),
      case .value(let form) = operand.content, case .path(let path) = expression,
      let type = try? path.resolve(in: selection.place.entity).finalAttribute?.type
    else { return nil }
    switch form.kind {
    case .text, .label: return Column(sql: "\(operand.sql) COLLATE \"C\"", form: form, type: type)
    case .boolean, .integer, .bytes, .instant, .civilTime, .day, .uuid:
      return Column(sql: operand.sql, form: form, type: type)
    case .real, .numeric:
      return Column(
        sql: form.mayHoldNaN ? "NULLIF(\(operand.sql), 'NaN')" : operand.sql, form: form, type: type)
    case .json, .foreign: return nil
    }
  }

  private static func aggregate(
    _ call: (function: ExpressionFunction, argument: Expression), _ selection: SplitRequest
  ) -> Column? {
    let count = ColumnForm(own: .integer64)
    if call.function == .count, call.argument == .object {
      return Column(sql: "count(*)", form: count, type: .integer64)
    }
    guard let column = plain(call.argument, selection) else { return nil }
    switch (call.function, column.form.kind) {
    case (.count, _): return Column(sql: "count(\(column.sql))", form: count, type: .integer64)
    case (.min, .integer), (.max, .integer), (.min, .real), (.max, .real), (.min, .instant), (.max, .instant),
      (.min, .text), (.max, .text), (.min, .numeric), (.max, .numeric), (.min, .day), (.max, .day):
      return Column(sql: "\(raw: call.function.rawValue)(\(column.sql))", form: column.form, type: column.type)
    default: return nil
    }
  }
}

extension ColumnForm {
  /// A value as it is selected, in a form that `ColumnReader` reads.
  fileprivate func selected(_ sql: PostgresSQL) -> PostgresSQL {
    switch kind {
    case .numeric, .json, .foreign: "(\(sql))::text"
    default: sql
    }
  }
}
