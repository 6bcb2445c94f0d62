public import Modeling
public import Queries

extension SQLiteStore {
  /// Runs `body` in one transaction, undone if it throws; nested calls are savepoints.
  public func transaction<Result>(_ body: () throws -> Result) throws -> Result { fatalError("unimplemented") }

  /// Whether changes are undone when the outermost transaction ends (`--dry-run`).
  public var isDryRun: Bool { get { false } set {} }

  /// Announces many inserts within a transaction, so that secondary indexes can be built after the rows;
  /// `body` must do the inserts. Uniqueness violations are found at the end and throw.
  public func bulkInsert<Result>(into entity: Entity, expecting rows: Int, _ body: () throws -> Result) throws -> Result {
    fatalError("unimplemented")
  }

  /// Inserts a row; `values` are by column of the layout, references included. Returns the new row's key.
  public func insert(_ entity: Entity, _ values: [Value]) throws -> Int64 { fatalError("unimplemented") }

  /// Sets some columns of a row; false when the row is gone.
  public func update(_ entity: Entity, key: Int64, _ changes: [(column: Int, value: Value)]) throws -> Bool { fatalError("unimplemented") }

  /// Deletes a row; false when it was gone already.
  public func delete(_ entity: Entity, key: Int64) throws -> Bool { fatalError("unimplemented") }

  /// Adds a member to a to-many kept in a table of pairs.
  public func link(_ relationship: Int, in entity: Entity, owner: Int64, member: Int64, order: Int64?) throws { fatalError("unimplemented") }
  public func unlink(_ relationship: Int, in entity: Entity, owner: Int64, member: Int64) throws { fatalError("unimplemented") }

  /// Sets the places of the members of an ordered to-many (kept in the members' rows or in the table of pairs).
  public func setOrder(_ relationship: Int, in entity: Entity, owner: Int64, members: [Int64]) throws { fatalError("unimplemented") }

  /// Changes columns of all rows that a request selects; returns how many.
  public func batchUpdate(_ request: FetchRequest, _ changes: [(property: Int, value: Value)]) throws -> Int { fatalError("unimplemented") }

  /// Deletes all rows that a request selects, delete rules enforced in the store; returns how many of the entity.
  public func batchDelete(_ request: FetchRequest) throws -> Int { fatalError("unimplemented") }

  /// Copies the store to a new file.
  public func backup(to path: String) throws { fatalError("unimplemented") }
}
