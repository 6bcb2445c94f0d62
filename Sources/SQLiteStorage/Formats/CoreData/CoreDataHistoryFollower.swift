import Modeling

/// Finds the rows that an app has touched since the last call, in the history that the app keeps in its store.
///
/// An app may also write without recording it. If others have committed and the history has nothing new, the rows
/// themselves are compared.
struct CoreDataHistoryFollower {
  private unowned let store: SQLiteStore
  private let coreData: CoreDataStore
  /// The last transaction read.
  private var last: Int64 = 0

  /// Begins after the recorded changes.
  init(_ store: SQLiteStore, _ coreData: CoreDataStore) throws {
    self.store = store
    self.coreData = coreData
    // If there is no history yet, all later transactions are new.
    guard try CoreDataHistoryTables(store.connection) != nil else { return }
    last = try CoreDataHistoryReader(store, coreData).currentToken().number
  }

  /// Adds the rows that others have touched; returns false if the history has nothing new.
  mutating func read(into rows: inout TouchedRows) throws(StoreError) -> Bool {
    guard let tables = try CoreDataHistoryTables(store.connection) else { return false }
    let sql = "SELECT t.Z_PK, \(tables.sources) FROM ATRANSACTION AS t WHERE t.Z_PK > ? ORDER BY t.Z_PK"
    var authors: Set<Value> = []
    var foreign: [Int64] = []
    for row in try store.connection.all(sql, [.int(last)]) {
      guard case .int(let number) = row[0] else { continue }
      last = number
      if coreData.ownTransactions.numbers.remove(number) != nil { continue }
      foreign.append(number)
      authors.insert(row[1])
    }
    if foreign.isEmpty { return false }
    if authors.count == 1, case .string(let name)? = authors.first { rows.author = name }
    var collector = CoreDataTouches(store, coreData)
    for number in foreign { try collector.add(transaction: number) }
    if collector.count > HistoryFollower.limit { rows.isComplete = false } else { collector.finish(&rows) }
    return true
  }
}

/// Combines the changes of transactions into touched rows.
private struct CoreDataTouches {
  private let store: SQLiteStore
  private let coreData: CoreDataStore
  private var kinds: [Entity: [Int64: HistoryChange.Kind]] = [:]
  private var losing: Set<Entity> = []
  private var pairs: [String: TouchedRows.Table] = [:]
  private(set) var count = 0

  init(_ store: SQLiteStore, _ coreData: CoreDataStore) {
    self.store = store
    self.coreData = coreData
  }

  mutating func add(transaction number: Int64) throws(StoreError) {
    let changes: [HistoryChange]
    do {
      changes = try CoreDataHistoryReader(store, coreData).changes(in: number...number, of: nil)
    } catch let error as StoreError { throw error } catch { throw StoreError(.corrupt("\(error)"), path: store.path) }
    for change in changes {
      count += 1
      guard let entity = change.entity else { continue }
      let before = kinds[entity.root]?[change.key]
      kinds[entity.root, default: [:]][change.key] = fold(before, change.kind)
      if change.kind == .delete { losing.insert(entity.root) }
      for name in change.updatedProperties {
        guard let index = entity.index(of: name) else { continue }
        switch store.layout(of: entity).properties[index] {
        case .reference, .inverse: losing.insert(entity.root)
        case .join(let join): add(owner: change.key, join)
        case .column, .none: break
        }
      }
    }
  }

  private func fold(_ before: HistoryChange.Kind?, _ kind: HistoryChange.Kind) -> HistoryChange.Kind {
    switch kind {
    case .insert: before == nil || before == .insert ? .insert : .update
    case .delete: .delete
    case .update: before ?? .update
    }
  }

  private mutating func add(owner key: Int64, _ join: JoinLayout) {
    var table = pairs[asciiLowercased(join.table)] ?? TouchedRows.Table(name: join.table, entity: nil)
    for column in join.isSymmetric ? join.ownerColumns + join.memberColumns : join.ownerColumns {
      table.presentReferences[asciiLowercased(column), default: []].append(.int(key))
      table.formerReferences?[asciiLowercased(column), default: []].append(.int(key))
    }
    pairs[asciiLowercased(join.table)] = table
  }

  func finish(_ rows: inout TouchedRows) {
    for (root, keys) in kinds {
      let name = store.layout(of: root).table
      var table = TouchedRows.Table(name: name, entity: root)
      for (key, kind) in keys.sorted(by: { $0.key < $1.key }) {
        switch kind {
        case .insert: table.inserted.append(key)
        case .update: table.updated.append(key)
        case .delete: table.deleted.append(key)
        }
      }
      if losing.contains(root) { table.formerReferences = nil }
      rows.tables[asciiLowercased(name)] = table
    }
    // The history reports a to-many relationship without an inverse only at its owner, but the members' rows store it.
    for (name, table) in pairs {
      if var known = rows.tables[name] {
        known.isUnknown = true
        rows.tables[name] = known
      } else if coreData.links.rootOfTable[name] != nil {
        var members = TouchedRows.Table(name: table.name, entity: coreData.links.rootOfTable[name])
        members.isUnknown = true
        rows.tables[name] = members
      } else {
        rows.tables[name] = table
      }
    }
    addComputed(&rows)
  }

  /// Triggers update derived attributes, and the history may not record them.
  private func addComputed(_ rows: inout TouchedRows) {
    for (root, name) in coreData.links.roots {
      let isComputed = root.family.contains { $0.attributes.contains(where: \.isDerived) }
      guard isComputed else { continue }
      rows.tables[asciiLowercased(name), default: TouchedRows.Table(name: name, entity: root)].isUnknown = true
    }
  }
}
