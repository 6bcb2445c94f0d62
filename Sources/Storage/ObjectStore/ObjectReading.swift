public import Modeling
public import Queries

/// Reads rows of a store: those that requests select, and those with given keys.
public protocol ObjectReading: ObjectStoreBasics {
  // MARK: By request

  /// The rows that a request selects, one after the other; their keys and entities alone if `keysOnly`.
  ///
  /// Predicate, order, limit and offset hold; rows that the order does not tell apart come by ascending keys, and without sort
  /// descriptors in any order. Unsaved objects are the caller's to take into account. Rows come as they are read: memory is constant. Close a cursor that is not read to
  /// its end.
  ///
  /// - Throws: PredicateError for a request that does not fit the model, StoreError.
  func cursor(_ request: FetchRequest, keysOnly: Bool) throws -> RowCursor

  /// The keys of the rows that a request selects, in the order of `cursor`; without sort descriptors
  /// integer keys ascend.
  ///
  /// One round trip, eight bytes a row.
  ///
  /// - Throws: PredicateError, StoreError.
  func keys(_ request: FetchRequest) throws -> [Int64]

  /// How many objects, dictionaries or groups a request selects, its limit and offset respected. One round trip.
  ///
  /// - Throws: PredicateError, StoreError.
  func count(_ request: FetchRequest) throws -> Int

  /// The rows of a request of dictionaries, with the columns that it names.
  ///
  /// With `tiesByKey`, which is for dictionaries of single objects, rows that the order does not tell apart come by ascending
  /// keys of these.
  ///
  /// - Throws: PredicateError, StoreError.
  func dictionaries(_ request: FetchRequest, tiesByKey: Bool) throws -> ValueCursor

  /// The values of aggregate expressions over what a request selects, in the order of the expressions. One round trip.
  ///
  /// - Throws: PredicateError, StoreError.
  func aggregate(_ request: FetchRequest, _ expressions: [Expression]) throws -> [Value]

  /// What each of some predicates says of every row of the request's entity, by ascending keys; the request's own predicate,
  /// limit and offset do not count. One pass over the rows.
  ///
  /// - Throws: PredicateError, StoreError.
  func answers(_ request: FetchRequest, to predicates: [Predicate]) throws -> AnswerCursor

  /// How many rows the last count or list of keys stepped over in scans; 0 where the store cannot know.
  ///
  /// It explains slow reads: set it to 0 before the read that is measured.
  var lastScan: Int { get set }

  // MARK: By key

  /// The rows of `entity` and its subentities with the given keys, in any order; keys without a row are left out, and a key
  /// that is given twice may come twice.
  ///
  /// One round trip for some hundred keys.
  ///
  /// - Throws: StoreError.
  func rows(of entity: Entity, keys: [Int64]) throws -> RowCursor

  /// The key of the object whose values of the properties at `indices` are `values`; nil when there is none. One round trip.
  ///
  /// - Throws: StoreError.
  func key(of entity: Entity, where indices: [Int], equal values: [Value]) throws -> Int64?

  /// The key that people call by these values, whether or not it has a row; nil for values that cannot be one.
  ///
  /// No round trip.
  ///
  /// - Throws: StoreError.
  func key(of entity: Entity, fromKeyValues values: [Value]) throws -> Int64?

  /// The values by which people call a key, one for each column of the key. No round trip.
  func keyValues(of entity: Entity, key: Int64) -> [Value]

  /// A value as it was read from a column whose encoding is sealed, opened: data that stands elsewhere, what an archive
  /// holds. Other values are answered as they are.
  func opened(_ value: Value, of column: ColumnLayout) -> Value

  /// Runs `body`, which only reads, so that all of it sees one state of the store.
  ///
  /// - Throws: StoreError, or what `body` throws.
  func reading<Result>(_ body: () throws -> Result) throws -> Result
}

extension ObjectReading {
  /// The rows that a request selects, with their values.
  ///
  /// - Throws: PredicateError, StoreError.
  public func cursor(_ request: FetchRequest) throws -> RowCursor { try cursor(request, keysOnly: false) }

  /// The rows of a request of dictionaries.
  ///
  /// - Throws: PredicateError, StoreError.
  public func dictionaries(_ request: FetchRequest) throws -> ValueCursor {
    try dictionaries(request, tiesByKey: false)
  }
}
