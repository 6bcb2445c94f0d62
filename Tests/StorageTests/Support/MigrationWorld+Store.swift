import Modeling

@testable import RelationalStorage
@testable import SQLite
@testable import SQLiteStorage
@testable import Stores

extension MigrationWorld {
  /// Writes all objects into an empty store of the world's model.
  func write(to store: SQLiteStore) throws {
    var keys: [Int: (entity: Entity, key: Int64)] = [:]
    for object in objects {
      let entity = store.model.entity(named: object.kind)!
      let layout = store.layout(of: entity)
      var values = [Value](repeating: .null, count: layout.columns.count)
      for field in fields(object.kind) {
        guard let index = entity.index(of: field.name), case .column(let column) = layout.properties[index] else {
          continue
        }
        values[column] = object.values[field.id] ?? .null
      }
      keys[object.uid] = (entity, try insert(entity, values, store))
    }
    for association in associations {
      try write(association, keys, store)
    }
  }

  /// Values are in their stored form already, so they go in as they are.
  private func insert(_ entity: Entity, _ values: [Value], _ store: SQLiteStore) throws -> Int64 {
    let layout = store.layout(of: entity)
    var (names, marks, given) = ([String](), [String](), [Value]())
    for (column, value) in zip(layout.columns, values) where column.isWritable && !value.isNull {
      names.append(quoteIdentifier(column.name))
      marks.append("?")
      given.append(value)
    }
    if let (name, value) = layout.discriminator {
      names.append(quoteIdentifier(name))
      marks.append("?")
      given.append(value)
    }
    let list =
      names.isEmpty ? "DEFAULT VALUES" : "(\(names.joined(separator: ", "))) VALUES (\(marks.joined(separator: ", ")))"
    try store.connection.run("INSERT INTO \(quoteIdentifier(layout.table)) \(list)", given)
    return store.connection.lastInsertedRowID
  }

  func write(
    _ association: Association, _ keys: [Int: (entity: Entity, key: Int64)], _ store: any ObjectStore
  ) throws {
    func side(_ end: End, _ pairs: [(owner: Int, member: Int)]) throws {
      let entity = store.model.entity(named: end.kind)!
      let index = entity.index(of: end.name)!
      for (owner, member) in pairs {
        let (owner, member) = (keys[owner]!, keys[member]!)
        switch store.layout(of: entity).properties[index] {
        case .reference(let columns, _):
          _ = try store.update(entity, key: owner.key, [(columns[0], .int(member.key))])
        case .join: try store.link(index, in: entity, owner: owner.key, member: member.key, order: nil)
        default: break
        }
      }
    }
    func order(_ end: End, _ pairs: [(owner: Int, member: Int)]) throws {
      guard end.isToMany, end.isOrdered else { return }
      let entity = store.model.entity(named: end.kind)!
      for owner in Set(pairs.map(\.owner)).sorted() {
        let members = pairs.filter { $0.owner == owner }.map { keys[$0.member]!.key }
        try store.setOrder(entity.index(of: end.name)!, in: entity, owner: keys[owner]!.key, members: members)
      }
    }
    let forth = association.pairs.map { (owner: $0.first, member: $0.second) }
    let back = association.pairs.map { (owner: $0.second, member: $0.first) }
    try side(association.first, forth)
    if association.hasInverse { try side(association.second, back) }
    try order(association.first, forth)
    if association.hasInverse { try order(association.second, back) }
  }

  /// Everything that a store of the world's model holds, as lines that do not depend on keys.
  func dump(_ store: SQLiteStore) throws -> [String] {
    var uids: [String: [Int64: Int64]] = [:]
    for entity in store.model.entities {
      let layout = store.layout(of: entity)
      guard let index = entity.index(of: "uid"), case .column(let column) = layout.properties[index] else { continue }
      let name = layout.columns[column].name
      for row in try store.connection.all("SELECT _pk, \(quoteIdentifier(name)) FROM \(quoteIdentifier(layout.table))")
      {
        if case .int(let key) = row[0], case .int(let uid) = row[1] { uids[layout.table, default: [:]][key] = uid }
      }
    }
    var lines: [String] = []
    for entity in store.model.entities {
      let layout = store.layout(of: entity)
      let condition = layout.discriminator.map { "\($0.column) = \(quoteText(entity.name))" } ?? "1"
      let names = layout.columns.map { quoteIdentifier($0.name) }
      let list = (["_pk"] + names).joined(separator: ", ")
      for row in try store.connection.all("SELECT \(list) FROM \(quoteIdentifier(layout.table)) WHERE \(condition)") {
        guard case .int(let key) = row[0] else { continue }
        let uid = uids[layout.table]?[key] ?? -1
        for (index, property) in entity.properties.enumerated() {
          let value: String
          switch layout.properties[index] {
          case .column(let column): value = row[column + 1].debugText
          case .reference(let columns, _):
            let table = store.layout(of: entity.destination(at: index)).table
            if case .int(let other) = row[columns[0] + 1] {
              value = uids[table]?[other].map { "\($0)" } ?? "dangling"
            } else {
              value = "nil"
            }
          case .inverse, .join:
            let table = store.layout(of: entity.destination(at: index)).table
            let members = try store.members(of: index, in: entity, owners: [key]).map { uids[table]?[$0.member] ?? -1 }
            let end = associations.flatMap { [$0.first, $0.second] }.first { $0.name == property.name }!
            value = "\(end.isOrdered && end.keepsOrder ? members : members.sorted())"
          case .none: continue
          }
          lines.append("\(entity.name) \(uid).\(property.name) = \(value)")
        }
      }
    }
    let sql = "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE type <> 'table' AND sql IS NOT NULL"
    lines += try store.connection.all(sql).map { $0.map(\.displayText).joined(separator: " ") }
    // What a store keeps for itself is none of the migration's.
    let tables =
      "SELECT m.name, c.name, c.type, c.hidden FROM sqlite_schema m, pragma_table_xinfo(m.name) c"
      + " WHERE m.name NOT LIKE '!_perilune%' ESCAPE '!'"
    lines += try store.connection.all(tables).map { $0.map(\.displayText).joined(separator: " ") }
    return lines.sorted()
  }
}
