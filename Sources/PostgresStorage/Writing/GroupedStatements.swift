import Layouts
import Modeling
import Postgres

/// The statements that write the rows of a group at once.
///
/// A subquery returns the arrays. The server then plans for few rows, which it finds by their keys in an index. If it saw
/// the length of an array, it might read the whole table instead, once for each group.
struct GroupedStatements {
  private let store: PostgresStore
  private let shape: WriteShape
  private let row: PostgresPlace

  init(_ shape: WriteShape, _ store: PostgresStore) {
    (self.shape, self.store) = (shape, store)
    row = PostgresPlace(source: PostgresSource(""), entity: shape.entity, alias: quoted("row"))
  }

  private var table: PostgresSQL { store.table(shape.layout.table) }

  private func rows(_ columns: [(form: ColumnForm, elements: [PostgresArgument])]) -> PostgresSQL {
    let arrays = columns.map { column -> PostgresSQL in
      let array: PostgresSQL = "\(column.form.array(column.elements))"
      // Citus takes no subquery there.
      return store.profile.has(.joinsOfAnyColumns) ? "(SELECT \(array))" : array
    }
    let names = columns.indices.map { "c\($0)" }.joined(separator: ", ")
    return "unnest(\(arrays.joined(", "))) AS v(\(raw: names))"
  }

  // MARK: Inserts

  /// An INSERT of all rows.
  func insert(_ group: PendingWrites.Group) -> PostgresSQL {
    let columns = shape.columns
    guard !columns.isEmpty else {
      return "INSERT INTO \(table) SELECT FROM generate_series(1, \(.int(Int64(group.count))))"
    }
    let names = columns.map { quoted($0.name) }.joined(separator: ", ")
    let values = columns.enumerated().map { $1.form.assigned("v.c\($0)") }.joined(separator: ", ")
    let source = rows(columns.enumerated().map { ($1.form, group.column($0)) })
    return "INSERT INTO \(table) (\(raw: names)) \(raw: overriding)SELECT \(raw: values) FROM \(source)"
  }

  /// The COPY that takes the rows.
  var copy: String {
    let names = shape.columns.map { quoted($0.name) }.joined(separator: ", ")
    return "COPY \(store.tables[shape.layout.table].sqlName) (\(names)) FROM STDIN (FORMAT binary)"
  }

  /// The clause that permits a key where the server always generates it.
  private var overriding: String {
    shape.columns.contains { if case .key = $0.source { true } else { false } } && !store.format.declaresSchema
      ? "OVERRIDING SYSTEM VALUE " : ""
  }

  /// An INSERT of one row.
  func insert(_ group: PendingWrites.Group, row index: Int) -> PostgresSQL {
    let elements = group.elements[index * group.width..<(index + 1) * group.width]
    return insert(Array(elements))
  }

  /// An INSERT of a row with its columns; the caller adds the RETURNING clause.
  func insert(_ elements: [PostgresArgument]) -> PostgresSQL {
    let start: PostgresSQL = "INSERT INTO \(table) AS \(raw: row.alias) "
    if shape.columns.isEmpty { return start + "DEFAULT VALUES" }
    let names = shape.columns.map { quoted($0.name) }.joined(separator: ", ")
    let values = zip(shape.columns, elements).map { $0.form.argument($1) }
    return start + "(\(raw: names)) \(raw: overriding)VALUES (\(values.joined(", ")))"
  }

  // MARK: Updates

  /// An UPDATE of some rows, which returns their keys and the old and new values of the columns.
  func update(_ group: PendingWrites.Group, _ range: Range<Int>) -> PostgresSQL {
    let keyCount = shape.keys.count
    func elements(_ index: Int) -> [PostgresArgument] { range.map { group.elements[$0 * group.width + index] } }
    let source = rows(
      shape.keys.enumerated().map { ($1.form, elements($0)) }
        + shape.columns.enumerated().map { ($1.form, elements(keyCount + $0)) })
    let settings = shape.columns.enumerated().map { index, column in
      "\(quoted(column.name)) = \(column.form.assigned("v.c\(keyCount + index)"))"
    }
    func link(_ alias: String) -> String {
      shape.keys.enumerated().map { "\(alias).\(quoted($1.name)) = \($1.form.assigned("v.c\($0)"))" }
        .joined(separator: " AND ")
    }
    let old = quoted("old")
    // Rows that are spread over nodes are joined on each of them by the column of which both have the same value there.
    let isTogether = store.spreadColumn(of: shape.entity).map { column in
      let name = quoted(shape.layout.columns[column].name)
      return " AND \(row.alias).\(name) = \(old).\(name)"
    }
    let answers =
      KeyColumns(row, store, from: 0).columns.map(\.text)
      + [old, row.alias].flatMap { alias in
        shape.columns.map { $0.form.selected("\(alias).\(quoted($0.name))") }
      }
    return """
      UPDATE \(table) AS \(raw: row.alias) SET \(raw: settings.joined(separator: ", ")) \
      FROM \(source) JOIN \(table) AS \(raw: old) ON \(raw: link(old)) \
      WHERE \(raw: link(row.alias))\(raw: isTogether ?? "") RETURNING \(raw: answers.joined(separator: ", "))
      """
  }
}

extension ColumnForm {
  /// The value for one column of one row, as an argument of a statement.
  func argument(_ element: PostgresArgument) -> PostgresSQL {
    switch (element, kind) {
    case (.null, _): "NULL"
    case (.text(let text), .label): "\(.untyped(text))::\(raw: typeName)"
    case (.json(let text), _), (.jsonb(let text), _): "\(.untyped(text))::\(raw: typeName)"
    case (.timestamp, .civilTime): "(\(element) AT TIME ZONE 'UTC')"
    case (.timestamp, .day): "(\(element) AT TIME ZONE 'UTC')::date"
    default: PostgresSQL(element)
    }
  }
}
