public import Modeling
public import Queries
import RelationalStorage
import StoreErrors
public import Stores

// The conformance to `ObjectStore`; most of its members are in the files of their subjects.
extension PostgresStore: ObjectStore {
  /// The traits of the store. Tables that others made may check references at once, and columns hold their own types.
  public var traits: StoreTraits {
    // By a socket of the same machine a statement takes as long as some dozens of rows; over a network, as many more.
    StoreTraits(declaresSchema: format.declaresSchema, rowsPerRoundTrip: 40)
  }

  /// The violations of the store's own rules. PostgreSQL enforces the rules of its tables.
  public func checkInvariants() throws -> [String] { [] }

  // MARK: Rows

  /// The rows of a request of dictionaries.
  public func dictionaries(_ request: FetchRequest, tiesByKey: Bool) throws -> ValueCursor {
    try DictionaryRows(self).rows(request, tiesByKey: tiesByKey)
  }

  /// The values of aggregate expressions over the rows that a request selects.
  public func aggregate(_ request: FetchRequest, _ expressions: [Expression]) throws -> [Value] {
    if expressions.isEmpty { return [] }
    var groups = request.inlined
    groups.resultType = .dictionaries
    groups.propertiesToFetch = expressions.enumerated().map { FetchedColumn("#\($0)", $1.inlined) }
    groups.propertiesToGroupBy = []
    groups.havingPredicate = nil
    if (request.fetchLimit ?? 0) == 0, request.fetchOffset == 0 { groups.sortDescriptors = [] }
    return try GroupedDictionaries(groups, self, limitsRows: true).rows().first ?? expressions.map { _ in .null }
  }

  // MARK: Members

  /// Adds a member to a to-many that is kept in pairs; nothing changes when it is one already.
  public func link(_ relationship: Int, in entity: Entity, owner: Int64, member: Int64, order: Int64?) throws {
    try PairWriter(self).link(relationship, in: entity, owner: owner, member: member, order: order)
  }

  /// Adds many members, each behind those that its owner has.
  public func link(_ relationship: Int, in entity: Entity, pairs: [(owner: Int64, member: Int64)]) throws {
    try PairWriter(self).link(relationship, in: entity, pairs: pairs)
  }

  /// Takes a member out of a to-many that is kept in pairs.
  public func unlink(_ relationship: Int, in entity: Entity, owner: Int64, member: Int64) throws {
    try PairWriter(self).unlink(relationship, in: entity, owner: owner, member: member)
  }

  /// Brings the members of an ordered to-many into an order.
  public func setOrder(_ relationship: Int, in entity: Entity, owner: Int64, members: [Int64]) throws {
    try MemberOrder(self).set(relationship, in: entity, owner: owner, members: members)
  }

  // MARK: Live results

  /// Prepares to walk a relationship of `entity` backwards.
  public func ownerLookUp(_ relationship: Int, of entity: Entity) throws -> any OwnerLookUp {
    try PostgresOwnerLookUp(relationship, of: entity, self)
  }

  /// Prepares to read where rows of a request belong.
  public func placements(of request: FetchRequest) throws -> any PlacementReading {
    try PostgresPlacements(self, request)
  }

  /// The first of some tables that is a view.
  public func computedTable(among names: Set<String>) -> String? {
    names.sorted().first { name in
      layouts.values.contains { $0.table.lowercased() == name && tables[$0.table].isView }
    }
  }

  /// The generated columns that are computed when they are read; PostgreSQL stores them.
  public func computedColumns(of entity: Entity) -> Set<String> { [] }
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

  /// Tries opening the store with another model, in a transaction that is rolled back.
  ///
  /// It does everything that a migration does: it converts and counts rows, and calls functions. Others wait for its tables.
  public func rehearseMigration(
    to model: Model, stages: [MigrationStage], permitsLosses: Bool = false,
    migrate: ((Migration) throws -> Void)?
  ) throws -> MigrationReport {
    guard format.declaresSchema else { throw StoreError(.notMigratable, path: path) }
    if transactions.depth > 0 || pool.pins > 0 || isInTransactionByHand {
      throw StoreError(.openTransaction, path: path)
    }
    if isReadOnly { throw readOnlyError }
    var options = StoreOptions(path: path)
    (options.model, options.stages, options.migrate) = (model, stages, migrate)
    options.permitsLosses = permitsLosses
    let route = try MigrationRoute(from: self.model, to: model, options)
    let flushing = pool.willRun
    defer { pool.willRun = flushing }
    let run = PostgresMigrationRun(pool: pool, route: route)
    return try run.run(self.model, undoes: true, listsObstacles: true, toleratesLosses: true) ?? MigrationReport()
  }
}
