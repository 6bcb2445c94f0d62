import Modeling
import Queries
import SQLite

/// Batches.
extension CoreDataRowWriter {
  /// Changes properties of all rows that a request selects: by one statement if it changes only columns of plain
  /// values, otherwise row by row.
  func batchUpdate(
    _ request: FetchRequest, _ changes: [(property: Int, value: Value)]
  ) throws -> Int {
    let layout = store.layout(of: request.entity)
    for entity in request.includesSubentities ? request.entity.family : [request.entity] {
      try format.checkWritable(entity, in: store)
    }
    let columns = try changes.map { try column(of: $0.property, $0.value, request.entity) }
    guard columns.allSatisfy({ isPlain($0.column, layout) }) else {
      let keys = try store.keys(request)
      return try keys.reduce(0) { try update(request.entity, key: $1, columns) ? $0 + 1 : $0 }
    }
    let (settings, values) = try settings(request.entity, columns)
    var list = SQLFragment()
    for (index, (setting, value)) in zip(settings, values).enumerated() {
      list.append("\(raw: index == 0 ? "" : ", ")\(raw: String(setting.dropLast()))\(value: value)")
    }
    let statement = try store.bound(
      "UPDATE \(name: layout.table)\(try RequestSQL(request, store.schema).changing(" SET \(list)"))")
    defer { store.connection.checkIn(statement) }
    do throws(StoreError) {
      _ = try statement.step()
    } catch {
      throw store.named(error, request.entity) { column in columns.first { $0.column == column }?.value }
    }
    return Int(store.connection.lastChanges)
  }

  /// Whether a column's values affect nothing but their own row.
  private func isPlain(_ column: Int, _ layout: EntityLayout) -> Bool {
    let isReference = layout.properties.contains { property in
      if case .reference(let columns, _) = property { columns.contains(column) } else { false }
    }
    return !isReference && layout.columns[column].encoding != .externalData
  }

  private func column(of property: Int, _ value: Value, _ entity: Entity) throws -> (column: Int, value: Value) {
    let layout = store.layout(of: entity)
    switch layout.properties[property] {
    case .column(let column) where layout.columns[column].isWritable: return (column, value)
    case .reference(let columns, _):
      if case .object(let id) = value { return (columns[0], .int(id.key)) }
      return (columns[0], .null)
    case .column, .inverse, .join, .none:
      let name = "\(entity.name).\(entity.properties[property].name)"
      throw StoreError(.constraint("\(name) cannot be set by a batch request"), path: store.path)
    }
  }
}
