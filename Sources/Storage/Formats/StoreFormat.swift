import Modeling
import Queries
import SQLite

/// A kind of store: what is decided by what made the file.
///
/// There are three: `OwnFormat` for stores made here, `PlainFormat` for any other SQLite file, `CoreDataStore` for stores of
/// Apple's framework. `StoreOpener` finds out which one a file has; everything that differs afterwards is asked here, so that
/// nothing outside of this folder decides by the kind. Layouts say where values stand; a format says how rows are written,
/// what bookkeeping a commit writes, and what history the file keeps.
///
/// What a format does not say otherwise is as in any SQLite file.
protocol StoreFormat {
  /// What it is called to people.
  var kind: StoreKind { get }

  // MARK: Traits

  /// Whether the file is ours to keep books in: the history, the journal of saves, the write-ahead log.
  var keepsOurBooks: Bool { get }
  /// Whether tables are as the model declares them: columns compare as their attributes do, triggers are ours and keep what
  /// is derived, and another model makes others of them.
  var declaresSchema: Bool { get }
  /// Whether a row is more than its values, so that what writes many rows writes them one by one.
  var writesRowByRow: Bool { get }
  /// Whether references to an object that is deleted are left as they are: to act on them is the file's own affair.
  var leavesReferences: Bool { get }
  /// Whether a reference with the rule `noAction` has to be emptied, as nothing in the file acts on it.
  var emptiesReferencesWithoutAction: Bool { get }
  /// The data that stands in files beside the store; nil where there is none.
  var dataFiles: ExternalData? { get }

  /// Why the options make the store one that is only read; nil where they do not.
  func refusesWriting(_ options: StoreOptions) -> StoreError.Fact?

  // MARK: Writing

  /// Throws where objects of the entity cannot be written.
  func checkWritable(_ entity: Entity, in store: SQLiteStore) throws(StoreError)
  func insert(_ entity: Entity, _ values: [Value], key: Int64?, in store: SQLiteStore) throws -> Int64
  func update(
    _ entity: Entity, key: Int64, _ changes: [(column: Int, value: Value)], in store: SQLiteStore
  ) throws -> Bool
  func delete(_ entity: Entity, key: Int64, in store: SQLiteStore) throws -> Bool
  func batchUpdate(
    _ request: FetchRequest, _ changes: [(property: Int, value: Value)], in store: SQLiteStore
  ) throws -> Int

  // MARK: Commits

  /// Says which changes are followed, and how many.
  func prepare(_ capture: ChangeCapture)
  /// Columns of a table, in lower case, whose values are never written or compared by an undo.
  func computedColumns(of layout: EntityLayout) -> [String]
  /// The bookkeeping that is written before each commit; nil for none.
  func bookkeeping(of store: SQLiteStore) -> CommitRecorder.Bookkeeping?
  /// A transaction has ended, either way.
  func transactionEnded()

  // MARK: History

  func isHistoryEnabled(in store: SQLiteStore) throws -> Bool
  func setHistoryEnabled(_ isEnabled: Bool, in store: SQLiteStore) throws
  /// What the file keeps of its past; throws where there is nothing.
  func history(of store: SQLiteStore) throws -> any StoreHistory
  /// Returns why the file has no history of our own.
  var missingHistory: StoreError.Fact { get }
  /// What tells the rows that others have touched, by a history that is not ours; nil where there is none.
  func foreignHistory(of store: SQLiteStore) throws -> ForeignHistory?

  // MARK: Looking

  /// What is wrong with the file by the rules of its maker.
  func problems(in store: SQLiteStore, limit: Int) throws -> [StoreProblem]
  /// Whether a trigger is one that the maker of such stores makes.
  func isUsualTrigger(_ name: String, _ sql: String, in store: SQLiteStore) throws -> Bool
  /// Adds what the file says of itself.
  func describe(_ store: SQLiteStore, in description: inout FormatDescription) throws
}

/// Adds the rows that others have touched since it was called last; false where it has nothing to tell.
typealias ForeignHistory = (inout TouchedRows) throws(StoreError) -> Bool

extension StoreFormat {
  var keepsOurBooks: Bool { false }
  var declaresSchema: Bool { false }
  var writesRowByRow: Bool { false }
  var leavesReferences: Bool { false }
  var emptiesReferencesWithoutAction: Bool { false }

  func refusesWriting(_ options: StoreOptions) -> StoreError.Fact? { nil }
  func checkWritable(_ entity: Entity, in store: SQLiteStore) throws(StoreError) {}

  func insert(_ entity: Entity, _ values: [Value], key: Int64?, in store: SQLiteStore) throws -> Int64 {
    try store.insertRow(entity, values, key: key)
  }

  func update(
    _ entity: Entity, key: Int64, _ changes: [(column: Int, value: Value)], in store: SQLiteStore
  ) throws -> Bool {
    try store.updateRow(entity, key: key, changes)
  }

  func delete(_ entity: Entity, key: Int64, in store: SQLiteStore) throws -> Bool {
    try store.deleteRow(entity, key: key)
  }

  func batchUpdate(
    _ request: FetchRequest, _ changes: [(property: Int, value: Value)], in store: SQLiteStore
  ) throws -> Int {
    try store.updateRows(request, changes)
  }

  func prepare(_ capture: ChangeCapture) {}
  func computedColumns(of layout: EntityLayout) -> [String] { [] }
  func bookkeeping(of store: SQLiteStore) -> CommitRecorder.Bookkeeping? { nil }
  func transactionEnded() {}

  func isHistoryEnabled(in store: SQLiteStore) throws -> Bool { false }

  func setHistoryEnabled(_ isEnabled: Bool, in store: SQLiteStore) throws {
    if try isEnabled != isHistoryEnabled(in: store) { throw StoreError(missingHistory, path: store.path) }
  }

  func history(of store: SQLiteStore) throws -> any StoreHistory { throw StoreError(missingHistory, path: store.path) }
  var missingHistory: StoreError.Fact { .historyUnsupported(kind) }
  func foreignHistory(of store: SQLiteStore) throws -> ForeignHistory? { nil }

  func problems(in store: SQLiteStore, limit: Int) throws -> [StoreProblem] {
    try store.foreignKeyProblems(limit) + store.orderProblems()
  }

  func isUsualTrigger(_ name: String, _ sql: String, in store: SQLiteStore) throws -> Bool { false }
  func describe(_ store: SQLiteStore, in description: inout FormatDescription) throws {}
}
