public import Modeling
public import Queries

/// Reads rows of a store: the rows that requests select, and rows with given keys.
public protocol ObjectReading: ObjectStoreBasics {
  // MARK: By request

  /// Returns a cursor over the rows that a request selects; with `keysOnly`, over their keys and entities alone.
  ///
  /// The cursor applies predicate, order, limit and offset. Rows that are equal by the sort descriptors come by
  /// ascending keys. Without sort descriptors the order is undefined, but all rows of a store in this process come by
  /// ascending keys. The caller merges unsaved objects. Rows are read
  /// one by one, in constant memory. Close a cursor that is not read to its end.
  ///
  /// - Throws: PredicateError for a request that does not fit the model, StoreError.
  func cursor(_ request: FetchRequest, keysOnly: Bool) throws -> RowCursor

  /// Has `read` make bytes of the rows that a request selects, by several threads and for some of the rows at a time, and calls
  /// `deliver` on this thread with these bytes and the numbers of their rows, in the order of `cursor`. Returns false, before it
  /// delivers anything, where `cursor` should be used instead: for few rows, and where several threads cannot keep its rules.
  ///
  /// Some megabytes of what `read` makes wait to be delivered.
  ///
  /// - Throws: PredicateError, StoreError, what `read` and `deliver` throw.
  func readParts(
    of request: FetchRequest, _ read: @escaping RowPartReader, _ deliver: (_ bytes: [UInt8], _ rows: Int) throws -> Void
  ) throws -> Bool

  /// Returns the keys of the rows that a request selects, in the order of `cursor`; without sort descriptors integer
  /// keys ascend.
  ///
  /// One round trip, eight bytes a row.
  ///
  /// - Throws: PredicateError, StoreError.
  func keys(_ request: FetchRequest) throws -> [Int64]

  /// Returns the number of objects, dictionaries or groups that a request selects, within its limit and offset. One
  /// round trip.
  ///
  /// - Throws: PredicateError, StoreError.
  func count(_ request: FetchRequest) throws -> Int

  /// Returns the rows of a dictionary request, with the columns that it names.
  ///
  /// With `tiesByKey`, for dictionaries of single objects, rows that are equal by the sort descriptors come by
  /// ascending keys of their objects.
  ///
  /// - Throws: PredicateError, StoreError.
  func dictionaries(_ request: FetchRequest, tiesByKey: Bool) throws -> ValueCursor

  /// Returns the values of aggregate expressions over the rows that a request selects, in the order of the expressions.
  /// One round trip.
  ///
  /// - Throws: PredicateError, StoreError.
  func aggregate(_ request: FetchRequest, _ expressions: [Expression]) throws -> [Value]

  /// Evaluates predicates for every row of the request's entity, by ascending keys; the request's own predicate, limit
  /// and offset are ignored. One pass over the rows.
  ///
  /// - Throws: PredicateError, StoreError.
  func answers(_ request: FetchRequest, to predicates: [Predicate]) throws -> AnswerCursor

  /// The number of rows that the last count or list of keys scanned; 0 if the store does not know.
  ///
  /// It explains slow reads: set it to 0 before the read to measure.
  var lastScan: Int { get set }

  /// Returns why a request may be slow, without running it.
  ///
  /// - Throws: PredicateError, StoreError.
  func diagnosis(of request: FetchRequest) throws -> ReadDiagnosis

  // MARK: By key

  /// Returns the rows of `entity` and its subentities with the given keys, in any order. Keys without a row are
  /// skipped; a repeated key may return its row twice.
  ///
  /// One round trip for some hundred keys.
  ///
  /// - Throws: StoreError.
  func rows(of entity: Entity, keys: [Int64]) throws -> RowCursor

  /// Returns the key of the object whose properties at `indices` have `values`; nil if there is none. One round trip.
  ///
  /// - Throws: StoreError.
  func key(of entity: Entity, where indices: [Int], equal values: [Value]) throws -> Int64?

  /// Returns the key with these column values, whether or not a row has it; nil if no key can have them.
  ///
  /// No round trip.
  ///
  /// - Throws: StoreError.
  func key(of entity: Entity, fromKeyValues values: [Value]) throws -> Int64?

  /// Returns the values by which users identify a key, one for each of its columns. No round trip.
  func keyValues(of entity: Entity, key: Int64) -> [Value]

  /// Opens a value that was read from a column with a sealed encoding: reads external data, or decodes an archive.
  /// Returns other values unchanged.
  func opened(_ value: Value, of column: ColumnLayout) -> Value

  /// Whether a value that was read from a column names a file that is missing.
  func isFileMissing(_ value: Value, of column: ColumnLayout) -> Bool

  /// Runs `body`, which only reads, so that all its reads see one snapshot of the store.
  ///
  /// - Throws: StoreError, or what `body` throws.
  func reading<Result>(_ body: () throws -> Result) throws -> Result
}

/// Makes bytes of the rows of a cursor, which it does not close, and hands them on by `put` with the number of rows since the last
/// time, until `put` returns false.
public typealias RowPartReader =
  @Sendable (_ rows: RowCursor, _ put: (_ bytes: [UInt8], _ rows: Int) -> Bool) throws -> Void

extension ObjectReading {
  /// False: one thread reads all rows.
  public func readParts(
    of request: FetchRequest, _ read: @escaping RowPartReader, _ deliver: (_ bytes: [UInt8], _ rows: Int) throws -> Void
  ) throws -> Bool { false }

  /// What the predicate shows of itself.
  public func diagnosis(of request: FetchRequest) throws -> ReadDiagnosis { ReadDiagnosis(request) }

  /// False: all values are in the store itself.
  public func isFileMissing(_ value: Value, of column: ColumnLayout) -> Bool { false }

  /// Returns a cursor over the rows that a request selects, with their values.
  ///
  /// - Throws: PredicateError, StoreError.
  public func cursor(_ request: FetchRequest) throws -> RowCursor { try cursor(request, keysOnly: false) }

  /// Returns the rows of a dictionary request.
  ///
  /// - Throws: PredicateError, StoreError.
  public func dictionaries(_ request: FetchRequest) throws -> ValueCursor {
    try dictionaries(request, tiesByKey: false)
  }
}
