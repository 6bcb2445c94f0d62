public import Modeling
public import Queries

/// Answers what live results ask, so that a change is followed to the rows that it moves and nothing is fetched again.
public protocol LiveReading: ObjectStoreBasics {
  /// Prepares to read where rows of a request belong. The request's result type is objects or object IDs.
  ///
  /// - Throws: PredicateError where the request does not fit the model.
  func placements(of request: FetchRequest) throws -> any PlacementReading

  /// Prepares to walk a relationship of `entity` backwards.
  ///
  /// - Throws: PredicateError for a relationship that the store does not keep, StoreError.
  func ownerLookUp(_ relationship: Int, of entity: Entity) throws -> any OwnerLookUp

  /// The first, by name, of some tables whose rows the store makes up when they are read, so that no commit tells of
  /// them: a view. Nil where all are kept. Names are in lower case.
  ///
  /// - Throws: StoreError.
  func computedTable(among tables: Set<String>) throws -> String?

  /// The columns of an entity's rows that are computed whenever they are read, so that no commit tells that they
  /// changed; in lower case.
  ///
  /// - Throws: StoreError.
  func computedColumns(of entity: Entity) throws -> Set<String>
}

/// Reads where rows of a request belong: whether they are among its results, and the values that they are ordered and
/// sectioned by.
///
/// The request's predicate and entity hold, its limit and offset do not. Rows that the values do not tell apart are in
/// the order of their keys.
public protocol PlacementReading: AnyObject {
  /// What rows are ordered by: column for column of `PlacementRow`. Where keys are of several columns, these come last.
  var components: [PlacementComponent] { get }

  /// Whether the time decides which rows are selected or where, so that they change without a write.
  var isTimeDependent: Bool { get }

  /// Calls `body` with every row of the results, in no order. After `restart` was called, all rows come again.
  ///
  /// - Throws: StoreError, or what `body` throws.
  func readAll(restart: () -> Void, _ body: (PlacementRow) throws -> Void) throws

  /// Calls `body` with the first rows of the order, or of what of it is not before `start`, in that order.
  ///
  /// - Throws: StoreError, or what `body` throws.
  func readHead(
    from start: PlacementStart, limit: Int, offset: Int, _ body: (PlacementRow) throws -> Void
  ) throws

  /// Calls `body` with those of the rows with `keys` that are among the results, in no order. One round trip for some
  /// hundred keys.
  ///
  /// - Throws: StoreError, or what `body` throws.
  func read(keys: [Int64], _ body: (PlacementRow) throws -> Void) throws
}

extension PlacementReading {
  /// Calls `body` with the first rows of the order.
  ///
  /// - Throws: StoreError, or what `body` throws.
  public func readHead(limit: Int, _ body: (PlacementRow) throws -> Void) throws {
    try readHead(from: .beginning, limit: limit, offset: 0, body)
  }

  /// Calls `body` with the first rows of what of the order is not before `start`.
  ///
  /// - Throws: StoreError, or what `body` throws.
  public func readHead(from start: PlacementStart, limit: Int, _ body: (PlacementRow) throws -> Void) throws {
    try readHead(from: start, limit: limit, offset: 0, body)
  }
}

/// Where an order of rows is taken up again: at a value of its first component, which is one of numbers.
public enum PlacementStart: Hashable, Sendable {
  /// At its beginning.
  case beginning
  /// At the first row that has nothing there.
  case null
  /// At the first row with this number.
  case number(Double)
}

/// Finds the rows from which a relationship leads to others: the owners of members.
///
/// It is asked after each commit, and so keeps what asking costs to prepare. `body` may throw to end a look-up early.
public protocol OwnerLookUp: AnyObject {
  /// Whether a reference finds the same rows from both sides: the columns that refer compare as the columns that they
  /// refer to.
  var isAlike: Bool { get }

  /// Whether a look-up reads a whole table, because no index leads back. For people: it may cost some round trips.
  ///
  /// - Throws: StoreError.
  func scans() throws -> Bool

  /// Calls `body` with the key of each owner from which the relationship leads to a row with one of `members`.
  ///
  /// For a relationship that is kept in pairs and whose members are not called by their keys, and for one kept in
  /// columns of the owners, the members need not be there any more if they are called by their keys.
  ///
  /// - Throws: StoreError, or what `body` throws.
  func owners(of members: Set<Int64>, _ body: (Int64) throws -> Void) throws

  /// Calls `body` with the key of each owner that leads to what is called so: for a relationship kept in columns of the
  /// owners, or in pairs.
  ///
  /// - Throws: StoreError, or what `body` throws.
  func owners(ofMembersNamed names: ReferenceNames, _ body: (Int64) throws -> Void) throws

  /// Calls `body` with the key of each owner that is called so by columns of others: of members, or of pairs.
  ///
  /// - Throws: StoreError, or what `body` throws.
  func owners(named names: ReferenceNames, _ body: (Int64) throws -> Void) throws
}

/// What references hold, by which rows are called.
public enum ReferenceNames {
  /// Values of a lone column.
  case values([Value])
  /// Values of several columns together; nil may be anything.
  case combinations(Set<[Value?]>)
}
