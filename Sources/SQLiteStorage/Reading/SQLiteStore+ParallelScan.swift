import Modeling
public import Queries
import SQLite
public import Stores

extension SQLiteStore {
  /// Counts the rows of a request by several connections; nil where the store's own has to.
  func parallelCount(_ source: RequestSQL) throws -> Int? {
    guard source.countsRows, let ranges = try scanRanges(of: source.request.entity) else { return nil }
    let (statement, place) = try source.rowCount()
    // Without a condition SQLite counts the cells of pages.
    if statement.conditions.isEmpty { return nil }
    var part = statement
    part.columns = ["count(*)"]
    switch try firstReading(part, place, ranges, for: statement.counting) {
    case .statement(let statement):
      defer { connection.checkIn(statement) }
      return Int(statement.integer(0))
    case .parts(let parts): return parts.reduce(0) { $0 + Int($1.integer(0)) }
    case nil: return nil
    }
  }

  /// Returns groups or distinct rows that several connections have found; nil where the store's own has to.
  func parallelGroups(_ source: RequestSQL) throws -> ValueCursor? {
    guard let ranges = try scanRanges(of: source.request.entity), let steps = try? source.partialDictionaries()
    else { return nil }
    return try gather(steps, ranges, for: source.dictionaries().sql)
  }

  /// Returns aggregates over all rows of a request, instead of `whole`; nil where the store's own connection has to.
  func parallelAggregates(
    _ source: RequestSQL, _ expressions: [Queries.Expression], for whole: SQLFragment
  ) throws -> ValueCursor? {
    guard let ranges = try scanRanges(of: source.request.entity), let steps = try? source.partialAggregates(expressions)
    else { return nil }
    return try gather(steps, ranges, for: whole)
  }

  /// Runs the first step for all ranges, and the second step over its rows in a database in memory.
  private func gather(
    _ steps: PartialStatement, _ ranges: [ClosedRange<Int64>], for whole: SQLFragment
  ) throws -> ValueCursor? {
    if try hasCollations() { return nil }
    switch try firstReading(steps.part, steps.place, ranges, for: whole) {
    case .statement(let statement): return StatementValueCursor(statement, steps.shapes, isWaiting: true)
    case .parts(let parts):
      let gathered = try connection.gathering(parts, count: steps.part.columns.count)
      gathered.addFunctions = { [functions] in
        functions.install(on: $0)
        functions.installMerging(on: $0)
      }
      guard let statement = try? gathered.prepare(steps.whole.text) else { return nil }
      for (index, value) in steps.whole.arguments.enumerated() {
        try statement.bind(ValueCoding.stored(value), at: index + 1)
      }
      return StatementValueCursor(statement, steps.shapes)
    case nil: return nil
    }
  }

  /// Whether a table declares how its texts are compared, which columns of parts do not.
  private func hasCollations() throws -> Bool {
    let sql = "SELECT 1 FROM main.sqlite_schema WHERE type <> 'index' AND sql LIKE '%collate%' LIMIT 1 /* _perilune */"
    return try connection.first(sql) != nil
  }

  private var functions: SQLFunctions { SQLFunctions(externalData: format.dataFiles) }

  /// The ranges of an entity's keys for several connections; nil if its table is too small, or must be read by the store's own.
  private func scanRanges(of entity: Entity) throws -> [ClosedRange<Int64>]? {
    try scannedKeys(of: entity).flatMap(parallelism.ranges)
  }

  /// The least and the greatest key of an entity's table; nil if it must be read by the store's own connection.
  private func scannedKeys(of entity: Entity) throws -> ClosedRange<Int64>? {
    let layout = layout(of: entity)
    guard parallelism.workers > 1, case .rowID(let key) = layout.key, !hidesProperties,
      connection.fileSize >= parallelism.leastBytes, connection.canShareSnapshot
    else { return nil }
    let (table, name) = (quotedName(layout.table), quotedName(key))
    let ends = try connection.all(
      "SELECT (SELECT min(\(name)) FROM \(table)), (SELECT max(\(name)) FROM \(table)) /* _perilune */")
    guard case .int(let least)? = ends.first?[0], case .int(let greatest)? = ends.first?[1] else { return nil }
    return least...greatest
  }
}

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
        let connection = statement.connection
        let rows = StatementRowCursor(statement, shape, interner: nil, readsInOrder: true)
        defer {
          rows.close()
          MappedPages.endPart(connection)
        }
        try read(rows, put)
      }, deliver)
    if isRead { try trace(whole.sql, since: start) }
    return isRead
  }
}

