public import Modeling

extension SQLiteStore {
  /// Inserts a row under the key that it had before somebody deleted it; `values` are by column of the layout.
  ///
  /// - Throws: StoreError; `.notUnique` with the values that are there already.
  public func insert(_ entity: Entity, _ values: [Value], key: Int64) throws {
    let layout = layout(of: entity)
    guard case .rowID(let name) = layout.key, !layout.columns.contains(where: { $0.name == name }) else {
      try insert(entity, values)
      return
    }
    try checkWritable(entity)
    var names = [name]
    var row = [Value.int(key)]
    for (column, value) in zip(layout.columns, values) where column.isWritable && !names.contains(column.name) {
      names.append(column.name)
      row.append(ValueCoding.stored(value))
    }
    if let (column, value) = layout.discriminator {
      names.append(column)
      row.append(value)
    }
    let list = names.map(quotedName).joined(separator: ", ")
    let marks = names.map { _ in "?" }.joined(separator: ", ")
    try write {
      do throws(StoreError) {
        try connection.run("INSERT INTO \(quotedName(layout.table)) (\(list)) VALUES (\(marks))", row)
      } catch {
        throw named(error, entity) { values[$0] }
      }
    }
  }
}
