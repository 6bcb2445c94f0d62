import Foundation
internal import Modeling
public import SQLite

/// What a file is and how it is: who made it, whether it is sound, what is in it, and what is in the way of writing it.
///
///     let diagnosis = StoreDiagnosis(path: "Recipes.sqlite")
///     diagnosis.kind          // .coreData
///     diagnosis.isHealthy     // true
///
/// The examination only reads. It tells of a damaged file what can be read; `failure` and `unread` say what could not.
public struct StoreDiagnosis {
  /// A part of the examination, which damage can keep from being done.
  public enum Part: String, Sendable, CaseIterable {
    case bookkeeping, sizes, values, indexes, triggers, rules
  }

  /// The file, as it was named.
  public let path: String
  /// The size of the file in bytes, without what lies beside it.
  public internal(set) var size: Int64 = 0
  /// The size of a page in bytes; 0 where the header does not tell.
  public internal(set) var pageSize = 0
  /// How many pages the file's header promises.
  public internal(set) var pageCount = 0
  /// Pages that hold nothing.
  public internal(set) var freePages: Int64 = 0
  /// The encoding of texts, as SQLite names it.
  public internal(set) var encoding: String?
  /// Whether the file keeps a write-ahead log.
  public internal(set) var keepsLog = false
  /// The write-ahead log beside the file, if there is something in one.
  public internal(set) var log: LogFile?
  /// How many pages a change that was cut off, or is under way, had touched; nil where there is none.
  public internal(set) var journalPages: Int?
  /// Other processes that have the file open.
  public internal(set) var holders: [String] = []
  /// Why the file cannot be opened.
  public internal(set) var failure: StoreError?
  /// What could not be examined, and why.
  public internal(set) var unread: [(part: Part, error: StoreError)] = []
  /// What kind of store it is; nil where it cannot be opened as one.
  public internal(set) var kind: StoreKind?
  /// The identifier of a store of Core Data's or our own.
  public internal(set) var uuid: String?
  /// The version of the framework that wrote a Core Data store last.
  public internal(set) var frameworkVersion: Int?
  /// Whether a Core Data store has tables for a history; SwiftData's always have.
  public internal(set) var hasHistoryTables = false
  /// The version of the format of a store of our own.
  public internal(set) var formatVersion: Int?
  /// The version that the model gives itself.
  public internal(set) var modelVersion: String?
  /// Tables and indexes, the largest first.
  public internal(set) var sizes: [StoredSize] = []
  /// Columns with large data in their rows.
  public internal(set) var largeValues: [LargeValues] = []
  /// What breaks the rules that the store is held against.
  public internal(set) var problems: [StoreProblem] = []
  /// Why a Core Data store cannot be written even where that is asked for.
  public internal(set) var obstacle: CoreDataObstacle?
  /// Why single entities of a Core Data store cannot be written.
  public internal(set) var entityObstacles: [CoreDataObstacle] = []
  /// Triggers that the store's own format does not create.
  public internal(set) var foreignTriggers: [String] = []
  /// To-ones that are looked for by reading the whole table: `table.column`.
  public internal(set) var unindexed: [String] = []
  /// How the file is read.
  public internal(set) var notes: [String] = []

  /// Whether nothing is wrong with the file.
  public var isHealthy: Bool {
    failure == nil && unread.isEmpty && problems.isEmpty && journalPages == nil
      && log.map { $0.committed > 0 || $0.frames == 0 } ?? true
  }

  /// Examines the file at `path`; what is left when `isInterrupted` becomes true is not examined.
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

  /// Examines a store that is open, with what is not committed on its own connection.
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

  /// What SQLite tells of a file that is no store as it stands, such as one whose model cannot be read.
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
    // What was found before something cannot be read is told all the same.
    defer {
      (uuid, formatVersion) = (description.uuid, description.formatVersion)
      (frameworkVersion, hasHistoryTables) = (description.frameworkVersion, description.hasHistoryTables)
      (obstacle, entityObstacles) = (description.obstacle, description.entityObstacles)
    }
    try store.format.describe(store, in: &description)
  }
}
