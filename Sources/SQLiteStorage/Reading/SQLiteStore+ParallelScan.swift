import Modeling
import Queries
import SQLite

extension SQLiteStore {
  /// Counts the rows of a request by several connections; nil where the store's own does it in less time, or has to.
  func parallelCount(_ source: RequestSQL) throws -> Int? {
    guard source.countsRows, let ranges = try scanRanges(of: source.request.entity) else { return nil }
    let (statement, place) = try source.rowCount()
    // Without a condition SQLite counts the cells of pages.
    guard !statement.conditions.isEmpty, try scansTable(statement.counting, place) else { return nil }
    var part = statement
    part.columns = ["count(*)"]
    guard let parts = try scan(part, place, ranges, for: statement.counting) else { return nil }
    return parts.reduce(0) { $0 + Int($1.integer(0)) }
  }

  /// The ranges of an entity's keys for several connections; nil if its table is too small, or must be read by the store's own.
  private func scanRanges(of entity: Entity) throws -> [ClosedRange<Int64>]? {
    let layout = layout(of: entity)
    guard parallelism.workers > 1, case .rowID(let key) = layout.key, !hidesProperties,
      connection.fileSize >= parallelism.leastBytes, connection.isIdle
    else { return nil }
    let (table, name) = (quotedName(layout.table), quotedName(key))
    let ends = try connection.all(
      "SELECT (SELECT min(\(name)) FROM \(table)), (SELECT max(\(name)) FROM \(table)) /* _perilune */")
    guard case .int(let least)? = ends.first?[0], case .int(let greatest)? = ends.first?[1],
      UInt64(bitPattern: greatest &- least) >= parallelism.leastKeys
    else { return nil }
    return ParallelScan.pieces(
      least...greatest, parallelism.workers * Parallelism.rangesEach, least: parallelism.leastRange)
  }

  /// Whether SQLite looks at all rows of a place, one after the other, and nothing that ranges of its rows would have read again.
  private func scansTable(_ sql: SQLFragment, _ place: SQLPlace) throws -> Bool {
    let lines = try connection.plan(of: "\(sql) /* _perilune */")
    guard let first = lines.first?.step, case .access(let access) = first else { return false }
    guard access.subject == place.alias, !access.isSearch else { return false }
    switch access.path {
    case .table: break
    // The table has more pages than the index, which matters where they come from the disk.
    case .index(_, isCovering: true) where connection.fileSize <= parallelism.mostUncoveredBytes: break
    default: return false
    }
    return lines.dropFirst().allSatisfy { line in
      switch line.step {
      case .access(let access): access.path != .automaticIndex
      case .subquery(let isCorrelated, _): isCorrelated
      case .tree: true
      default: false
      }
    }
  }

  /// Runs a statement for ranges of a place's keys, instead of `whole`; nil where the store's own connection has to.
  private func scan(
    _ part: SelectStatement, _ place: SQLPlace, _ ranges: [ClosedRange<Int64>], for whole: SQLFragment
  ) throws -> [ScannedRows]? {
    var part = part
    let key = layout(of: place.entity).key.columns[0]
    part.conditions.append(SQLCondition("\(place.column(key)) BETWEEN :from AND :to"))
    let start = monotonicSeconds()
    let functions = SQLFunctions(externalData: format.dataFiles)
    let scan = ParallelScan(connection, workers: parallelism.workers, functions.install)
    let sql = part.sql
    guard let rows = try scan.rows(sql.text, sql.arguments.map(ValueCoding.stored), ranges) else { return nil }
    if let first = ranges.first, let last = ranges.last {
      lastScan = Int(clamping: UInt64(bitPattern: last.upperBound &- first.lowerBound))
    }
    if let traced = connection.traced {
      let statement = try bound(whole)
      defer { connection.checkIn(statement) }
      traced(statement.expandedSQL, monotonicSeconds() - start)
    }
    return rows
  }
}
