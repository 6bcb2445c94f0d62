public import Modeling
public import Queries

/// A store: objects as rows of an SQLite file, whatever made it.
///
/// Everything happens on the calling thread; there is one connection. Functions throw StoreError, and PredicateError
/// for requests that do not fit the model.
public final class SQLiteStore {
  /// Opens, makes or migrates the store.
  public init(_ options: StoreOptions) throws { fatalError("unimplemented") }

  public var path: String { fatalError("unimplemented") }
  public var kind: StoreKind { fatalError("unimplemented") }
  public var model: Model { fatalError("unimplemented") }
  public var isReadOnly: Bool { fatalError("unimplemented") }
  /// What a person should know about how the file was read: views without keys, columns left out, a Core Data store
  /// read as plain tables.
  public var notes: [String] { fatalError("unimplemented") }
  public func close() {}
  /// The address of the connection, for sqlite3_interrupt from a signal handler.
  public var connectionHandle: OpaquePointer? { nil }
  /// Asked between steps of long statements; true interrupts them.
  public var isInterrupted: () -> Bool = { false }

  /// Changes whenever another connection commits (`PRAGMA data_version`). About a microsecond.
  public var dataVersion: Int64 { fatalError("unimplemented") }

  public func layout(of entity: Entity) -> EntityLayout { fatalError("unimplemented") }
}

// MARK: Reading

extension SQLiteStore {
  /// The rows of a request whose result type is objects or object IDs; values are selected unless `keysOnly`.
  public func cursor(_ request: FetchRequest, keysOnly: Bool = false) throws -> RowCursor { fatalError("unimplemented") }

  /// The keys (and concrete entities) that a request selects, in order: cheap enough for a million.
  public func keys(_ request: FetchRequest) throws -> [Int64] { fatalError("unimplemented") }

  /// The rows with the given keys, in any order; keys without a row are left out.
  public func rows(of entity: Entity, keys: some Collection<Int64>) throws -> RowCursor { fatalError("unimplemented") }

  public func count(_ request: FetchRequest) throws -> Int { fatalError("unimplemented") }

  /// The rows of a dictionary request.
  public func dictionaries(_ request: FetchRequest) throws -> ValueCursor { fatalError("unimplemented") }

  /// The values of aggregate expressions (`count`, `max(magnitude)`, ...) over what a request selects.
  public func aggregate(_ request: FetchRequest, _ expressions: [Expression]) throws -> [Value] { fatalError("unimplemented") }

  /// The keys that a to-many relationship of each owner leads to, in its order, as (owner, member) grouped by owner.
  public func members(of relationship: Int, in entity: Entity, owners: some Collection<Int64>) throws -> [(owner: Int64, member: Int64)] {
    fatalError("unimplemented")
  }

  /// How many objects a to-many relationship of the owner leads to.
  public func memberCount(of relationship: Int, in entity: Entity, owner: Int64) throws -> Int { fatalError("unimplemented") }

  /// The key of the destination that the values of a reference's columns name; nil when there is no such row.
  public func resolve(_ reference: [Value], of relationship: Int, in entity: Entity) throws -> Int64? { fatalError("unimplemented") }

  /// The values that a reference's columns hold to name `key` of the destination.
  public func referenceValues(to key: Int64, of relationship: Int, in entity: Entity) throws -> [Value] { fatalError("unimplemented") }

  /// The key of the object whose values of `properties` are `values`; nil when there is none.
  public func key(of entity: Entity, where properties: [Int], equal values: [Value]) throws -> Int64? { fatalError("unimplemented") }

  /// What people call a key: the values of the key's columns.
  public func keyValues(of entity: Entity, key: Int64) -> [Value] { fatalError("unimplemented") }

  /// The key with these values; nil when a composite key was given too few or wrong values.
  public func key(of entity: Entity, fromKeyValues values: [Value]) throws -> Int64? { fatalError("unimplemented") }

  /// The value of column `column` as decoded for the attribute type.
  public static func decode(_ storage: StorageClass, integer: Int64, real: Double, bytes: UnsafeRawBufferPointer, as type: AttributeType) -> Value {
    fatalError("unimplemented")
  }

  /// The SQL, values, plan and costs of a request.
  public func explain(_ request: FetchRequest) throws -> Explanation { fatalError("unimplemented") }

  /// Runs SQL of the user's: all statements of the text, the rows of the last.
  public func sql(_ text: String, _ arguments: [Value]) throws -> ValueCursor { fatalError("unimplemented") }
}

/// Rows of values with column names.
public final class ValueCursor {
  public var columns: [String] { fatalError("unimplemented") }
  public func step() throws -> Bool { fatalError("unimplemented") }
  public func value(_ column: Int) -> Value { fatalError("unimplemented") }
  public func close() {}
}

/// How the store answers a request.
public struct Explanation: Sendable {
  public var sql: String
  public var arguments: [Value]
  /// SQLite's plan, a line a step, with its depth.
  public var plan: [(depth: Int, text: String)]
  public var indexesUsed: [String]
  public var tablesScanned: [String]
  public var sortsInMemory: Bool
  public var rowsReturned: Int
  public var rowsScanned: Int
  public var seconds: Double
}

// MARK: Writing

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
