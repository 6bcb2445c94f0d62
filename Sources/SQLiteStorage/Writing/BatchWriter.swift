import Modeling
import Queries
import SQLite

/// Changes or deletes all rows that a request selects.
struct BatchWriter {
  let store: SQLiteStore

  /// Changes columns of all rows that a request selects; returns the number of rows.
  ///
  /// - Throws: StoreError; PredicateError for a request that does not fit the model.
  func update(_ request: FetchRequest, _ changes: [(property: Int, value: Value)]) throws -> Int {
    try store.checkWritable(request.entity)
    guard !changes.isEmpty else { return try store.count(request) }
    return try store.write {
      try store.measuringWork({ try store.count(request) }) {
        try store.format.batchUpdate(request, changes, in: store)
      }
    }
  }

  /// Changes columns of rows that need no bookkeeping of their format.
  func updateRows(_ request: FetchRequest, _ changes: [(property: Int, value: Value)]) throws -> Int {
    let settings = try changes.flatMap { try setting($0.property, $0.value, of: request.entity) }
    let layout = store.layout(of: request.entity)
    var sql: SQLFragment = "UPDATE \(name: layout.table)"
    let list = settings.map { "\(name: $0.column) = \(value: $0.value)" as SQLFragment }.joined(separator: ", ")
    sql.append(try RequestSQL(request, store.schema).changing(" SET \(list)"))
    let statement = try store.bound(sql)
    defer { store.connection.checkIn(statement) }
    do throws(StoreError) {
      _ = try statement.step()
    } catch {
      throw store.named(error, request.entity) { column in
        settings.first { $0.column == layout.columns[column].name }?.value
      }
    }
    return Int(store.connection.lastChanges)
  }

  /// The columns that a change sets, with the values to write.
  private func setting(
    _ property: Int, _ value: Value, of entity: Entity
  ) throws -> [(column: String, value: Value)] {
    let layout = store.layout(of: entity)
    let name = entity.properties[property].name
    switch layout.properties[property] {
    case .column(let column) where layout.columns[column].isWritable:
      return [(layout.columns[column].name, try store.stored(value, column, of: entity))]
    case .reference(let columns, _):
      var values = columns.map { _ in Value.null }
      if case .object(let id) = value { values = try store.referenceValues(to: id.key, of: property, in: entity) }
      return zip(columns, values).map { (layout.columns[$0].name, $1) }
    case .column, .inverse, .join, .none:
      throw StoreError(.constraint("\(entity.name).\(name) cannot be set by a batch request"), path: store.path)
    }
  }
}

extension RequestSQL {
  /// The rest of an UPDATE or DELETE after the table's name, with `clause` and the request's condition.
  func changing(_ clause: SQLFragment) throws -> SQLFragment {
    if let direct = try directChange(clause) { return direct }
    let keys = keyNames.map { SQLFragment(name: $0) }
    let tuple: SQLFragment = keys.count == 1 ? keys[0] : "(\(keys.joined(separator: ", ")))"
    return "\(clause) WHERE \(tuple) IN (\(try self.keys()))"
  }
}
