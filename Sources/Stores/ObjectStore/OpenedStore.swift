public import Modeling
public import Queries

/// A store as the program that opens it sees it: its address, the program that made it, handwritten SQL, and its end.
public protocol OpenedStore: ObjectStore, HistoryKeeping, SchemaReading {
  /// Where it is: a file's path, `:memory:`, or the address of a database without a password.
  var path: String { get }

  /// Whether another store has the same contents, because both are opened from one file or database.
  func isSame(as other: any OpenedStore) -> Bool

  /// The program that made it, for display to users.
  var kind: StoreKind { get }

  /// Notes for the user on how it was read.
  var notes: [String] { get }

  /// The number of writes since it was opened, committed or not.
  var writeCount: Int64 { get }

  /// How many rows were changed since it was opened, what the store keeps for itself left out.
  var changeCount: Int64 { get }

  /// Whether all writes are rolled back at the end.
  var isDryRun: Bool { get }

  /// Rolls all writes from now on back at the end.
  ///
  /// - Throws: StoreError.
  func beginDryRun() throws

  /// Ends a dry run; commits the writes if `keeping`.
  ///
  /// - Throws: StoreError.
  func endDryRun(keeping: Bool) throws

  /// The report of the migration at opening; nil if there was none.
  var migration: MigrationReport? { get }

  /// Tries what opening it with another model would do, without changing anything.
  ///
  /// It does everything that a migration does: it converts and counts rows, and calls functions.
  ///
  /// - Throws: StoreError for a store that is never migrated, DerivationError; what a function throws.
  func rehearseMigration(
    to model: Model, stages: [MigrationStage], permitsLosses: Bool, migrate: ((Migration) throws -> Void)?
  ) throws -> MigrationReport

  /// Checks the store against the rules of its format; returns the problems, at most `limit` of one kind in one place. It only
  /// reads.
  ///
  /// - Throws: StoreError.
  func verify(limit: Int) throws -> [StoreProblem]

  /// Examines the store: what made it, whether it is sound, what is large in it. It only reads.
  func examine() -> StoreDiagnosis

  /// How it answers requests.
  var plans: any RequestPlanning { get }

  /// Runs SQL of the user, and returns the rows of the last statement.
  ///
  /// `approve` gets the effects on existing rows before they are kept. A store that can count them beforehand asks before it runs
  /// anything; another one asks within a transaction. If `approve` throws, nothing is kept, and the error is passed on.
  ///
  /// - Throws: StoreError; what `approve` throws.
  func sql(_ text: String, _ arguments: [Value], approve: (([StatementEffect]) throws -> Void)?) throws -> ValueCursor

  /// Calls `told` with the text of each statement that is run for the store, and the seconds that it took, until the
  /// returned object is released.
  func trace(_ told: @escaping (_ sql: String, _ seconds: Double) -> Void) -> StatementTrace

  /// Returns the rows of a dictionary request as they are before what is inserted into an entity, or changed there, while they are read.
  ///
  /// - Throws: PredicateError, StoreError.
  func dictionaries(_ request: FetchRequest, insertedInto target: Entity, changing: Bool) throws -> ValueCursor

  /// The URL by which the program that made the store names a saved object; nil if it has none.
  func uri(of id: ObjectID) -> String?

  /// Returns the object ID for such a URL, whether or not the object exists.
  ///
  /// - Throws: ObjectURIError for a URL that does not belong to this store.
  func objectID(uri: String) throws(ObjectURIError) -> ObjectID

  /// What it can do of what other stores cannot.
  var abilities: Set<StoreAbility> { get }

  /// Copies the store to a new file, while others may read and write it.
  ///
  /// - Throws: StoreError; `.cannot` without the ability, `.cannotCreate` where there is a file already.
  func backup(to path: String) throws

  /// Adds an entity without relationships, and calls `body` with a store that has it, all in one transaction: if `body` throws, or
  /// the process ends meanwhile, there is no entity.
  ///
  /// The given store is of use within `body` alone; this one has to be reopened to see the entity.
  ///
  /// - Throws: StoreError, `.cannot` without the ability; what `body` throws.
  func adding<Result>(_ description: EntityDescription, _ body: (any OpenedStore) throws -> Result) throws -> Result

  /// How many rows a batch request, or the undoing of a save, has written so far, and how many it will; nil if neither runs, or is
  /// not measured.
  var workInProgress: (rows: Int, expected: Int)? { get }

  /// Whether a transaction is open that handwritten SQL began and any failure ends.
  var isFailureFatalToTransaction: Bool { get }

  /// Whether its file was moved, deleted or replaced since it was opened; false for a server.
  var isMoved: Bool { get }

  /// Has what saves have left in a log beside the file moved into the file, if that is much; returns whether that has begun.
  /// Does not wait for it.
  @discardableResult
  func checkpointIfNeeded() -> Bool

  /// Ends everything that runs, and releases its resources; later calls throw `.closed`.
  func close()
}

extension OpenedStore {
  /// Checks the store against the rules of its format; returns the first hundred problems of each kind and place.
  ///
  /// - Throws: StoreError.
  public func verify() throws -> [StoreProblem] { try verify(limit: 100) }

  /// Refuses: only Core Data gives objects URLs.
  public func objectID(uri: String) throws(ObjectURIError) -> ObjectID { throw .notCoreData }

  /// Nothing.
  public var abilities: Set<StoreAbility> { [] }

  /// Throws `.cannot` if the store lacks an ability.
  public func require(_ ability: StoreAbility) throws(StoreError) {
    if !abilities.contains(ability) { throw StoreError(.cannot(ability), path: path) }
  }

  /// Refuses.
  public func backup(to path: String) throws { throw StoreError(.cannot(.backup), path: self.path) }

  /// Refuses.
  public func adding<Result>(
    _ description: EntityDescription, _ body: (any OpenedStore) throws -> Result
  ) throws -> Result { throw StoreError(.cannot(.addEntities), path: path) }

  /// Runs SQL of the user.
  ///
  /// - Throws: StoreError.
  @discardableResult
  public func sql(_ text: String, _ arguments: [Value] = []) throws -> ValueCursor {
    try sql(text, arguments, approve: nil)
  }
}
