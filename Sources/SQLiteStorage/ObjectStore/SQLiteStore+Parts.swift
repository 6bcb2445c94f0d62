public import Modeling
public import Queries
import RelationalStorage
import SQLite
public import Stores

// The members of the interface that are of parts of the store.
extension SQLiteStore {
  // MARK: Writing

  /// Adds a member to a to-many relationship in a join table; does nothing if it is a member already.
  ///
  /// If the relationship is ordered and `order` is nil, the member becomes the last one.
  public func link(_ relationship: Int, in entity: Entity, owner: Int64, member: Int64, order: Int64?) throws {
    try pairs.link(relationship, in: entity, owner: owner, member: member, order: order)
  }

  /// Removes a member from a to-many relationship in a join table.
  public func unlink(_ relationship: Int, in entity: Entity, owner: Int64, member: Int64) throws {
    try pairs.unlink(relationship, in: entity, owner: owner, member: member)
  }

  /// Sets the order of the members of an ordered to-many relationship.
  public func setOrder(_ relationship: Int, in entity: Entity, owner: Int64, members: [Int64]) throws {
    try pairs.setOrder(relationship, in: entity, owner: owner, members: members)
  }

  var pairs: PairWriter { PairWriter(store: self) }

  /// Changes columns of all rows that a request selects; returns the number of rows.
  public func batchUpdate(_ request: FetchRequest, _ changes: [(property: Int, value: Value)]) throws -> Int {
    try BatchWriter(store: self).update(request, changes)
  }

  /// Deletes all rows that a request selects, and applies delete rules in the store; returns the number of deleted rows
  /// of the entity.
  public func batchDelete(_ request: FetchRequest) throws -> Int { try BatchWriter(store: self).delete(request) }

  /// Announces many inserts within a transaction, so that indexes can be built after the rows; `body` does the inserts.
  @discardableResult
  public func bulkInsert<Result>(
    into entity: Entity, expecting rows: Int, _ body: () throws -> Result
  ) throws -> Result { try BulkWriter(store: self).insert(into: entity, expecting: rows, body) }

  /// Prepares an INSERT; nil in a format whose rows need bookkeeping.
  public func insertStatement(_ entity: Entity, columns: [Int]) throws -> RowStatement? {
    try BulkWriter(store: self).insertStatement(entity, columns: columns)
  }

  /// Prepares an UPDATE; nil in a format whose rows need bookkeeping.
  public func updateStatement(_ entity: Entity, columns: [Int], where known: Int) throws -> RowStatement? {
    try BulkWriter(store: self).updateStatement(entity, columns: columns, where: known)
  }

  // MARK: Undoing saves

  /// Undoes the last save in a transaction of its own; `.redo` reverts the last undo.
  public func reverseSave(_ direction: SaveDirection) throws -> ReversedSave {
    try SaveReverser(store: self).reverse(direction)
  }

  /// Returns the save that `reverseSave` would reverse, with the objects that it would write.
  public func saveToReverse(_ direction: SaveDirection) throws -> ReversibleSave {
    try SaveReverser(store: self).save(direction)
  }

  // MARK: Looking

  /// Checks the file against SQLite's rules and those of its format; returns the problems, at most `limit` of one kind
  /// in one place.
  public func verify(limit: Int) throws -> [StoreProblem] {
    try reading { try connection.integrityProblems(limit) + format.problems(in: self, limit: limit) }
  }

  /// Returns violations of the store's invariants, in words.
  public func checkInvariants() throws -> [String] { try pairs.sharedPlaces() }

  /// Examines the file, including the uncommitted changes of its connection.
  public func examine() -> StoreDiagnosis { StoreDiagnosis(self) }

  /// Tries on a private copy what opening the store with another model would do.
  public func rehearseMigration(
    to model: Model, stages: [MigrationStage] = [], permitsLosses: Bool = false,
    migrate: ((Migration) throws -> Void)? = nil
  ) throws -> MigrationReport {
    var options = StoreOptions(path: path)
    (options.model, options.stages, options.permitsLosses, options.migrate) = (model, stages, permitsLosses, migrate)
    return try MigrationRehearsal(store: self, options: options).report(to: model)
  }

  /// Calls `told` with the text of each statement, its values in place of parameters, and the seconds that it took.
  public func trace(_ told: @escaping (_ sql: String, _ seconds: Double) -> Void) -> StatementTrace {
    var trace: ConnectionTrace? = ConnectionTrace(connection, told)
    return StatementTrace { withExtendedLifetime(trace) { trace = nil } }
  }

  // MARK: Values and addresses

  /// Opens a value that was read from a column: reads external data, or decodes an archive.
  public func opened(_ value: Value, of column: ColumnLayout) -> Value { format.opened(value, of: column) }

  /// Whether a value that was read from a column names a missing external file.
  public func isFileMissing(_ value: Value, of column: ColumnLayout) -> Bool { format.isFileMissing(value, of: column) }

  /// The URL by which the program that made the file names a saved object; nil if it has none.
  public func uri(of id: ObjectID) -> String? { format.uri(of: id) }

  /// Returns the object ID for such a URL, whether or not the object exists.
  public func objectID(uri: String) throws(ObjectURIError) -> ObjectID { try format.objectID(uri: uri, model) }
}
