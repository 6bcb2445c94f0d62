import Layouts
import Modeling
import Stores

/// The writes of a transaction so far, in their order.
///
/// Rolling a part of a transaction back removes its entries. At the commit the log is summed up: the rows that were added,
/// removed or changed.
struct CommitLog {
  /// Rows of which the same columns were set.
  struct UpdatedRows {
    /// The columns' names in lower case.
    let columns: [String]
    var keys: [Int64] = []
    /// The old and new values of the columns, row by row.
    var olds: [Value] = []
    var news: [Value] = []

    init(_ columns: [String]) { self.columns = columns }

    mutating func reserve(_ count: Int) {
      keys.reserveCapacity(count)
      olds.reserveCapacity(count * columns.count)
      news.reserveCapacity(count * columns.count)
    }

    /// Whether a column of a row has changed.
    func isChanged(_ row: Int, _ column: Int) -> Bool {
      let place = row * columns.count + column
      return olds[place] != news[place]
    }
  }

  enum Entry {
    case inserted(Entity, [Int64])
    case updated(Entity, UpdatedRows)
    /// The former values of the columns that refer to other rows.
    case deleted(Entity, Int64, references: [String: Value])
    /// A pair that was added or removed, by column.
    case pair(table: String, isNew: Bool, [String: Value])
    /// All pairs of an owner are in another order.
    case reordered(table: String, [String: Value])
    /// The members of an owner, whose rows say so, are in another order.
    case ordered(Entity, Int64, relationship: Int)
    /// Unknown rows of a table were written.
    case unknown(table: String)
  }

  private(set) var entries: [Entry] = []

  var count: Int { entries.count }

  /// The number of rows in the entries; a row that was written twice counts twice.
  var rowCount: Int {
    entries.reduce(0) { count, entry in
      switch entry {
      case .inserted(_, let keys): count + keys.count
      case .updated(_, let rows): count + rows.keys.count
      case .deleted, .pair, .reordered, .ordered, .unknown: count + 1
      }
    }
  }

  mutating func add(_ entry: Entry) { entries.append(entry) }
  mutating func cut(to count: Int) { entries.removeLast(entries.count - count) }

  /// The fate of one row.
  private struct Fate {
    let entity: Entity
    var wasThere: Bool
    var isThere: Bool
    var columns: [String: (old: Value, new: Value)] = [:]
    var references: [String: Value] = [:]

    var changed: [String: (old: Value, new: Value)] { columns.filter { $0.value.old != $0.value.new } }
  }

  /// The fates of the rows: of `root` only if it is given, and without some roots.
  private func fates(of root: Entity? = nil, except others: Set<ObjectIdentifier> = []) -> [ObjectID: Fate] {
    var fates: [ObjectID: Fate] = [:]
    func concerns(_ entity: Entity) -> Bool {
      (root.map { entity.root === $0 } ?? true) && !others.contains(ObjectIdentifier(entity.root))
    }
    for entry in entries {
      switch entry {
      case .inserted(let entity, let keys) where concerns(entity):
        for key in keys {
          let id = ObjectID(entity: entity.root, key: key)
          fates[id, default: Fate(entity: entity, wasThere: false, isThere: true)].isThere = true
        }
      case .updated(let entity, let rows) where concerns(entity):
        for (row, key) in rows.keys.enumerated() {
          let id = ObjectID(entity: entity.root, key: key)
          var fate = fates.removeValue(forKey: id) ?? Fate(entity: entity, wasThere: true, isThere: true)
          for (column, name) in rows.columns.enumerated() {
            let place = row * rows.columns.count + column
            fate.columns[name] = (fate.columns[name]?.old ?? rows.olds[place], rows.news[place])
          }
          fates[id] = fate
        }
      case .deleted(let entity, let key, let references) where concerns(entity):
        let id = ObjectID(entity: entity.root, key: key)
        if fates[id] == nil { fates[id] = Fate(entity: entity, wasThere: true, isThere: false) }
        fates[id]?.isThere = false
        for (name, value) in references {
          let old = fates[id]?.columns[name]?.old ?? value
          fates[id]?.references[name] = old
        }
      case .inserted, .updated, .deleted, .pair, .reordered, .ordered, .unknown: break
      }
    }
    return fates
  }

