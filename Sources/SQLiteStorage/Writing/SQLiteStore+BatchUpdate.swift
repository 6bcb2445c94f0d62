public import Modeling
public import Queries
import SQLite

extension SQLiteStore {
  /// Changes columns of all rows that a request selects; returns the number of rows.
  ///
  /// - Throws: StoreError; PredicateError for a request that does not fit the model.
  public func batchUpdate(_ request: FetchRequest, _ changes: [(property: Int, value: Value)]) throws -> Int {
    try checkWritable(request.entity)
    guard !changes.isEmpty else { return try count(request) }
    return try write {
      try measuringWork({ try count(request) }) { try format.batchUpdate(request, changes, in: self) }
    }
  }

  /// Changes columns of rows that need no bookkeeping of their format.
  func updateRows(_ request: FetchRequest, _ changes: [(property: Int, value: Value)]) throws -> Int {
    let settings = try changes.flatMap { try setting($0.property, $0.value, of: request.entity) }
    let layout = layout(of: request.entity)
    var sql: SQLFragment = "UPDATE \(name: layout.table)"
    let list = settings.map { "\(name: $0.column) = \(value: $0.value)" as SQLFragment }.joined(separator: ", ")
    sql.append(try RequestSQL(request, schema).changing(" SET \(list)"))
    let statement = try bound(sql)
    defer { connection.checkIn(statement) }
    do throws(StoreError) {
      _ = try statement.step()
    } catch {
      throw named(error, request.entity) { column in
        settings.first { $0.column == layout.columns[column].name }?.value
      }
    }
    return Int(connection.lastChanges)
  }

  /// The columns that a change sets, with the values to write.
  private func setting(
    _ property: Int, _ value: Value, of entity: Entity
  ) throws -> [(column: String, value: Value)] {
    let layout = layout(of: entity)
    let name = entity.properties[property].name
    switch layout.properties[property] {
    case .column(let column) where layout.columns[column].isWritable:
      return [(layout.columns[column].name, try stored(value, column, of: entity))]
    case .reference(let columns, _):
      var values = columns.map { _ in Value.null }
      if case .object(let id) = value { values = try referenceValues(to: id.key, of: property, in: entity) }
      return zip(columns, values).map { (layout.columns[$0].name, $1) }
    case .column, .inverse, .join, .none:
      throw StoreError(.constraint("\(entity.name).\(name) cannot be set by a batch request"), path: path)
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
