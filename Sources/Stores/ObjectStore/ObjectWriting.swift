public import Modeling
public import Queries

/// Writes rows of a store.
///
/// Each member throws `readOnlyError` if the store is read-only, and `.readOnlyEntity` for a read-only entity. Each may
/// also fail because another writer holds the lock (`.busy`), because it was interrupted, or because the disk fails.
public protocol ObjectWriting: ObjectStoreBasics {
  // MARK: Transactions

  /// Runs `body` in one transaction, which is rolled back if `body` throws.
  ///
  /// A nested call is a savepoint, rolled back on its own. The outermost call waits for other writers at its beginning,
  /// not at its end. When it returns, its writes are as durable as the store promises, and `ChangeTelling.onOwnCommit`
  /// has reported them.
  ///
  /// - Throws: StoreError, or what `body` throws.
  @discardableResult
  func transaction<Result>(_ body: () throws -> Result) throws -> Result

  /// Runs `body`, which writes in one transaction, and runs it again if the store could not put that transaction in order
  /// with those of others: a few times, with growing pauses. Within a transaction `body` runs once.
  ///
  /// `body` must be able to begin anew. A commit whose outcome is unknown is never tried again.
  ///
  /// - Throws: StoreError, `.notSerialized` after the last attempt, `.interrupted` during a pause; what `body` throws.
  func retrying<Result>(_ body: () throws -> Result) throws -> Result

  /// Runs `body`; the history attributes its transactions to `info`.
  func attributing<Result>(_ info: TransactionInfo, _ body: () throws -> Result) rethrows -> Result

  /// The number of rows that the store's own triggers and rules have changed. If it changes, rows may hold other values
  /// than those written. No round trip; always 0 if the store has no triggers.
  var triggeredChangeCount: Int64 { get }

  // MARK: Rows

  /// Inserts a row with a value for each column of the layout, and returns its key.
  ///
  /// The store fills in columns whose value is null. Pass a key to restore a deleted row; otherwise the row gets a key
  /// that no row has had since the store was opened.
  ///
  /// - Throws: StoreError; `.notUnique` with the existing values, `.constraint`.
  @discardableResult
  func insert(_ entity: Entity, _ values: [Value], key: Int64?) throws -> Int64

  /// Sets some columns of a row; returns false if the row does not exist.
  ///
  /// - Throws: StoreError; `.notUnique` with the existing values, `.constraint`.
  func update(_ entity: Entity, key: Int64, _ changes: [(column: Int, value: Value)]) throws -> Bool

  /// Deletes a row; returns false if it does not exist. The caller applies delete rules; the store nullifies or keeps
  /// other rows' references to the row, as `LooseReference.effect` says.
  ///
  /// - Throws: StoreError; `.constraint` if the store forbids it.
  func delete(_ entity: Entity, key: Int64) throws -> Bool

  /// Deletes rows, each given with its own entity; returns how many there were. The store may choose their order.
  ///
  /// - Throws: StoreError; `.constraint` if the store forbids it.
  @discardableResult
  func delete(_ rows: [ObjectID]) throws -> Int

  // MARK: Pairs and order

  /// Adds a member to a to-many relationship that is stored in pairs (`PropertyLayout.join`), at a place in its order,
  /// or else last; does nothing if it is a member already. The inverse shares the pair. A relationship that is its own
  /// inverse has a pair for each direction, and each is linked separately.
  ///
  /// - Throws: StoreError.
  func link(_ relationship: Int, in entity: Entity, owner: Int64, member: Int64, order: Int64?) throws

  /// Adds many members likewise, in their order, each behind the members of its owner.
  ///
  /// - Throws: StoreError.
  func link(_ relationship: Int, in entity: Entity, pairs: [(owner: Int64, member: Int64)]) throws

  /// Removes a member from a to-many relationship that is stored in pairs; does nothing if it is not a member.
  ///
  /// - Throws: StoreError.
  func unlink(_ relationship: Int, in entity: Entity, owner: Int64, member: Int64) throws

  /// Sets the order of an ordered to-many relationship. Writes each member that moves. Members that are not listed, which
  /// others have added, come last. A listed object that is no member any more, because others have moved it, is left alone.
  ///
  /// - Throws: StoreError.
  func setOrder(_ relationship: Int, in entity: Entity, owner: Int64, members: [Int64]) throws

  // MARK: Batches

  /// Sets properties of all rows that a request selects, to-one relationships by `Value.object`; returns the number of
  /// rows.
  ///
  /// - Throws: StoreError; PredicateError.
  func batchUpdate(_ request: FetchRequest, _ changes: [(property: Int, value: Value)]) throws -> Int

  /// Deletes all rows that a request selects, by the model's delete rules; returns the number of deleted rows of the
  /// entity.
  ///
  /// - Throws: StoreError; `.deleteDenied` and `.deleteHeld` if a rule forbids it, and then nothing is deleted;
  ///   PredicateError.
  func batchDelete(_ request: FetchRequest) throws -> Int

  /// Runs `body`, which inserts about `rows` rows of an entity, in one transaction; the store may make the inserts
  /// cheaper, for example by building indexes afterwards.
  ///
  /// - Throws: StoreError; `.notUnique` at the latest when it ends; what `body` throws.
  @discardableResult
  func bulkInsert<Result>(into entity: Entity, expecting rows: Int, _ body: () throws -> Result) throws -> Result

  /// Prepares to insert rows with values for some columns of the layout; nil if the store writes rows by `insert` alone.
  ///
  /// - Throws: StoreError.
  func insertStatement(_ entity: Entity, columns: [Int]) throws -> RowStatement?

  /// Prepares to set columns of the row whose column `known` has the value of the last parameter; nil as for
  /// `insertStatement`.
  ///
  /// - Throws: StoreError.
  func updateStatement(_ entity: Entity, columns: [Int], where known: Int) throws -> RowStatement?
}

extension ObjectWriting {
  /// Runs `body` once: in a store with one writer at a time transactions are in order.
  public func retrying<Result>(_ body: () throws -> Result) throws -> Result { try body() }

  /// Deletes rows in their order.
  @discardableResult
  public func delete(_ rows: [ObjectID]) throws -> Int {
    try rows.count { try delete($0.entity, key: $0.key) }
  }

  /// Adds members one by one.
  public func link(_ relationship: Int, in entity: Entity, pairs: [(owner: Int64, member: Int64)]) throws {
    for (owner, member) in pairs { try link(relationship, in: entity, owner: owner, member: member, order: nil) }
  }

  /// Nil: rows are written by `insert`.
  public func insertStatement(_ entity: Entity, columns: [Int]) throws -> RowStatement? { nil }

  /// Nil: rows are written by `update`.
  public func updateStatement(_ entity: Entity, columns: [Int], where known: Int) throws -> RowStatement? { nil }

  /// Inserts a row under a key that the store chooses.
  ///
  /// - Throws: StoreError.
  @discardableResult
  public func insert(_ entity: Entity, _ values: [Value]) throws -> Int64 { try insert(entity, values, key: nil) }
}