  /// The root entities of which no row was written more than once, which is so where all entries are inserts, or one update.
  private var simpleRoots: Set<ObjectIdentifier> {
    var counts: [ObjectIdentifier: (inserts: Int, updates: Int, others: Int)] = [:]
    for entry in entries {
      switch entry {
      case .inserted(let entity, _): counts[ObjectIdentifier(entity.root), default: (0, 0, 0)].inserts += 1
      case .updated(let entity, _): counts[ObjectIdentifier(entity.root), default: (0, 0, 0)].updates += 1
      case .deleted(let entity, _, _): counts[ObjectIdentifier(entity.root), default: (0, 0, 0)].others += 1
      case .pair, .reordered, .ordered, .unknown: break
      }
    }
    return Set(
      counts.filter { $1.others == 0 && ($1.updates == 0 || $1.inserts == 0 && areDistinct(updatesOf: $0)) }.keys)
  }

  private func areDistinct(updatesOf root: ObjectIdentifier) -> Bool {
    var keys: [Int64] = []
    for case .updated(let entity, let rows) in entries where ObjectIdentifier(entity.root) == root {
      keys += rows.keys
    }
    keys.sort()
    return !zip(keys, keys.dropFirst()).contains { $0 == $1 }
  }

  /// The touched rows, as live results receive them.
  func touched(_ layout: (Entity) -> EntityLayout) -> TouchedRows {
    var touched = TouchedRows()
    let simple = simpleRoots
    for entry in entries {
      switch entry {
      case .inserted(let entity, let keys) where simple.contains(ObjectIdentifier(entity.root)):
        change(&touched, entity, layout) { $0.inserted += keys }
      case .updated(let entity, let rows) where simple.contains(ObjectIdentifier(entity.root)):
        let references = references(of: layout(entity))
        change(&touched, entity, layout) { add(rows, references, to: &$0) }
      default: break
      }
    }
    for (id, fate) in fates(except: simple) {
      let references = references(of: layout(fate.entity))
      let changed = fate.changed
      if fate.wasThere == fate.isThere && (!fate.isThere || changed.isEmpty) { continue }
      change(&touched, fate.entity, layout) { table in
        switch (fate.wasThere, fate.isThere) {
        case (false, _): table.inserted.append(id.key)
        case (true, false):
          table.deleted.append(id.key)
          for (column, value) in fate.references where !value.isNull {
            table.formerReferences?[column, default: []].append(value)
          }
        case (true, true):
          table.updated.append(id.key)
          table.updatedColumns = (table.updatedColumns ?? []).union(changed.keys)
          for (column, change) in changed where references.contains(column) && !change.old.isNull {
            table.formerReferences?[column, default: []].append(change.old)
          }
        }
      }
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

  /// Changes the touched rows of an entity's table in place, because there may be many.
  private func change(
    _ touched: inout TouchedRows, _ entity: Entity, _ layout: (Entity) -> EntityLayout,
    _ body: (inout TouchedRows.Table) -> Void
  ) {
    let name = layout(entity).table
    body(&touched.tables[name.lowercased(), default: TouchedRows.Table(name: name, entity: entity.root)])
  }

  /// Adds rows that were updated once each.
  private func add(_ rows: UpdatedRows, _ references: Set<String>, to table: inout TouchedRows.Table) {
    let isReference = rows.columns.map(references.contains)
    var changed = [Bool](repeating: false, count: rows.columns.count)
    for (row, key) in rows.keys.enumerated() {
      var isTouched = false
      for column in rows.columns.indices where rows.isChanged(row, column) {
        (isTouched, changed[column]) = (true, true)
        let old = rows.olds[row * rows.columns.count + column]
        if isReference[column], !old.isNull { table.formerReferences?[rows.columns[column], default: []].append(old) }
      }
      if isTouched { table.updated.append(key) }
    }
    let names = zip(rows.columns, changed).filter(\.1).map(\.0)
    if !names.isEmpty { table.updatedColumns = (table.updatedColumns ?? []).union(names) }
  }

  /// The columns of to-ones of an entity, in lower case.
  private func references(of layout: EntityLayout) -> Set<String> {
    Set(
      layout.properties.flatMap { property -> [String] in
        if case .reference(let columns, _) = property { return columns.map { layout.columns[$0].name.lowercased() } }
        return []
      })
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
      case .inserted, .updated, .deleted, .ordered: continue
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

  /// The old and new column values of updated rows of a root entity.
  func replacedValues(of root: Entity) -> [Int64: [String: (old: Value, new: Value)]] {
    var all: [Int64: [String: (old: Value, new: Value)]] = [:]
    for (id, fate) in fates(of: root.root) where fate.wasThere && fate.isThere {
      let changed = fate.changed
      if !changed.isEmpty { all[id.key] = changed }
    }
    return all
  }
}
