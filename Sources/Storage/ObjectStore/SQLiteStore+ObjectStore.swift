public import Modeling
public import Queries

// What contexts and live results ask of a store; the rest of the conformance stands with its subjects.
extension SQLiteStore: ObjectStore {
  /// What sets the store apart from others: files that were not made here may hold anything, and forbid empty references.
  public var traits: StoreTraits {
    StoreTraits(allowsEmptyReferences: format.declaresSchema, keepsDeclaredValues: format.declaresSchema)
  }

  /// The rows of a request of dictionaries.
  ///
  /// - Throws: PredicateError, StoreError.
  public func dictionaries(_ request: FetchRequest, tiesByKey: Bool) throws -> ValueCursor {
    try dictionaries(request, insertedInto: nil, tiesByKey: tiesByKey)
  }

  /// Has `body` called after each commit of this connection.
  public func onOwnCommit(_ body: @escaping (OwnCommit) -> Void) -> CommitSubscription? {
    onCommit { [unowned self] changes in
      body(
        OwnCommit(
          author: transactionInfo.author, touched: { [unowned self] in TouchedRows(changes, of: self) },
          replaced: { [unowned self] in changes.replacedValues(of: $0, in: self) }))
    }
  }

  /// Notices what others commit to the file.
  public var commitWatch: (any CommitWatch)? { foreignWatch }

  /// Prepares to read where rows of a request belong.
  ///
  /// - Throws: PredicateError where the request does not fit the model.
  public func placements(of request: FetchRequest) throws -> any PlacementReading { try PlacementReader(self, request) }

  /// Prepares to walk a relationship of `entity` backwards.
  ///
  /// - Throws: PredicateError for a relationship that the store does not keep.
  public func ownerLookUp(_ relationship: Int, of entity: Entity) throws -> any OwnerLookUp {
    try StatementOwnerLookUp(relationship, of: entity, self)
  }

  /// The first of some tables that is a view or a virtual table.
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

  /// The generated columns of an entity's table that are not stored.
  ///
  /// - Throws: StoreError.
  public func computedColumns(of entity: Entity) throws -> Set<String> {
    let names = try connection.all(
      "SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 2", [.string(layout(of: entity).table)])
    return Set(names.compactMap { if case .string(let name) = $0[0] { asciiLowercased(name) } else { nil } })
  }
}
