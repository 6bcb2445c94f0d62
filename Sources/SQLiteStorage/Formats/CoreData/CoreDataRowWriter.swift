internal import AppleModels
import Modeling
import SQLite

/// Writes rows of a Core Data store as its app expects them.
///
/// The rest of the bookkeeping (`Z_OPT`, places in ordered relationships, the history) follows at the commit, for
/// writes of any kind; see `CoreDataCommit`.
struct CoreDataRowWriter {
  let format: CoreDataStore
  let store: SQLiteStore

  /// Inserts a row under the next key of its root entity, or under `key`.
  func insert(_ entity: Entity, _ values: [Value], key: Int64?) throws -> Int64 {
    let layout = store.layout(of: entity)
    let key = try key ?? nextKey(entity)
    var names = ["Z_PK", "Z_ENT", "Z_OPT"]
    var list: [Value] = [.int(key), .int(format.numbers[entity] ?? 0), .int(1)]
    for (index, column) in layout.columns.enumerated() where column.isWritable && !values[index].isNull {
      try append(values[index], of: column, entity, &names, &list)
    }
    let marks = names.map { _ in "?" }.joined(separator: ", ")
    let into = names.map(quotedName).joined(separator: ", ")
    do {
      try store.connection.run("INSERT INTO \(quotedName(layout.table)) (\(into)) VALUES (\(marks))", list)
    } catch {
      throw store.named(error, entity) { values[$0] }
    }
    return key
  }

  /// Sets columns of a row; returns false if the row does not exist.
  func update(
    _ entity: Entity, key: Int64, _ changes: [(column: Int, value: Value)]
  ) throws -> Bool {
    let layout = store.layout(of: entity)
    let (settings, values) = try settings(entity, changes)
    if settings.isEmpty { return try exists(layout.table, key) }
    let text = "UPDATE \(quotedName(layout.table)) SET \(settings.joined(separator: ", ")) WHERE Z_PK = ?"
    do {
      return try store.connection.run(text, values + [.int(key)]) > 0
    } catch {
      throw store.named(error, entity) { column in changes.first { $0.column == column }?.value }
    }
  }

  /// Deletes a row, and removes all references to it, since the file has no foreign keys.
  func delete(_ entity: Entity, key: Int64) throws -> Bool {
    for column in format.links.leading(to: entity) {
      let emptied = [column.name, column.entityColumn, column.order].compactMap(\.self)
      let settings = emptied.map { "\(quotedName($0)) = NULL" }.joined(separator: ", ")
      try store.connection.run(
        "UPDATE \(quotedName(column.table)) SET \(settings) WHERE \(quotedName(column.name)) = ?", [.int(key)])
    }
    for (table, end) in format.links.ends(of: entity) {
      try store.connection.run("DELETE FROM \(quotedName(table)) WHERE \(quotedName(end.column)) = ?", [.int(key)])
    }
    return try store.connection.run(
      "DELETE FROM \(quotedName(store.layout(of: entity).table)) WHERE Z_PK = ?", [.int(key)]) > 0
  }

  /// The assignments of an UPDATE, with the values of their parameters.
  func settings(
    _ entity: Entity, _ changes: [(column: Int, value: Value)]
  ) throws -> (settings: [String], values: [Value]) {
    let layout = store.layout(of: entity)
    var (names, list): ([String], [Value]) = ([], [])
    for (index, value) in changes where layout.columns[index].isWritable {
      try append(value, of: layout.columns[index], entity, &names, &list)
    }
    var settings = names.map { "\(quotedName($0)) = ?" }
    for link in format.links.columns(of: layout.table) {
      guard let order = link.order, let index = names.firstIndex(of: link.name) else { continue }
      // In the ordered relationship of a new owner the row has no place yet.
      let (place, owner) = (quotedName(order), quotedName(link.name))
      settings.append("\(place) = CASE WHEN \(owner) IS ? THEN \(place) END")
      list.append(list[index])
    }
    return (settings, list)
  }

  /// Adds the columns that hold a value, and the column with the entity of a to-one's destination.
  private func append(
    _ value: Value, of column: ColumnLayout, _ entity: Entity, _ names: inout [String],
    _ list: inout [Value]
  ) throws {
    // A column may occur twice, as an attribute and as a reference.
    guard !names.contains(column.name) else { return }
    names += column.storedNames
    list += try stored(value, of: column, entity)
    guard let entityColumn = column.entityColumn else { return }
    names.append(entityColumn)
    list.append(try destinationNumber(value, of: column, entity))
  }

  private func stored(
    _ value: Value, of column: ColumnLayout, _ entity: Entity
  ) throws -> [Value] {
    switch (column.encoding, value) {
    case (.externalData, .data(let bytes)): return [.data(try format.externalFiles.stored(bytes))]
    case (.archive, .json(let json)): return [try archived(json, of: column, entity)]
    default: return column.storedValues(value)
    }
  }

  private func destinationNumber(
    _ value: Value, of column: ColumnLayout, _ entity: Entity
  ) throws -> Value {
    guard case .int(let key) = value else { return .null }
    let links = format.links.columns(of: store.layout(of: entity).table)
    guard let link = links.first(where: { $0.name == column.name }) else { return .null }
    let table = quotedName(store.layout(of: link.destination).table)
    return try store.connection.first("SELECT Z_ENT FROM \(table) WHERE Z_PK = ?", [.int(key)]) ?? .null
  }

  /// Returns the next key of an entity's table. It skips existing keys, in case the bookkeeping is out of date.
  func nextKey(_ entity: Entity) throws -> Int64 {
    let table = quotedName(store.layout(of: entity).table)
    let key = try store.connection.first(
      """
      UPDATE Z_PRIMARYKEY
      SET Z_MAX = max(CAST(coalesce(Z_MAX, 0) AS INTEGER), coalesce((SELECT max(Z_PK) FROM \(table)), 0)) + 1
      WHERE Z_ENT = ? RETURNING Z_MAX
      """, [.int(format.rootNumber(of: entity))])
    switch key {
    case .int(let key)?: return key
    case nil: throw StoreError(.coreDataNotWritable(.uncountedKeys(entity: entity.root.name)), path: store.path)
    // SQLite turns a key that is too large into a floating point number.
    default: throw StoreError(.coreDataNotWritable(.noMoreKeys(of: entity.root.name)), path: store.path)
    }
  }

  private func exists(_ table: String, _ key: Int64) throws -> Bool {
    try store.connection.first("SELECT 1 FROM \(quotedName(table)) WHERE Z_PK = ?", [.int(key)]) != nil
  }

  /// Encodes a value of a transformable attribute as the archive that its app reads.
  ///
  /// - Throws: StoreError, `.coreDataNotWritable` if only the app can apply its transformer.
  private func archived(_ json: JSON, of column: ColumnLayout, _ entity: Entity) throws -> Value {
    guard column.encoding == .archive else {
      let layout = store.layout(of: entity)
      let place = layout.columns.firstIndex(of: column).map(PropertyLayout.column)
      let name = place.flatMap { layout.properties.firstIndex(of: $0) }.map { entity.properties[$0].name }
      throw StoreError(
        .coreDataNotWritable(.transformer(entity: entity.name, attribute: name ?? column.name)), path: store.path)
    }
    return .data(ArchivedValue.encode(json))
  }
}
