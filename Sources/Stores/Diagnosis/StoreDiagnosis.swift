import Modeling
public import StoreErrors

/// A report on a store: what made it, its health, its content, and obstacles to writing it.
///
///     let diagnosis = store.examine()
///     diagnosis.kind          // .coreData
///     diagnosis.isHealthy     // true
///
/// The examination only reads. Of a damaged file it reports everything readable; `failure` and `unread` list the rest.
public struct StoreDiagnosis {
  /// A part of the examination, which may fail if the file is damaged.
  public enum Part: String, Sendable, CaseIterable {
    case bookkeeping, sizes, values, indexes, triggers, rules
  }

  /// The pages of a write-ahead log.
  public struct Log: Hashable, Sendable {
    /// The size of the file in bytes.
    public let size: Int64
    /// The number of pages it has room for.
    public let frames: Int
    /// The number of committed pages, from the first one on.
    public let committed: Int
    /// The number of pages whose committed content is only in the log, and not in the database file.
    public let pending: Int

    package init(size: Int64, frames: Int, committed: Int, pending: Int) {
      (self.size, self.frames, self.committed, self.pending) = (size, frames, committed, pending)
    }
  }

  /// The path of the file, as given, or the address of the database without a password.
  public let path: String
  /// The name and version of the server that has the database; nil for a file.
  public package(set) var server: String?
  /// The size of the file or database in bytes, without its log and journal.
  public package(set) var size: Int64 = 0
  /// The page size in bytes; 0 if the header has none.
  public package(set) var pageSize = 0
  /// The number of pages according to the file's header.
  public package(set) var pageCount = 0
  /// The number of free pages.
  public package(set) var freePages: Int64 = 0
  /// The encoding of texts, as the database names it.
  public package(set) var encoding: String?
  /// Whether the file keeps a write-ahead log.
  public package(set) var keepsLog = false
  /// Whether there is a write-ahead log next to the file, even if it is empty.
  public package(set) var hasLogFile = false
  /// The write-ahead log next to the file, unless it is empty.
  public package(set) var log: Log?
  /// The number of pages of an interrupted or running transaction; nil if there is none.
  public package(set) var journalPages: Int?
  /// Other processes that have opened the file, or are connected to the database.
  public package(set) var holders: [String] = []
  /// The reason why the file cannot be opened.
  public package(set) var failure: StoreError?
  /// The parts that could not be examined, with the reasons.
  public package(set) var unread: [(part: Part, error: StoreError)] = []
  /// The kind of store; nil if the file cannot be opened as a store.
  public package(set) var kind: StoreKind?
  /// The identifier of a Core Data store, or of a store of our own.
  public package(set) var uuid: String?
  /// The version of the framework that wrote a Core Data store last.
  public package(set) var frameworkVersion: Int?
  /// Whether a Core Data store has tables for a history; SwiftData's always have.
  public package(set) var hasHistoryTables = false
  /// The version of the format of a store of our own.
  public package(set) var formatVersion: Int?
  /// The model's own version.
  public package(set) var modelVersion: String?
  /// Tables and indexes, largest first.
  public package(set) var sizes: [StoredSize] = []
  /// Columns with large data in their rows.
  public package(set) var largeValues: [LargeValues] = []
  /// Violations of the rules for this kind of store.
  public package(set) var problems: [StoreProblem] = []
  /// The reason why a Core Data store cannot be written, even on request.
  public package(set) var obstacle: CoreDataObstacle?
  /// The reasons why single entities of a Core Data store cannot be written.
  public package(set) var entityObstacles: [CoreDataObstacle] = []
  /// The virtual tables that triggers of a Core Data store write, so that saves cannot be undone.
  public package(set) var virtualTables: [String] = []
  /// Whether the store is written only where that is asked for.
  public package(set) var isWrittenOnRequest = false
  /// Why the file, its folder or the database cannot be written; nil if they can.
  public package(set) var fileObstacle: String?
  /// Triggers that the store's own format does not create.
  public package(set) var foreignTriggers: [String] = []
  /// To-one relationships without an index, whose inverse scans the table: `table.column`.
  public package(set) var unindexed: [String] = []
  /// Notes on how the file is read.
  public package(set) var notes: [String] = []

  /// Whether it is a file without any content.
  public var isEmptyFile: Bool { size == 0 && server == nil && kind != nil && path != ":memory:" }

  /// Whether the store has no problems.
  public var isHealthy: Bool {
    failure == nil && unread.isEmpty && problems.isEmpty && journalPages == nil
      && log.map { $0.committed > 0 || $0.frames == 0 } ?? true
  }

  /// Begins a report on the store at `path`.
  package init(of path: String) { self.path = path }

  /// Examines a part; an error is noted with it.
  package mutating func attempt(_ part: Part, _ body: (inout StoreDiagnosis) throws -> Void) {
    do {
      if Interruption.isRequested() { throw StoreError(.interrupted, path: path) }
      try body(&self)
    } catch {
      unread.append((part, error as? StoreError ?? StoreError(.corrupt("\(error)"), path: path)))
    }
  }

  /// Sorts the sizes, the largest first.
  package mutating func sortSizes() {
    sizes.sort { first, second in
      let (left, right) = ((first.bytes ?? 0, first.rows ?? 0), (second.bytes ?? 0, second.rows ?? 0))
      return left == right ? first.name < second.name : left > right
    }
  }
}
