public import Modeling
public import Queries

/// Writes rows of a store.
///
/// Each member throws `readOnlyError` where the store is read-only, and `.readOnlyEntity` for an entity that is; each may fail
/// because another writer is in the way (`.busy`), because it was interrupted, and for what a medium can do.
public protocol ObjectWriting: ObjectStoreBasics {
  // MARK: Transactions

  /// Runs `body` in one transaction, which is undone if it throws.
  ///
  /// A call within another one is a part that is undone alone. The outermost one waits for other writers at its beginning, not
  /// at its end. When it returns, what was written is durable as far as the store promises, and has been told
  /// (`ChangeTelling.onOwnCommit`).
  ///
  /// - Throws: StoreError, or what `body` throws.
  @discardableResult
  func transaction<Result>(_ body: () throws -> Result) throws -> Result

  /// Runs `body`, whose transactions the history tells to be of `info`.
  func attributing<Result>(_ info: TransactionInfo, _ body: () throws -> Result) rethrows -> Result

  /// How many rows the store itself has changed beside those that were written: by triggers and rules of its own. Another
  /// number means that values may be others than those written. No round trip; 0 for ever where the store does no such thing.
  var triggeredChangeCount: Int64 { get }

  // MARK: Rows

  /// Inserts a row with a value for each column of the layout, and answers its key.
  ///
  /// Null stands for what the store fills in. A key is given for a row that comes back after it was deleted; otherwise the row
  /// gets one that no row had since the store was opened.
  ///
  /// - Throws: StoreError; `.notUnique` with the values that are there already, `.constraint`.
  @discardableResult
  func insert(_ entity: Entity, _ values: [Value], key: Int64?) throws -> Int64

  /// Sets some columns of a row; returns false if the row does not exist.
  ///
  /// - Throws: StoreError; `.notUnique` with the values that are there already, `.constraint`.
  func update(_ entity: Entity, key: Int64, _ changes: [(column: Int, value: Value)]) throws -> Bool

  /// Deletes a row; returns false if it does not exist. Delete rules are the caller's; references of others to the row are emptied
  /// or left, as `LooseReference.effect` says.
  ///
  /// - Throws: StoreError; `.constraint` where the store holds on to the row.
  func delete(_ entity: Entity, key: Int64) throws -> Bool

  // MARK: Pairs and order

  /// Adds a member to a to-many that is kept in pairs (`PropertyLayout.join`), at a place in its order, else last; nothing
  /// changes when it is one already. The inverse has the same pair; a relationship that is its own inverse has one for each
  /// direction, and each is linked by itself.
  ///
  /// - Throws: StoreError.
  func link(_ relationship: Int, in entity: Entity, owner: Int64, member: Int64, order: Int64?) throws

  /// Takes a member out of a to-many that is kept in pairs; nothing changes when it is none.
  ///
  /// - Throws: StoreError.
  func unlink(_ relationship: Int, in entity: Entity, owner: Int64, member: Int64) throws

  /// Brings the members of an ordered to-many into an order. Costs a write for each member that is not in place.
  ///
  /// - Throws: StoreError.
  func setOrder(_ relationship: Int, in entity: Entity, owner: Int64, members: [Int64]) throws

  // MARK: Batches

  /// Sets properties of all rows that a request selects, to-ones by `Value.object`; answers how many there were.
  ///
  /// - Throws: StoreError; PredicateError.
  func batchUpdate(_ request: FetchRequest, _ changes: [(property: Int, value: Value)]) throws -> Int

  /// Deletes all rows that a request selects, by the model's delete rules; answers how many of the entity there were.
  ///
  /// - Throws: StoreError; `.deleteDenied` and `.deleteHeld` where a rule forbids it, and then nothing is deleted;
  ///   PredicateError.
  func batchDelete(_ request: FetchRequest) throws -> Int

  /// Runs `body`, which inserts so many rows of an entity, in one transaction; the store may do what makes that cheaper, such as
  /// building indexes afterwards.
  ///
  /// - Throws: StoreError; `.notUnique` at the latest when it ends; what `body` throws.
  @discardableResult
  func bulkInsert<Result>(into entity: Entity, expecting rows: Int, _ body: () throws -> Result) throws -> Result
}

extension ObjectWriting {
  /// Inserts a row under a key that the store chooses.
  ///
  /// - Throws: StoreError.
  @discardableResult
  public func insert(_ entity: Entity, _ values: [Value]) throws -> Int64 { try insert(entity, values, key: nil) }
}
