import Modeling
import SQLite
public import Stores

extension StoreDiagnosis {
  /// Examines the file at `path`; stops when `isInterrupted` returns true.
  public init(path: String, isInterrupted: @escaping () -> Bool = { false }) {
    self.init(of: path)
    let file = StoreFile(path: path)
    do throws(StoreError) {
      guard try file.exists() else { throw StoreError(.notFound, path: path) }
    } catch {
      failure = error
      return
    }
    examineFile()
    var options = StoreOptions(path: path)
    options.readOnly = true
    do {
      let store = try SQLiteStore(options)
      defer { store.close() }
      store.isInterrupted = isInterrupted
      Interruption.asking(isInterrupted) { examine(store) }
    } catch {
      failure = error as? StoreError ?? StoreError(.corrupt("\(error)"), path: path)
      examineWithoutModel()
    }
  }

  /// Examines an open store, including the uncommitted changes of its connection.
  package init(_ store: SQLiteStore) {
    self.init(of: store.path)
    if !StoreFile(path: path).isInMemory { examineFile() }
    examine(store)
  }

  private mutating func examineFile() {
    let look = FileLook(path)
    size = look.header.size
    if look.header.isDatabase {
      (pageSize, pageCount, keepsLog) = (look.header.pageSize, look.header.pageCount, look.header.keepsLog)
    }
    log = look.log.map { Log(size: $0.size, frames: $0.frames, committed: $0.committed, pending: $0.pending) }
    journalPages = RollbackJournal(beside: path)?.pages
    holders = lockHolders(of: path)
    let file = StoreFile(path: path)
    fileObstacle = file.canBeWritten ? nil : file.writeObstacle
    hasLogFile = file.hasLogFile
  }

  private mutating func examine(_ store: SQLiteStore) {
    (kind, notes, modelVersion) = (store.kind, store.notes, store.model.version?.text)
    isWrittenOnRequest = store.format.refusesWriting(StoreOptions(path: path)) != nil
    let connection = store.connection
    var entities: [String: [String]] = [:]
    for entity in store.model.entities { entities[store.layout(of: entity).table, default: []].append(entity.name) }
    attempt(.bookkeeping) { (diagnosis) throws in try diagnosis.readBookkeeping(store) }
    attempt(.sizes) { (diagnosis) throws in try diagnosis.measure(connection, entities) }
    attempt(.values) { (diagnosis) throws in try diagnosis.findLargeValues(store) }
    attempt(.indexes) { (diagnosis) throws in diagnosis.unindexed = try Self.unindexed(store) }
    attempt(.triggers) { (diagnosis) throws in diagnosis.foreignTriggers = try Self.foreignTriggers(store) }
    attempt(.rules) { (diagnosis) throws in diagnosis.problems = try store.verify() }
  }

  /// Examines a file with SQLite alone, such as a store whose model cannot be read.
  private mutating func examineWithoutModel() {
    guard case .some(let connection) = try? Connection(path, Connection.Options(readOnly: true)) else { return }
    defer { connection.close() }
    connection.addFunctions = SQLFunctions().install
    attempt(.sizes) { (diagnosis) throws in try diagnosis.measure(connection, [:]) }
    attempt(.rules) { (diagnosis) throws in diagnosis.problems = try connection.integrityProblems(100) }
  }

  private mutating func readBookkeeping(_ store: SQLiteStore) throws {
    var description = FormatDescription()
    // If a later part fails, the findings so far are kept.
    defer {
      (uuid, formatVersion) = (description.uuid, description.formatVersion)
      (frameworkVersion, hasHistoryTables) = (description.frameworkVersion, description.hasHistoryTables)
      (obstacle, entityObstacles) = (description.obstacle, description.entityObstacles)
      virtualTables = description.virtualTables
    }
    try store.format.describe(store, in: &description)
  }
}