extension SQLiteStore {
  /// What several connections have read, or else the store's own.
  private enum FirstReading {
    /// The rows of each range.
    case parts([ScannedRows])
    /// The whole statement, on its first row.
    case statement(Statement)
  }

  /// Runs a statement for ranges of a place's keys, or `whole` if an index soon answers it; nil where the store's own connection
  /// has to run `whole`.
  private func firstReading(
    _ part: SelectStatement, _ place: SQLPlace, _ ranges: [ClosedRange<Int64>], for whole: SQLFragment
  ) throws -> FirstReading? {
    var part = part
    let key = layout(of: place.entity).key.columns[0]
    part.conditions.append(SQLCondition("\(place.column(key)) BETWEEN :from AND :to"))
    let start = monotonicSeconds()
    let plan = try plan(of: whole)
    switch TableReading(plan, of: place.alias) {
    case .all(isCovered: true):
      // An index that has groups in their order leaves nothing to sort, and a range of the table does.
      if part.hasGroups, !plan.sortsForGroups { return nil }
      // The table has more pages than the index, which matters where they come from the disk.
      if connection.fileSize > parallelism.mostUncoveredBytes { return nil }
    case .all: break
    case .indexRange where !part.hasGroups:
      // A range of few entries is found at once, one of many by rows that are here and there in the table.
      if let statement = try attempt(whole, seconds: parallelism.seconds(for: ranges)) { return .statement(statement) }
    default: return nil
    }
    guard try reading(of: part.sql, place) == .keyRange, let rows = try scan(part.sql, ranges) else { return nil }
    try trace(whole, since: start)
    return .parts(rows)
  }

  private func reading(of sql: SQLFragment, _ place: SQLPlace) throws -> TableReading {
    TableReading(try plan(of: sql), of: place.alias)
  }

  private func plan(of sql: SQLFragment) throws -> [PlanLine] { try connection.plan(of: "\(sql) /* _perilune */") }

  private func scan(_ sql: SQLFragment, _ ranges: [ClosedRange<Int64>]) throws -> [ScannedRows]? {
    // Where most rows are groups by themselves, putting these together takes longer than finding them.
    let most = max((ranges.first?.count ?? 0) / Parallelism.keysForEachGroup, Parallelism.fewGroups)
    let scan = ParallelScan(connection, workers: parallelism.workers, functions.install)
    let rows = try scan.rows(sql.text, sql.arguments.map(ValueCoding.stored), ranges, mostRows: most)
    if rows != nil, let first = ranges.first, let last = ranges.last {
      lastScan = Int(clamping: UInt64(bitPattern: last.upperBound &- first.lowerBound))
    }
    return rows
  }

  /// A statement on its first row; nil if that takes longer.
  private func attempt(_ sql: SQLFragment, seconds: Double) throws -> Statement? {
    let (isInterrupted, end) = (connection.isInterrupted, monotonicSeconds() + seconds)
    var isLate = false
    connection.isInterrupted = {
      isLate = monotonicSeconds() > end
      return isLate || isInterrupted()
    }
    defer { connection.isInterrupted = isInterrupted }
    let statement = try bound(sql)
    do {
      if try statement.step() { return statement }
    } catch {
      connection.checkIn(statement)
      if isLate, error.fact == .interrupted, !isInterrupted() { return nil }
      throw error
    }
    connection.checkIn(statement)
    return nil
  }

  /// Tells a trace of a statement that several connections have run.
  private func trace(_ whole: SQLFragment, since start: Double) throws {
    guard let traced = connection.traced else { return }
    let statement = try bound(whole)
    defer { connection.checkIn(statement) }
    traced(statement.expandedSQL, monotonicSeconds() - start)
  }
}
