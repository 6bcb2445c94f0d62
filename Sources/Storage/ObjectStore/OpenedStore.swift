public import Modeling

/// A store as the program that opens it sees it: its address, the program that made it, handwritten SQL, and its end.
public protocol OpenedStore: ObjectStore, HistoryKeeping {
  /// Where it is: a file's path, `:memory:`, or the address of a database without a password.
  var path: String { get }

  /// What made it, to be shown to people.
  var kind: StoreKind { get }

  /// What a person should know about how it was read.
  var notes: [String] { get }

  /// How often something was written since it was opened, whether or not it was committed.
  var writeCount: Int64 { get }

  /// How many rows were changed since it was opened, what the store keeps for itself left out.
  var changeCount: Int64 { get }

  /// Whether all writes are rolled back at the end.
  var isDryRun: Bool { get }

  /// Rolls all writes from now on back at the end.
  ///
  /// - Throws: StoreError.
  func beginDryRun() throws

  /// Ends a dry run; commits what was written if `keeping`.
  ///
  /// - Throws: StoreError.
  func endDryRun(keeping: Bool) throws

  /// What was migrated when it was opened; nil for nothing.
  var migration: MigrationReport? { get }

  /// Tries what opening it with another model would do, without changing anything.
  ///
  /// It does everything that a migration does: it converts and counts rows, and calls functions.
  ///
  /// - Throws: StoreError for a store that is never migrated, DerivationError; what a function throws.
  func rehearseMigration(
    to model: Model, stages: [MigrationStage], permitsLosses: Bool, migrate: ((Migration) throws -> Void)?
  ) throws -> MigrationReport

  /// Runs SQL of the user, and returns the rows of the last statement.
  ///
  /// - Throws: StoreError.
  func sql(_ text: String, _ arguments: [Value]) throws -> ValueCursor

  /// Calls `told` with the text of each statement that is run for the store, and the seconds that it took, until the
  /// returned object is released.
  func trace(_ told: @escaping (_ sql: String, _ seconds: Double) -> Void) -> StatementTrace

  /// Ends everything that runs, and gives back what it holds; what is asked of it afterwards throws `.closed`.
  func close()
}

extension OpenedStore {
  /// Runs SQL of the user's without arguments.
  ///
  /// - Throws: StoreError.
  @discardableResult
  public func sql(_ text: String) throws -> ValueCursor { try sql(text, []) }
}
