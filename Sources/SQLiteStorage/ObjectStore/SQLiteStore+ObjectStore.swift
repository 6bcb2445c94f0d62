public import Modeling
public import Queries

// The interface for contexts and live results; the other members of the conformance are in the files of their subjects.
extension SQLiteStore: OpenedStore {
  /// The store's traits: only Perilune's own format guarantees declared types, and allows empty references within a
  /// transaction.
  public var traits: StoreTraits {
    StoreTraits(declaresSchema: format.declaresSchema, readsTablesForOthers: true)
  }

  /// The plans that SQLite makes for requests.
  public var plans: any RequestPlanning { SQLitePlans(store: self) }

  /// Returns why a request may be slow, by SQLite's plan of it.
  ///
  /// - Throws: PredicateError, StoreError.
  public func diagnosis(of request: FetchRequest) throws -> ReadDiagnosis {
    try SQLitePlans(store: self).diagnosis(of: request)
  }

  /// Returns the rows of a dictionary request.
  ///
  /// - Throws: PredicateError, StoreError.
  public func dictionaries(_ request: FetchRequest, tiesByKey: Bool) throws -> ValueCursor {
    try dictionaries(request, insertedInto: nil, tiesByKey: tiesByKey)
  }

  /// Returns the rows of a dictionary request as they are before what is inserted or changed while they are read.
  ///
  /// - Throws: PredicateError, StoreError.
  public func dictionaries(_ request: FetchRequest, insertedInto target: Entity, changing: Bool) throws -> ValueCursor {
    try dictionaries(request, insertedInto: target, changing: changing, tiesByKey: false)
  }

  /// Calls `body` after each commit of this connection.
  public func onOwnCommit(_ body: @escaping (OwnCommit) -> Void) -> CommitSubscription? {
    onCommit { [unowned self] changes in
      body(
        OwnCommit(
          author: transactionInfo.author, touched: { [unowned self] in TouchedRows(changes, of: self) },
          replaced: { [unowned self] in changes.replacedValues(of: $0, in: self) }))
    }
  }

  /// Whether a transaction of this connection has written and is open.
  public var showsUncommittedRows: Bool { connection.isWriting }

  /// The changes of the open transaction that the preupdate hook has seen.
  public func rowsTouchedByOpenTransaction() throws -> TouchedRows? {
    try changesOfTransaction().map { TouchedRows($0, of: self) }
  }

  /// The watch on other connections' commits.
  public var commitWatch: (any CommitWatch)? { foreignWatch }

  /// Prepares to read where rows belong in the results of a request.
  ///
  /// - Throws: PredicateError if the request does not fit the model.
  public func placements(of request: FetchRequest) throws -> any PlacementReading { try PlacementReader(self, request) }

  /// Prepares to follow a relationship of `entity` backwards.
  ///
  /// - Throws: PredicateError for a relationship that is not stored.
  public func ownerLookUp(_ relationship: Int, of entity: Entity) throws -> any OwnerLookUp {
    try StatementOwnerLookUp(relationship, of: entity, self)
  }

  /// Returns the first of some tables that is a view or a virtual table.
  ///
  /// - Throws: StoreError.
  public func computedTable(among tables: Set<String>) throws -> String? {
    for table in tables.sorted() {
      let kind = try connection.first(
        "SELECT type FROM pragma_table_list(?) WHERE schema = 'main'", [.string(table)])
      if let kind, kind != .string("table") { return table }
    }
    return nil
  }

  /// Returns the generated columns of an entity's table that are not stored.
  ///
  /// - Throws: StoreError.
  public func computedColumns(of entity: Entity) throws -> Set<String> {
    let names = try connection.all(
      "SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 2", [.string(layout(of: entity).table)])
    return Set(names.compactMap { if case .string(let name) = $0[0] { asciiLowercased(name) } else { nil } })
  }
}
