import Modeling

/// The tables of a store's model, and the followed ones with hashes of their rows.
///
/// For stores without a history, in which others' changes are found by scanning the followed tables.
final class FollowedTables {
  private unowned let store: SQLiteStore
  /// The tables by lower-case name.
  private var tables: [String: FollowedTable] = [:]
  private var subscription: CommitSubscription?

  init(_ store: SQLiteStore) {
    self.store = store
    for entity in store.model.entities {
      let layout = store.layout(of: entity)
      add(FollowedTable(store, layout.table, entity: entity.root, pairColumns: []))
      for case .join(let join) in layout.properties {
        add(FollowedTable(store, join.table, entity: nil, pairColumns: join.ownerColumns + join.memberColumns))
      }
    }
  }

  private func add(_ table: FollowedTable) {
    let key = asciiLowercased(table.name)
    if tables[key] == nil { tables[key] = table }
  }

  func stop() {
    subscription?.cancel()
    subscription = nil
  }

  /// Begins to follow a table. Hashes its rows now if there are no more than `limit` and all remote commits are reported: a
  /// follower may have read rows that an unreported commit deleted, which a look at the remaining rows would not find.
  func follow(_ name: String, limit: Int?) {
    guard let table = tables[asciiLowercased(name)] else { return }
    table.followerCount += 1
    guard table.followerCount == 1 else { return }
    if subscription == nil { subscription = store.onCommit { [weak self] in self?.note($0) } }
    guard let limit, !store.connection.isWriting else { return }
    try? store.connection.reading {
      guard let version = try store.connection.dataVersion(), version == store.watch?.toldVersion else { return }
      try table.remember(limit: limit)
    }
  }

  /// Ends following a table.
  func unfollow(_ name: String) {
    guard let table = tables[asciiLowercased(name)], table.followerCount > 0 else { return }
    table.followerCount -= 1
    if table.followerCount == 0 { table.forget() }
  }

  /// Discards all hashes, because the history reports the changes.
  func forget() {
    for table in tables.values { table.forget() }
  }

  /// Adds others' changes of the followed tables, and marks all other tables as unknown.
  func compare(into rows: inout TouchedRows) throws(StoreError) {
    if !rows.isComplete { forget() }
    for (key, table) in tables {
      let found = table.followerCount > 0 ? try compare(table) : unknown(table)
      let isTouched =
        found.isUnknown || !(found.inserted.isEmpty && found.updated.isEmpty && found.deleted.isEmpty)
        || found.formerReferences?.isEmpty != true || !found.presentReferences.isEmpty
      if isTouched { rows.tables[key] = found }
    }
  }

  private func compare(_ table: FollowedTable) throws(StoreError) -> TouchedRows.Table {
    do throws(StoreError) {
      return try table.compare()
    } catch {
      // A view, or a table that differs from the model.
      guard case .sql = error.fact else { throw error }
      return unknown(table)
    }
  }

  private func unknown(_ table: FollowedTable) -> TouchedRows.Table {
    var unknown = TouchedRows.Table(name: table.name, entity: table.entity)
    unknown.isUnknown = true
    unknown.formerReferences = nil
    return unknown
  }

  /// Follows this connection's own commit.
  private func note(_ changes: ChangeSet) {
    guard changes.isComplete else { return forget() }
    let amongOthers = store.watch.map { $0.toldVersion != store.dataVersion } ?? true
    for table in changes.tables {
      if let followed = tables[asciiLowercased(table.name)], followed.followerCount > 0 {
        followed.note(table, amongOthers: amongOthers)
      }
    }
  }
}
