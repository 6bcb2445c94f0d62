import Foundation
internal import Modeling
public import SQLite

/// A report on a store file: its format, its health, its content, and obstacles to writing it.
///
///     let diagnosis = StoreDiagnosis(path: "Recipes.sqlite")
///     diagnosis.kind          // .coreData
///     diagnosis.isHealthy     // true
///
/// The examination only reads. Of a damaged file it reports everything readable; `failure` and `unread` list the rest.
public struct StoreDiagnosis {
  /// A part of the examination, which may fail if the file is damaged.
  public enum Part: String, Sendable, CaseIterable {
    case bookkeeping, sizes, values, indexes, triggers, rules
  }

  /// The path of the file, as given.
  public let path: String
  /// The size of the file in bytes, without its log and journal.
  public internal(set) var size: Int64 = 0
  /// The page size in bytes; 0 if the header has none.
  public internal(set) var pageSize = 0
  /// The number of pages according to the file's header.
  public internal(set) var pageCount = 0
  /// The number of free pages.
  public internal(set) var freePages: Int64 = 0
  /// The encoding of texts, as SQLite names it.
  public internal(set) var encoding: String?
  /// Whether the file keeps a write-ahead log.
  public internal(set) var keepsLog = false
  /// Whether there is a write-ahead log next to the file, even if it is empty.
  public internal(set) var hasLogFile = false
  /// The write-ahead log next to the file, unless it is empty.
  public internal(set) var log: LogFile?
  /// The number of pages of an interrupted or running transaction; nil if there is none.
  public internal(set) var journalPages: Int?
  /// Other processes that have opened the file.
  public internal(set) var holders: [String] = []
  /// The reason why the file cannot be opened.
  public internal(set) var failure: StoreError?
  /// The parts that could not be examined, with the reasons.
  public internal(set) var unread: [(part: Part, error: StoreError)] = []
  /// The kind of store; nil if the file cannot be opened as a store.
  public internal(set) var kind: StoreKind?
  /// The identifier of a Core Data store, or of a store of our own.
  public internal(set) var uuid: String?
  /// The version of the framework that wrote a Core Data store last.
  public internal(set) var frameworkVersion: Int?
  /// Whether a Core Data store has tables for a history; SwiftData's always have.
  public internal(set) var hasHistoryTables = false
  /// The version of the format of a store of our own.
  public internal(set) var formatVersion: Int?
  /// The model's own version.
  public internal(set) var modelVersion: String?
  /// Tables and indexes, largest first.
  public internal(set) var sizes: [StoredSize] = []
  /// Columns with large data in their rows.
  public internal(set) var largeValues: [LargeValues] = []
  /// Violations of the rules for this kind of store.
  public internal(set) var problems: [StoreProblem] = []
  /// The reason why a Core Data store cannot be written, even on request.
  public internal(set) var obstacle: CoreDataObstacle?
  /// The reasons why single entities of a Core Data store cannot be written.
  public internal(set) var entityObstacles: [CoreDataObstacle] = []
  /// The virtual tables that triggers of a Core Data store write, so that saves cannot be undone.
  public internal(set) var virtualTables: [String] = []
  /// Why the file or its folder cannot be written; nil if they can.
  public internal(set) var fileObstacle: String?
  /// Triggers that the store's own format does not create.
  public internal(set) var foreignTriggers: [String] = []
  /// To-one relationships without an index, whose inverse scans the table: `table.column`.
  public internal(set) var unindexed: [String] = []
  /// Notes on how the file is read.
  public internal(set) var notes: [String] = []

  /// Whether the file has no problems.
  public var isHealthy: Bool {
    failure == nil && unread.isEmpty && problems.isEmpty && journalPages == nil
      && log.map { $0.committed > 0 || $0.frames == 0 } ?? true
  }

  /// Examines the file at `path`; stops when `isInterrupted` returns true.
  public init(path: String, isInterrupted: @escaping () -> Bool = { false }) {
    self.path = path
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
  public init(_ store: SQLiteStore) {
    path = store.path
    if !StoreFile(path: path).isInMemory { examineFile() }
    examine(store)
  }

  private mutating func examineFile() {
    let look = FileLook(path)
    size = look.header.size
    if look.header.isDatabase {
      (pageSize, pageCount, keepsLog) = (look.header.pageSize, look.header.pageCount, look.header.keepsLog)
    }
    log = look.log
    journalPages = RollbackJournal(beside: path)?.pages
    holders = lockHolders(of: path)
    let file = StoreFile(path: path)
    fileObstacle = file.canBeWritten ? nil : file.writeObstacle
    hasLogFile = file.hasLogFile
  }

  private mutating func examine(_ store: SQLiteStore) {
    (kind, notes, modelVersion) = (store.kind, store.notes, store.model.version?.text)
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

  private mutating func attempt(_ part: Part, _ body: (inout StoreDiagnosis) throws -> Void) {
    do {
      if Interruption.isRequested() { throw StoreError(.interrupted, path: path) }
      try body(&self)
    } catch {
      unread.append((part, error as? StoreError ?? StoreError(.corrupt("\(error)"), path: path)))
    }
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
