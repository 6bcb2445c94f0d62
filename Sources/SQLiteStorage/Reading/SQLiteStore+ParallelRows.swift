import Modeling
public import Queries
import SQLite
public import Stores

extension SQLiteStore {
  /// Reads the rows of a request by several connections: of one without sort descriptors, limit and offset, whose rows are found in
  /// the order of their keys by a look at all of them.
  ///
  /// - Throws: PredicateError, StoreError, what `read` and `deliver` throw.
  public func readParts(
    of request: FetchRequest, _ read: @escaping RowPartReader, _ deliver: (_ bytes: [UInt8], _ rows: Int) throws -> Void
  ) throws -> Bool {
    let source = RequestSQL(request, schema)
    guard source.request.sortDescriptors.isEmpty, source.countsRows, let keys = try scannedKeys(of: request.entity),
      let ranges = parallelism.ranges(of: keys, bytes: connection.fileSize)
    else { return false }
    let (whole, shape, place) = try source.rowStatement(keysOnly: false)
    var part = whole
    let key = source.keyColumns(place)
    part.conditions.append(SQLCondition("\(key[0]) BETWEEN :from AND :to"))
    part.order = key
    guard try reading(of: whole.sql, place) == .all(isCovered: false), try reading(of: part.sql, place) == .keyRange
    else { return false }
    let start = monotonicSeconds()
    let (sql, values) = (part.sql.text, part.sql.arguments.map(ValueCoding.stored))
    let scan = ParallelScan(connection, workers: parallelism.workers, functions.install)
    let isRead = try scan.pieces(
      sql, values, ranges,
      { statement, put in
        let rows = StatementRowCursor(statement, shape, interner: nil, readsInOrder: true)
        defer { rows.close() }
        try read(rows, put)
      }, deliver)
    if isRead { try trace(whole.sql, since: start) }
    return isRead
  }
}
