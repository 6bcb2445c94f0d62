public import Modeling
public import Queries
public import Stores

// The conformance to `ObjectStore`; most of its members are in the files of their subjects.
extension PostgresStore: ObjectStore {
  /// The traits of the store. Tables that others made may check references at once, and columns hold their own types.
  public var traits: StoreTraits {
    // By a socket of the same machine a statement takes as long as some dozens of rows; over a network, as many more.
    StoreTraits(declaresSchema: kind == .perilune, rowsPerRoundTrip: 40)
  }

  /// The violations of the store's own rules. PostgreSQL enforces the rules of its tables.
  public func checkInvariants() throws -> [String] { [] }
}

// What files and servers have not in common.
extension PostgresStore {
  /// Whether handwritten SQL has begun a transaction: PostgreSQL runs nothing in one that failed.
  public var isFailureFatalToTransaction: Bool { isInTransactionByHand }

  /// The rows of a dictionary request, which a server reads from one snapshot.
  public func dictionaries(_ request: FetchRequest, insertedInto target: Entity, changing: Bool) throws -> ValueCursor {
    try dictionaries(request)
  }

  /// The plans that the server makes for requests.
  public var plans: any RequestPlanning { PostgresPlans(store: self) }

  /// Returns why a request may be slow, by the server's plan of it.
  ///
  /// - Throws: PredicateError, StoreError.
  public func diagnosis(of request: FetchRequest) throws -> ReadDiagnosis {
    try PostgresPlans(store: self).diagnosis(of: request)
  }

  /// Checks what the server does not check; returns the problems, at most `limit` of one kind in one place.
  ///
  /// - Throws: StoreError.
  public func verify(limit: Int) throws -> [StoreProblem] {
    try PostgresVerification(store: self, limit: limit).problems()
  }

  /// Examines the database.
  public func examine() -> StoreDiagnosis { PostgresExamination(store: self).diagnosis() }

  /// Whether another store has the same address.
  public func isSame(as other: any OpenedStore) -> Bool { other === self || other.path == path }

  /// Nil: no framework names objects in a server.
  public func uri(of id: ObjectID) -> String? { nil }

  /// Nil: the server counts a statement's rows at its end.
  public var workInProgress: (rows: Int, expected: Int)? { nil }

  /// False: a database has no file here.
  public var isMoved: Bool { false }

  /// False: the server keeps its log itself.
  public func checkpointIfNeeded() -> Bool { false }
}
