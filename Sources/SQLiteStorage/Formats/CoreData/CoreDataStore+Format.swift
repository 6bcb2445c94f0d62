import Modeling
import Queries
import SQLite

/// Stores of Core Data and SwiftData: rows have versions and external files, and each commit writes the app's
/// bookkeeping.
extension CoreDataStore: StoreFormat {
  var kind: StoreKind { .coreData }
  var writesRowByRow: Bool { true }
  var emptiesReferencesWithoutAction: Bool { true }
  var addsEntities: Bool { false }
  var dataFiles: ExternalData? { externalData }

  func refusesWriting(_ options: StoreOptions) -> StoreError.Fact? {
    options.writesCoreData ? nil : .coreDataReadOnly
  }

  func checkWritable(_ entity: Entity, in store: SQLiteStore) throws(StoreError) {
    if let obstacle = obstacles[entity] { throw StoreError(.coreDataNotWritable(obstacle), path: store.path) }
  }

  func insert(_ entity: Entity, _ values: [Value], key: Int64?, in store: SQLiteStore) throws -> Int64 {
    try writer(store).insert(entity, values, key: key)
  }

  func update(
    _ entity: Entity, key: Int64, _ changes: [(column: Int, value: Value)], in store: SQLiteStore
  ) throws -> Bool {
    try writer(store).update(entity, key: key, changes)
  }

  func delete(_ entity: Entity, key: Int64, in store: SQLiteStore) throws -> Bool {
    try writer(store).delete(entity, key: key)
  }

  func batchUpdate(
    _ request: FetchRequest, _ changes: [(property: Int, value: Value)], in store: SQLiteStore
  ) throws -> Int {
    try writer(store).batchUpdate(request, changes)
  }

  private func writer(_ store: SQLiteStore) -> CoreDataRowWriter { CoreDataRowWriter(format: self, store: store) }

  func prepare(_ capture: ChangeCapture) {
    capture.isUnlimited = true
    // The app's bookkeeping is no change of objects.
    capture.ignoredTables = [
      "z_primarykey", "z_metadata", "z_modelcache", asciiLowercased(CoreDataHistoryTables.change),
      asciiLowercased(CoreDataHistoryTables.transaction), asciiLowercased(CoreDataHistoryTables.string),
    ]
  }

  // The framework's version of a row. Triggers of other programs guarantee nothing.
  func computedColumns(of layout: EntityLayout) -> [String] { ["z_opt"] }

  func bookkeeping(of store: SQLiteStore) -> CommitRecorder.Bookkeeping? {
    Self.installTriggerFunctions(on: store.connection)
    return CommitRecorder.Bookkeeping(
      willCommit: { [weak store] changes in
        guard let store else { return false }
        var commit = CoreDataCommit(store, self, changes)
        return try commit.write()
      },
      loss: { externalFiles.isLettingGo ? .externalFiles : nil },
      didCommit: { externalFiles.committed() })
  }

  /// Adds the functions by which triggers of such stores report derived values; the commit itself finds these changes.
  static func installTriggerFunctions(on connection: Connection) {
    for name in CoreDataLayout.knownFunctions.sorted() {
      connection.register(function: name, arguments: 5, deterministic: false, forSchema: true) { _, _, _ in }
    }
  }

  func transactionEnded() { externalFiles.ended() }

  func isHistoryEnabled(in store: SQLiteStore) throws -> Bool { try CoreDataHistoryTables(store.connection) != nil }
  func history(of store: SQLiteStore) throws -> any StoreHistory { try CoreDataHistoryReader(store, self) }
  var missingHistory: StoreError.Fact { .historyOfApp }

  func foreignHistory(of store: SQLiteStore) throws -> ForeignHistory? {
    var follower = try CoreDataHistoryFollower(store, self)
    return { (rows) throws(StoreError) in try follower.read(into: &rows) }
  }

  func problems(in store: SQLiteStore, limit: Int) throws -> [StoreProblem] {
    var verifier = CoreDataVerifier(store, self, limit: limit)
    try verifier.run()
    return verifier.problems
  }

  func isUsualTrigger(_ name: String, _ sql: String, in store: SQLiteStore) throws -> Bool {
    sql.uppercased().contains("NSCOREDATA")
  }

  func describe(_ store: SQLiteStore, in description: inout FormatDescription) throws {
    (description.uuid, description.frameworkVersion) = (metadata.uuid, metadata.frameworkVersion)
    description.hasHistoryTables = try CoreDataSchema(store.connection).tableNames.contains("ATRANSACTION")
    description.obstacle = try layout.obstacle(store.connection)
    description.virtualTables = try CoreDataWrites(links, store.connection).virtualTables
    description.entityObstacles = store.model.entities.compactMap { obstacles[$0] }
  }
}

extension CoreDataHistoryReader: StoreHistory {
  func answer(_ request: HistoryRequest) throws -> [HistoryTransaction] { try transactions(request) }
  func answer(_ range: ClosedRange<Int64>, of entity: Entity?) throws -> [HistoryChange] {
    try changes(in: range, of: entity)
  }
  func newestToken() throws -> HistoryToken { try currentToken() }
}
