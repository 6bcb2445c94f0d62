import Modeling

/// A table whose rows are hashed, so that comparing the hashes finds the changes of other connections.
final class FollowedTable {
  let name: String
  /// The root entity of the table's rows; nil for a table of pairs.
  let entity: Entity?
  /// The number of followers.
  var followerCount = 0

  private enum Memory {
    case nothing
    case rows(TableVersions)
    case pairs(PairVersions)
  }

  private unowned let store: SQLiteStore
  /// In a join table, the columns that refer to either side.
  private let pairColumns: [String]
  private var memory = Memory.nothing
  private var shape: TableShape?
  /// Keys of rows that others deleted and under which this connection inserted new rows.
  private var givenAgain: [Int64] = []
  /// Whether this connection wrote rows that others may have changed since the last scan.
  private var isMixed = false

  /// The maximum number of hashed rows.
  static let limit = 2_000_000
  /// The maximum number of rows that are hashed before others have written.
  static let eagerLimit = 20_000

  init(_ store: SQLiteStore, _ name: String, entity: Entity?, pairColumns: [String]) {
    self.store = store
    self.name = name
    self.entity = entity
    self.pairColumns = pairColumns
  }

  /// Discards all hashes.
  func forget() {
    memory = .nothing
    shape = nil
    (givenAgain, isMixed) = ([], false)
  }

  /// Hashes the current rows, unless there are more than `limit`.
  func remember(limit: Int) throws(StoreError) { memory = try look(limit: limit) }

  /// Returns the remote changes since the last scan.
  func compare() throws(StoreError) -> TouchedRows.Table {
    var table = TouchedRows.Table(name: name, entity: entity)
    let now = try look(limit: Self.limit)
    defer { if case .nothing = memory { memory = now } }
    switch (memory, now) {
    case (.rows(var versions), .rows(let new)):
      memory = .nothing
      let difference = versions.replace(with: new)
      memory = .rows(versions)
      (table.inserted, table.updated, table.deleted) = (difference.inserted, difference.updated, difference.deleted)
      table.deleted += givenAgain
      if isMixed || !table.updated.isEmpty || !table.deleted.isEmpty { table.formerReferences = nil }
      (givenAgain, isMixed) = ([], false)
    case (.pairs(var versions), .pairs(let new)):
      let difference = versions.replace(with: new)
      memory = .pairs(versions)
      table.formerReferences = references(difference.gone)
      table.presentReferences = references(difference.new)
    default:
      memory = .nothing
      table.formerReferences = nil
      table.isUnknown = true
    }
    return table
  }

  /// Follows this connection's own commit; `amongOthers` says whether others have committed changes that were not
  /// scanned yet.
  ///
  /// In that case the rows' former state is unknown, and others' changes of the same rows must still be reported.
  func note(_ changes: TableChanges, amongOthers: Bool) {
    guard case .rows(var versions) = memory, let shape, let entity else {
      memory = .nothing
      return
    }
    memory = .nothing
    let interner = store.interner(of: entity)
    let isVague = shape.recorded.plainCount < shape.recorded.columns.count
    var records = ChangeRecords(changes.bytes, of: changes.table)
    do throws(StoreError) {
      while let record = try records.next() {
        let key = try interner?.number(of: keyValues(changes.values(record.key), shape)) ?? record.rowID
        let isKnown = amongOthers && versions.holds(key)
        if amongOthers, record.kind != .inserted { isMixed = true }
        if isKnown, record.kind == .inserted { givenAgain.append(key) }
        // A row that others inserted must still be reported as inserted.
        if amongOthers, !isKnown, record.kind == .updated { continue }
        let hash = isVague || isKnown || record.hash == 0 ? TableVersions.vague : record.hash
        versions.note(key, record.kind == .deleted ? nil : hash)
      }
      memory = .rows(versions)
    } catch {
      // Changes that cannot be read require a new scan.
    }
  }

  // MARK: Reading

  private func references(_ pairs: [PairVersions.Pair]) -> [String: [Value]] {
    guard !pairs.isEmpty else { return [:] }
    let columns = pairColumns.map(asciiLowercased)
    return [columns[0]: pairs.map { .int($0.first) }, columns[1]: pairs.map { .int($0.second) }]
  }

  private func look(limit: Int) throws(StoreError) -> Memory {
    if shape == nil { shape = try readShape() }
    guard let shape else { return .nothing }
    return entity == nil ? try pairs(shape, limit) : try rows(shape, limit)
  }

  private func readShape() throws(StoreError) -> TableShape? {
    if let capture = store.commits?.capture { return try capture.shape(of: name) }
    return try TableShape(name, store.connection) { _ in false }
  }

  private func rows(_ shape: TableShape, _ limit: Int) throws(StoreError) -> Memory {
    var (keys, hashes): ([Int64], [UInt64]) = ([], [])
    let interner = entity.flatMap { store.interner(of: $0) }
    let leading: [String]
    if case .columns(let names) = shape.recorded.key { leading = names } else { leading = [shape.rowIDName ?? "rowid"] }
    let isWhole = try TableScan(shape, store.connection, leading: leading).run(limit: limit) { statement, hash in
      if let interner {
        keys.append(interner.number(of: keyValues(leading.indices.map(statement.value), shape)))
      } else {
        keys.append(statement.integer(0))
      }
      hashes.append(hash)
      return true
    }
    return isWhole ? .rows(TableVersions(keys: keys, hashes: hashes)) : .nothing
  }

  private func pairs(_ shape: TableShape, _ limit: Int) throws(StoreError) -> Memory {
    guard pairColumns.count == 2 else { return .nothing }
    var pairs: [PairVersions.Pair] = []
    let isWhole = try TableScan(shape, store.connection, leading: pairColumns).run(limit: limit) { statement, hash in
      guard statement.storageClass(0) == .integer, statement.storageClass(1) == .integer else { return false }
      pairs.append(PairVersions.Pair(first: statement.integer(0), second: statement.integer(1), hash: hash))
      return true
    }
    return isWhole ? .pairs(PairVersions(pairs)) : .nothing
  }

  /// The values of a key in the store's column order.
  private func keyValues(_ values: [Value], _ shape: TableShape) -> [Value] {
    guard let entity, case .columns(let names) = shape.recorded.key,
      case .columns(let wanted) = store.layout(of: entity).key,
      names != wanted
    else { return values }
    let places = names.map(asciiLowercased)
    return wanted.map { name in places.firstIndex(of: asciiLowercased(name)).map { values[$0] } ?? .null }
  }
}
