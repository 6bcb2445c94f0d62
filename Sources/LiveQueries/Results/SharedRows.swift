internal import Modeling
internal import Queries
internal import Stores

/// The rows that commits touched, shared by all results of an entity that evaluate a row by its own values.
///
/// Rows that a commit of this connection has already decoded are not read again. Other rows are read once for all
/// results: with a thousand results open, a change costs one read and a thousand evaluations in memory.
final class SharedRows {
  /// The maximum number of rows to read; beyond it, each result looks up its own.
  static let mostRows = 256
  /// The number of results from which reading them pays.
  static let fewestResults = 4

  /// The touched rows of one entity. A class, as all results are handed them.
  final class Rows {
    /// Their keys, ascending.
    let keys: [Int64]
    /// The stored row of each key; nil if there is none.
    let rows: [StoredRow?]

    init(keys: [Int64], rows: [StoredRow?]) {
      self.keys = keys
      self.rows = rows
    }
  }

  private let touched: TouchedRows
  private let store: any ObjectStore
  private let reads: Bool
  /// The rows that were read; a list, because most results of a context are of few entities.
  private var known: [(entity: Entity, rows: Rows?)] = []

  /// Shares the rows of `store` that were touched. Unknown rows are read only if there are enough `results`.
  init(_ touched: TouchedRows, in store: any ObjectStore, results: Int) {
    self.touched = touched
    self.store = store
    reads = results >= Self.fewestResults
  }

  /// The touched rows of an entity; nil if each result has to look them up, because some are unknown, there are too
  /// many, or they hold values of undeclared types.
  func rows(of entity: Entity, table: String) throws -> Rows? {
    if let known = known.first(where: { $0.entity === entity }) { return known.rows }
    let rows = try find(entity, table)
    known.append((entity, rows))
    return rows
  }

  private func find(_ entity: Entity, _ table: String) throws -> Rows? {
    guard touched.isComplete else { return nil }
    guard let table = touched.tables[table] else { return Rows(keys: [], rows: []) }
    if table.isUnknown { return nil }
    if let present = table.present {
      let keys = table.keys
      let rows = keys.map { present.contains($0) ? StoredRow(entity, $0, .present(present)) : nil }
      return Rows(keys: keys, rows: rows)
    }
    guard reads, table.inserted.count + table.updated.count + table.deleted.count <= Self.mostRows else { return nil }
    return try read(entity, table.keys)
  }

  private func read(_ entity: Entity, _ keys: [Int64]) throws -> Rows? {
    var rows = [StoredRow?](repeating: nil, count: keys.count)
    let cursor = try store.rows(of: entity, keys: keys)
    defer { cursor.close() }
    let layout = store.layout(of: entity)
    while try cursor.step() {
      guard let values = try? StoredRow.values(cursor, entity, layout) else { return nil }
      let place = keys.countBelow { $0 < cursor.key }
      if place < keys.count, keys[place] == cursor.key {
        rows[place] = StoredRow(entity, cursor.key, .values(values))
      }
    }
    return Rows(keys: keys, rows: rows)
  }
}

extension ResultsState {
  /// Whether all matching rows are held, as they were committed, and no unsaved changes.
  var isSettled: Bool { arrangement.isComplete && overlay.isEmpty && provisional.isEmpty }

  /// Whether nothing that was committed concerns the rows that are held, found out in memory at a small cost.
  ///
  /// It is asked of all results in each round, most of which neither held a touched row nor hold it now. False where that is
  /// not certain.
  func isUnconcerned(by shared: SharedRows) -> Bool {
    guard let plan, plan.isDecidedByRow,
      let rows = try? shared.rows(of: request.entity, table: plan.table)
    else { return false }
    return (try? plan.concern(rows, arrangement)) == false
  }

  /// Returns the places of touched rows by their values in memory; nil if the store must be queried.
  func placements(of shared: SharedRows, _ plan: ResultsPlan, limit: Int) throws -> [RowPlacement]? {
    guard plan.isDecidedByRow, arrangement.isComplete,
      let rows = try shared.rows(of: request.entity, table: plan.table), rows.keys.count <= limit
    else { return nil }
    // An expression that fails to evaluate here may be null in SQL.
    return try? plan.placements(of: rows, in: arrangement)
  }
}
