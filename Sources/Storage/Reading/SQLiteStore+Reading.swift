public import Modeling
public import Queries

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
