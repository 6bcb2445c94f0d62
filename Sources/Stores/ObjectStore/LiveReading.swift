public import Modeling
public import Queries

/// Answers the questions of live results, so that they can move the rows that a change affects without fetching again.
public protocol LiveReading: ObjectStoreBasics {
  /// Prepares to read where rows belong in the results of a request. The request's result type is objects or object
  /// IDs.
  ///
  /// - Throws: PredicateError if the request does not fit the model.
  func placements(of request: FetchRequest) throws -> any PlacementReading

  /// Prepares to follow a relationship of `entity` backwards.
  ///
  /// - Throws: PredicateError for a relationship that is not stored, StoreError.
  func ownerLookUp(_ relationship: Int, of entity: Entity) throws -> any OwnerLookUp

  /// Returns the first, by name, of some tables whose rows are computed when they are read, such as a view: no commit
  /// reports their changes. Returns nil if all tables are stored. Names are in lower case.
  ///
  /// - Throws: StoreError.
  func computedTable(among tables: Set<String>) throws -> String?

  /// Returns the columns of an entity's rows that are computed when they are read: no commit reports their changes.
  /// Names are in lower case.
  ///
  /// - Throws: StoreError.
  func computedColumns(of entity: Entity) throws -> Set<String>
}

/// Reads where rows belong in a request's results: whether they are among the results, and their sort and section
/// values.
///
/// It applies the request's predicate and entity, not its limit and offset. Rows with equal values are ordered by their
/// keys.
public protocol PlacementReading: AnyObject {
  /// The sort values, one for each column of `PlacementRow`. Key columns come last if the key has several.
  var components: [PlacementComponent] { get }

  /// Whether the results depend on the time, and so change without a write.
  var isTimeDependent: Bool { get }

  /// Calls `body` with every row of the results, in no order. After a call of `restart`, all rows come again.
  ///
  /// - Throws: StoreError, or what `body` throws.
  func readAll(restart: () -> Void, _ body: (PlacementRow) throws -> Void) throws

  /// Calls `body` with the first rows in order, optionally only those that do not come before `start`.
  ///
  /// - Throws: StoreError, or what `body` throws.
  func readHead(
    from start: PlacementStart, limit: Int, offset: Int, _ body: (PlacementRow) throws -> Void
  ) throws

  /// Calls `body` with the rows with `keys` that are among the results, in no order. One round trip for some hundred
  /// keys.
  ///
  /// - Throws: StoreError, or what `body` throws.
  func read(keys: [Int64], _ body: (PlacementRow) throws -> Void) throws
}

extension PlacementReading {
  /// Calls `body` with the first rows in order.
  ///
  /// - Throws: StoreError, or what `body` throws.
  public func readHead(limit: Int, _ body: (PlacementRow) throws -> Void) throws {
    try readHead(from: .beginning, limit: limit, offset: 0, body)
  }

  /// Calls `body` with the first rows in order that do not come before `start`.
  ///
  /// - Throws: StoreError, or what `body` throws.
  public func readHead(from start: PlacementStart, limit: Int, _ body: (PlacementRow) throws -> Void) throws {
    try readHead(from: start, limit: limit, offset: 0, body)
  }
}

/// A position in an order of rows: a value of the first sort component, whose values must be numbers.
public enum PlacementStart: Hashable, Sendable {
  /// Before all rows.
  case beginning
  /// At the first row whose value is null.
  case null
  /// At the first row whose value is this number.
  case number(Double)
}

/// Finds the rows from which a relationship leads to other rows: the owners of members.
///
/// Live results call it after each commit, so it keeps its prepared statements. `body` may throw to stop early.
public protocol OwnerLookUp: AnyObject {
  /// Whether both directions of the relationship find the same rows: its columns and the columns to which they refer
  /// compare values alike.
  var isAlike: Bool { get }

  /// Whether a lookup reads a whole table, because no index leads back. For display to users; may take several round
  /// trips.
  ///
  /// - Throws: StoreError.
  func scans() throws -> Bool

  /// Calls `body` with the key of each owner from which the relationship leads to a row with one of `members`.
  ///
  /// The members may be deleted already if owners or pairs refer to them by key.
  ///
  /// - Throws: StoreError, or what `body` throws.
  func owners(of members: Set<Int64>, _ body: (Int64) throws -> Void) throws

  /// Calls `body` with the key of each owner that refers to `names`, for a relationship stored in columns of the owners
  /// or in pairs.
  ///
  /// - Throws: StoreError, or what `body` throws.
  func owners(ofMembersNamed names: ReferenceNames, _ body: (Int64) throws -> Void) throws

  /// Calls `body` with the key of each owner to which columns of members or pairs refer by `names`.
  ///
  /// - Throws: StoreError, or what `body` throws.
  func owners(named names: ReferenceNames, _ body: (Int64) throws -> Void) throws
}

/// The column values with which references identify rows.
public enum ReferenceNames {
  /// Values of a single column.
  case values([Value])
  /// Combinations of several columns' values; nil matches any value.
  case combinations(Set<[Value?]>)
}
