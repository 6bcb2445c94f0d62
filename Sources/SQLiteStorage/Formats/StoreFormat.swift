import Layouts
import Modeling
import Queries
import SQLite

/// The format of a store's file: everything that depends on the program that made it.
///
/// There are three: `OwnFormat` for Perilune's own stores, `PlainFormat` for any other SQLite file, `CoreDataStore` for
/// stores of Apple's framework. `StoreOpener` finds the format of a file. All later differences are members of this
/// protocol, so that no code outside this folder tests the kind. Layouts say where values are; a format says how rows
/// are written, which bookkeeping a commit writes, and what history the file keeps.
///
/// The defaults are those of a plain SQLite file.
protocol StoreFormat {
  /// The kind to show to users.
  var kind: StoreKind { get }

  // MARK: Traits

  /// Whether the file keeps our bookkeeping: the history, the journal of saves, the write-ahead log.
  var keepsOurBooks: Bool { get }
  /// Whether the model defines the tables: columns compare as their attributes do, only our triggers compute derived
  /// values, and another model migrates them.
  var declaresSchema: Bool { get }
  /// Whether rows need bookkeeping, so that batches and imports write them one by one.
  var writesRowByRow: Bool { get }
  /// Whether references to a deleted object stay unchanged, because the file's own foreign keys act on them.
  var leavesReferences: Bool { get }
  /// Whether a reference with the rule `noAction` has to be nullified, because nothing in the file acts on it.
  var emptiesReferencesWithoutAction: Bool { get }
  /// Whether entities can be added to the file; otherwise its tables are an app's.
  var addsEntities: Bool { get }
  /// The external data files of the store; nil if there are none.
  var dataFiles: ExternalData? { get }

  /// The reason why the options make the store read-only; nil if they do not.
  func refusesWriting(_ options: StoreOptions) -> StoreError.Fact?

  // MARK: Writing

  /// Throws if objects of the entity cannot be written.
  func checkWritable(_ entity: Entity, in store: SQLiteStore) throws(StoreError)
  func insert(_ entity: Entity, _ values: [Value], key: Int64?, in store: SQLiteStore) throws -> Int64
  func update(
    _ entity: Entity, key: Int64, _ changes: [(column: Int, value: Value)], in store: SQLiteStore
  ) throws -> Bool
  func delete(_ entity: Entity, key: Int64, in store: SQLiteStore) throws -> Bool
  func batchUpdate(
    _ request: FetchRequest, _ changes: [(property: Int, value: Value)], in store: SQLiteStore
  ) throws -> Int

  /// Makes a table for an entity without relationships, within the caller's transaction, and returns the model and the layouts with
  /// it; nil where the model is an app's.
  func add(
    _ description: EntityDescription, to store: SQLiteStore
  ) throws -> (model: Model, layouts: [Entity: EntityLayout])?

  /// Makes a store's tables in an empty file, and what the format keeps beside rows. Returns statements that are run once there are
  /// rows. Formats that declare the schema make it from the model.
  func makeTables(in connection: Connection, like store: SQLiteStore) throws(StoreError) -> [String]

  // MARK: Commits

  /// Configures the changes to capture.
  func prepare(_ capture: ChangeCapture)
  /// Columns of a table, in lower case, that an undo neither writes nor compares.
  func computedColumns(of layout: EntityLayout) -> [String]
  /// The bookkeeping to write before each commit; nil for none.
  func bookkeeping(of store: SQLiteStore) -> CommitRecorder.Bookkeeping?
  /// Called after each transaction, committed or not.
  func transactionEnded()

  // MARK: History

  func isHistoryEnabled(in store: SQLiteStore) throws -> Bool
  func setHistoryEnabled(_ isEnabled: Bool, in store: SQLiteStore) throws
  /// The file's history; throws if there is none.
  func history(of store: SQLiteStore) throws -> any StoreHistory
  /// The reason why the file has no history of our own.
  var missingHistory: StoreError.Fact { get }
  /// Reads others' changes from a history in another format; nil if there is none.
  func foreignHistory(of store: SQLiteStore) throws -> ForeignHistory?

  // MARK: Looking

  /// The URL by which the program that made the file names a saved object; nil if it has none.
  func uri(of id: ObjectID) -> String?
  /// Returns the object ID for such a URL, whether or not the object exists.
  func objectID(uri: String, _ model: Model) throws(ObjectURIError) -> ObjectID

  /// The problems of the file by the rules of its format.
  func problems(in store: SQLiteStore, limit: Int) throws -> [StoreProblem]
  /// Whether a trigger belongs to the format.
  func isUsualTrigger(_ name: String, _ sql: String, in store: SQLiteStore) throws -> Bool
  /// Adds the file's description of itself.
  func describe(_ store: SQLiteStore, in description: inout FormatDescription) throws
}

/// Adds the rows that others have touched since the last call; returns false if the history has nothing new.
typealias ForeignHistory = (inout TouchedRows) throws(StoreError) -> Bool

extension StoreFormat {
  var keepsOurBooks: Bool { false }
  var declaresSchema: Bool { false }
  var writesRowByRow: Bool { false }
  var leavesReferences: Bool { false }
  var emptiesReferencesWithoutAction: Bool { false }
  var addsEntities: Bool { true }

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
    try BatchWriter(store: store).updateRows(request, changes)
  }

  func add(
    _ description: EntityDescription, to store: SQLiteStore
  ) throws -> (model: Model, layouts: [Entity: EntityLayout])? { nil }

  /// The triggers of others would do again what they have done for each row, but those that fill virtual tables.
  func makeTables(in connection: Connection, like store: SQLiteStore) throws(StoreError) -> [String] {
    let virtual = try store.connection.all("SELECT name FROM pragma_table_list WHERE type = 'virtual'").compactMap {
      row -> String? in
      if case .string(let name) = row[0] { return asciiLowercased(name) }
      return nil
    }
    return try connection.copySchema(of: store.connection) { trigger in
      let words = asciiLowercased(trigger).split { !$0.isLetter && !$0.isNumber && $0 != "_" }
      return !words.contains { virtual.contains(String($0)) }
    }
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
    try RowVerifier(store: store, limit: limit).problems()
  }

  func uri(of id: ObjectID) -> String? { nil }
  func objectID(uri: String, _ model: Model) throws(ObjectURIError) -> ObjectID { throw .notCoreData }
  func isUsualTrigger(_ name: String, _ sql: String, in store: SQLiteStore) throws -> Bool { false }
  func describe(_ store: SQLiteStore, in description: inout FormatDescription) throws {}
}
