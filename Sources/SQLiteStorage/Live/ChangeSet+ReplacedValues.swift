internal import Modeling

extension ChangeSet {
  /// The former and the new column values of updated rows of `root` and its subentities.
  ///
  /// The commit's records are read when this is called, so that keeping the change set costs nothing.
  func replacedValues(of root: Entity, in store: SQLiteStore) -> ReplacedValues {
    let name = asciiLowercased(store.layout(of: root).table)
    let records = tables.filter { asciiLowercased($0.name) == name }
    guard store.interner(of: root) != nil else {
      return { Self.values(of: records) { if case .int(let number)? = $1.first { number } else { 0 } } }
    }
    // The store assigns numbers to composite keys.
    let values = Self.values(of: records) { store.touchedTables.table($0, of: store).number(of: $1) }
    return { values }
  }

  private static func values(
    of records: [TableChanges], number: (TableChanges, [Value]) -> Int64
  ) -> [Int64: [String: (old: Value, new: Value)]] {
    var all: [Int64: [String: (old: Value, new: Value)]] = [:]
    for table in records {
      let names = table.columns.map(asciiLowercased)
      // A damaged record, which only a file can contain, contributes no values.
      for row in (try? table.rows()) ?? [] {
        guard case .updated(let changes) = row.kind else { continue }
        let key = number(table, row.key)
        for change in changes {
          let first = all[key]?[names[change.column]]?.old
          all[key, default: [:]][names[change.column]] = (first ?? change.old, change.new)
        }
      }
    }
    return all
  }
}
