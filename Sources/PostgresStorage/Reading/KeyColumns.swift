import Layouts
import Modeling
import Postgres
import Stores

/// The columns of a key within a SELECT.
struct KeyColumns {
  let columns: [PostgresSQL]
  private let forms: [ColumnForm]
  private let start: Int
  private let interner: KeyInterner?

  /// The key's columns of the rows at a place, which begin at a column of the SELECT.
  init(_ place: PostgresPlace, _ store: PostgresStore, from start: Int) {
    let layout = store.layout(of: place.entity)
    forms = layout.key.columns.map { store.tables.form(layout.table, $0) }
    columns = zip(layout.key.columns, forms).map { PostgresSQL(raw: $1.selected("\(place.alias).\(quoted($0))")) }
    self.start = start
    interner = store.interner(of: place.entity)
  }

  func key(_ source: PostgresRowSource) -> Int64 {
    guard let interner else { return source.integer(start) }
    var scratch = ColumnReader.Scratch()
    return interner.number(
      of: forms.indices.map { index in
        source.bytes(start + index).map { Value(keyColumn: ColumnReader.read($0, forms[index], &scratch)) } ?? .null
      })
  }
}
