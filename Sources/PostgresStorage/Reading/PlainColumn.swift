import Layouts
import Modeling
import Postgres
import Queries
import Stores

/// A column of the rows, or of a to-one's destination, whose values are equal here if they are equal there.
struct PlainColumn {
  private enum Content {
    case attribute(AttributeType)
    /// The key of an object of the entity.
    case object(Entity)
  }

  /// The value as it is compared and grouped. It has no arguments.
  let sql: PostgresSQL
  let form: ColumnForm
  private let content: Content

  /// Nil for a path that leads to no such column.
  init?(_ path: PropertyPath, _ selection: SplitRequest) {
    guard let operand = selection.compiler.operand(path, at: selection.place) else { return nil }
    switch operand.content {
    case .object(let entity, .key) where operand.columns.count == 1 && selection.store.interner(of: entity) == nil:
      (sql, form, content) = (operand.sql, ColumnForm(own: .integer64), .object(entity))
    case .object: return nil
    case .value(let form):
      guard let type = try? path.resolve(in: selection.place.entity).finalAttribute?.type else { return nil }
      (self.form, content) = (form, .attribute(type))
      switch form.kind {
      case .text, .label: sql = "\(operand.sql) COLLATE \"C\""
      case .boolean, .integer, .bytes, .instant, .civilTime, .day, .uuid: sql = operand.sql
      case .real, .numeric: sql = form.mayHoldNaN ? "NULLIF(\(operand.sql), 'NaN')" : operand.sql
      case .json, .foreign: return nil
      }
    }
  }

  /// The key of the rows at a place; nil if it is no integer.
  init?(keyAt place: PostgresPlace, _ store: PostgresStore) {
    guard store.interner(of: place.entity) == nil else { return nil }
    sql = place.column(store.layout(of: place.entity).key.columns[0])
    (form, content) = (ColumnForm(own: .integer64), .attribute(.integer64))
  }

  /// A value of the column as it is selected, in a form that `value` reads.
  func selected(_ sql: PostgresSQL) -> PostgresSQL { form.kind == .numeric ? "(\(sql))::text" : sql }

  /// The value in a column of the row that a source stands on.
  func value(_ source: PostgresRowSource, _ column: Int, _ scratch: inout ColumnReader.Scratch) -> Value {
    guard let bytes = source.bytes(column) else { return .null }
    let stored = Value(keyColumn: ColumnReader.read(bytes, form, &scratch))
    switch content {
    case .attribute(let type): return ValueCoding.decode(stored, as: type)
    case .object(let entity):
      guard case .int(let key) = stored else { return .null }
      return .object(ObjectID(entity: entity, key: key))
    }
  }

  /// The beginning of the unit of time in which a date is, in UTC: for functions that read no more of a date.
  ///
  /// Far from now a double has no microseconds, and a date is read as another one; such dates stay as they are.
  func beginning(of detail: DateDetail) -> PostgresSQL {
    guard let unit = detail.unit else { return sql }
    let (low, high) = ("'1750-01-01 00:00:00+00'", "'2200-01-01 00:00:00+00'")
    let begun: PostgresSQL
    switch form.kind {
    case .instant: begun = "date_trunc('\(raw: unit)', \(sql) AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'"
    case .civilTime: begun = "date_trunc('\(raw: unit)', \(sql))"
    default: return sql
    }
    return "CASE WHEN \(sql) >= \(raw: low) AND \(sql) < \(raw: high) THEN \(begun) ELSE \(sql) END"
  }
}
