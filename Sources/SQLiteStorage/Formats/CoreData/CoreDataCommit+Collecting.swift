import Modeling
import SQLite

/// Collects the objects that a transaction changed, including those of which only a relationship changed.
extension CoreDataCommit {
  /// Reads the changes of a table of objects.
  mutating func collect(_ table: TableChanges, _ root: Entity) throws {
    let names = table.columns.map(asciiLowercased)
    let links = coreData.links.columns(of: table.name)
    let byName = Dictionary(links.map { (asciiLowercased($0.name), $0) }, uniquingKeysWith: { first, _ in first })
    let orders = Dictionary(
      links.compactMap { link in link.order.map { (asciiLowercased($0), link) } },
      uniquingKeysWith: { first, _ in first })
    let external = Set(
      coreData.externalColumns.filter { asciiLowercased($0.table) == asciiLowercased(table.name) }.map {
        asciiLowercased($0.column)
      })
    var objects = touched.removeValue(forKey: root) ?? [:]
    var owners: [(entity: Entity, key: Value, property: String)] = []
    var released: Set<String> = []
    func release(_ value: Value) {
      if case .data(let bytes) = value, let name = ExternalData.fileName(bytes) { released.insert(name) }
    }
    func note(_ link: CoreDataLinks.Column, _ key: Value) {
      if let inverse = link.inverse, !key.isNull { owners.append((link.destination, key, inverse)) }
    }
    try forEach(table) { record in
      switch record.kind {
      case .inserted: objects[record.rowID, default: Touched(kind: .insert)].kind = .insert
      case .updated:
        var object = objects[record.rowID] ?? Touched(kind: .update)
        for change in record.changes {
          let name = names[change.column]
          if name == "z_opt" {
            object.isVersioned = true
            continue
          }
          object.columns.insert(name)
          if external.contains(name) { for value in try table.values(change.old) { release(value) } }
          if let link = byName[name] {
            for value in try table.values(change.old) + table.values(change.new) { note(link, value) }
          } else if let link = orders[name] {
            note(link, try value(of: link, record.rowID))
          }
        }
        objects[record.rowID] = object
      case .deleted:
        var object = Touched(kind: .delete)
        object.row = Dictionary(zip(names, try table.values(record.row)), uniquingKeysWith: { first, _ in first })
        for name in external { release(object.row[name] ?? .null) }
        for (name, link) in byName { note(link, object.row[name] ?? .null) }
        objects[record.rowID] = object
      }
    }
    touched[root] = objects
    self.released.formUnion(released)
    for owner in owners { mark(owner.entity, owner.key, owner.property) }
  }

  /// Reads the changes of a join table: the relationships of both objects of each pair changed.
  mutating func collect(_ table: TableChanges, _ pairs: CoreDataLinks.Pairs) throws {
    let names = table.columns.map(asciiLowercased)
    var marks: [(end: CoreDataLinks.Pairs.End, key: Value)] = []
    try forEach(table) { record in
      for end in pairs.ends {
        guard let column = names.firstIndex(of: asciiLowercased(end.column)) else { continue }
        switch record.kind {
        case .deleted:
          let row = try table.values(record.row)
          if row.indices.contains(column) { marks.append((end, row[column])) }
        case .inserted: marks.append((end, try value(of: end.column, in: table.name, record.rowID)))
        case .updated:
          let order = end.order.map(asciiLowercased)
          let changed = record.changes.map { names[$0.column] }
          if let change = record.changes.first(where: { $0.column == column }) {
            for value in try table.values(change.old) { marks.append((end, value)) }
          } else if !changed.contains(where: { $0 == order || isEnd($0, pairs) }) {
            // The place in the other side's order does not concern this side.
            continue
          }
          marks.append((end, try value(of: end.column, in: table.name, record.rowID)))
        }
      }
    }
    for mark in marks { self.mark(mark.end.entity, mark.key, mark.end.property) }
  }

  private func isEnd(_ column: String, _ pairs: CoreDataLinks.Pairs) -> Bool {
    pairs.ends.contains { asciiLowercased($0.column) == column }
  }

  /// New rows change the relationships of the objects to which they refer.
  mutating func collectOwnersOfInserted() throws {
    for (root, table) in coreData.links.roots {
      let links = coreData.links.columns(of: table).filter { $0.inverse != nil }
      guard !links.isEmpty, let objects = touched[root] else { continue }
      let runs = runs(objects.lazy.filter { $0.value.kind == .insert }.map(\.key))
      for link in links {
        let column = quotedName(link.name)
        let sql =
          "SELECT DISTINCT \(column) FROM \(quotedName(table)) WHERE Z_PK BETWEEN ? AND ? AND \(column) IS NOT NULL"
        for run in runs {
          for row in try connection.all(sql, [.int(run.lowerBound), .int(run.upperBound)]) {
            mark(link.destination, row[0], link.inverse ?? "")
          }
        }
      }
    }
  }

  /// Records that a relationship of an object changed in another row; does nothing for new and deleted objects.
  private mutating func mark(_ entity: Entity, _ key: Value, _ property: String) {
    guard case .int(let key) = key else { return }
    var object = touched[entity.root]?[key] ?? Touched(kind: .update)
    guard object.kind == .update else { return }
    object.relationships.insert(property)
    touched[entity.root, default: [:]][key] = object
  }

  private func value(of link: CoreDataLinks.Column, _ key: Int64) throws -> Value {
    try value(of: link.name, in: link.table, key)
  }

  private func value(of column: String, in table: String, _ row: Int64) throws -> Value {
    try connection.first("SELECT \(quotedName(column)) FROM \(quotedName(table)) WHERE rowid = ?", [.int(row)]) ?? .null
  }
}
