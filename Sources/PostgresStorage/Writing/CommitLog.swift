import Layouts
import Modeling
import Storage

/// What a transaction has written so far, in the order in which it did.
///
/// A part of a transaction that is undone takes its entries away with it. At the commit the log is summed up: what rows came,
/// went, or have other values than before.
struct CommitLog {
  enum Entry {
    case inserted(Entity, Int64)
    /// Columns by name in lower case, with what they held and hold.
    case updated(Entity, Int64, [String: (old: Value, new: Value)])
    /// What the columns that refer to others held.
    case deleted(Entity, Int64, references: [String: Value])
    /// A pair that came, or went, by column.
    case pair(table: String, isNew: Bool, [String: Value])
    /// All pairs of an owner are in another order.
    case reordered(table: String, [String: Value])
    /// Rows of a table were written that are not known.
    case unknown(table: String)
  }

  private(set) var entries: [Entry] = []

  var count: Int { entries.count }
  mutating func add(_ entry: Entry) { entries.append(entry) }
  mutating func cut(to count: Int) { entries.removeLast(entries.count - count) }

  /// What became of one row.
  private struct Fate {
    let entity: Entity
    var wasThere: Bool
    var isThere: Bool
    var columns: [String: (old: Value, new: Value)] = [:]
    var references: [String: Value] = [:]

    var changed: [String: (old: Value, new: Value)] { columns.filter { $0.value.old != $0.value.new } }
  }

  private func fates() -> [ObjectID: Fate] {
    var fates: [ObjectID: Fate] = [:]
    for entry in entries {
      switch entry {
      case .inserted(let entity, let key):
        let id = ObjectID(entity: entity.root, key: key)
        if fates[id] == nil { fates[id] = Fate(entity: entity, wasThere: false, isThere: true) }
        fates[id]?.isThere = true
      case .updated(let entity, let key, let columns):
        let id = ObjectID(entity: entity.root, key: key)
        if fates[id] == nil { fates[id] = Fate(entity: entity, wasThere: true, isThere: true) }
        for (name, change) in columns {
          let old = fates[id]?.columns[name]?.old ?? change.old
          fates[id]?.columns[name] = (old, change.new)
        }
      case .deleted(let entity, let key, let references):
        let id = ObjectID(entity: entity.root, key: key)
        if fates[id] == nil { fates[id] = Fate(entity: entity, wasThere: true, isThere: false) }
        fates[id]?.isThere = false
        for (name, value) in references {
          let old = fates[id]?.columns[name]?.old ?? value
          fates[id]?.references[name] = old
        }
      case .pair, .reordered, .unknown: break
      }
    }
    return fates
  }

  /// The rows that were touched, as live results are told of them.
  func touched(_ store: PostgresStore) -> TouchedRows {
    var touched = TouchedRows()
    for (id, fate) in fates() {
      let layout = store.layout(of: fate.entity)
      let name = layout.table.lowercased()
      var table = touched.tables[name] ?? TouchedRows.Table(name: layout.table, entity: fate.entity.root)
      let references = Set(
        layout.properties.flatMap { property -> [String] in
          if case .reference(let columns, _) = property { return columns.map { layout.columns[$0].name.lowercased() } }
          return []
        })
      switch (fate.wasThere, fate.isThere) {
      case (false, true): table.inserted.append(id.key)
      case (true, false):
        table.deleted.append(id.key)
        for (column, value) in fate.references where !value.isNull {
          table.formerReferences?[column, default: []].append(value)
        }
      case (true, true):
        let changed = fate.changed
        if changed.isEmpty { continue }
        table.updated.append(id.key)
        table.updatedColumns = (table.updatedColumns ?? []).union(changed.keys)
        for (column, change) in changed where references.contains(column) && !change.old.isNull {
          table.formerReferences?[column, default: []].append(change.old)
        }
      case (false, false): continue
      }
      touched.tables[name] = table
    }
    for (name, table) in touched.tables where table.updatedColumns == nil {
      touched.tables[name]?.updatedColumns = []
    }
    for name in touched.tables.keys {
      touched.tables[name]?.inserted.sort()
      touched.tables[name]?.updated.sort()
      touched.tables[name]?.deleted.sort()
    }
    addPairs(to: &touched)
    return touched
  }

  private func addPairs(to touched: inout TouchedRows) {
    for entry in entries {
      let (name, isNew, values): (String, Bool, [String: Value])
      switch entry {
      case .pair(let table, let isThere, let ends): (name, isNew, values) = (table, isThere, ends)
      case .reordered(let table, let ends): (name, isNew, values) = (table, true, ends)
      case .unknown(let table):
        var unknown = touched.tables[table.lowercased()] ?? TouchedRows.Table(name: table, entity: nil)
        unknown.isUnknown = true
        touched.tables[table.lowercased()] = unknown
        continue
      case .inserted, .updated, .deleted: continue
      }
      var table = touched.tables[name.lowercased()] ?? TouchedRows.Table(name: name, entity: nil)
      for (column, value) in values {
        if isNew {
          table.presentReferences[column.lowercased(), default: []].append(value)
        } else {
          table.formerReferences?[column.lowercased(), default: []].append(value)
        }
      }
      touched.tables[name.lowercased()] = table
    }
  }

  /// What columns of updated rows of a root entity held and hold.
  func replacedValues(of root: Entity) -> [Int64: [String: (old: Value, new: Value)]] {
    var all: [Int64: [String: (old: Value, new: Value)]] = [:]
    for (id, fate) in fates() where id.entity === root.root && fate.wasThere && fate.isThere {
      let changed = fate.changed
      if !changed.isEmpty { all[id.key] = changed }
    }
    return all
  }
}
