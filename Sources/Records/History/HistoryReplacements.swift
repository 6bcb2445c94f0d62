import Layouts
import Modeling
import SQLite
import StoreErrors
import Stores

/// Determines which conflicting rows REPLACE has deleted.
///
/// SQLite runs no trigger for those rows. The history records beforehand that a row is in the way; the next record of
/// the row shows what happened. After an insertion, REPLACE had deleted the row. After an update, a deletion, or
/// another record that it is in the way, the row still existed. Without a later record the table itself answers. Behind
/// a gap of the history the answer is unknown, and no deletion is reported.
final class HistoryReplacements {
  private let connection: Connection
  private let model: Model
  private let layouts: [Entity: EntityLayout]
  private let names: HistoryNames
  /// The number from which changes have been read; nil if none have.
  private var start: Int64?
  /// The changes that turned out to be deletions.
  private var pushedOut: Set<Int64> = []

  /// A row, independent of its entity's recorded name.
  private struct Row: Hashable {
    var family: Int
    var key: Int64
  }

  init(_ connection: Connection, _ model: Model, _ layouts: [Entity: EntityLayout], _ names: HistoryNames) {
    self.connection = connection
    self.model = model
    self.layouts = layouts
    self.names = names
  }

  /// Whether the conflicting row of a change was deleted. The first call reads what has been recorded since.
  func contains(_ change: Int64) throws(StoreError) -> Bool {
    if start.map({ change < $0 }) ?? true { try look(from: change) }
    return pushedOut.contains(change)
  }

  private func look(from change: Int64) throws(StoreError) {
    pushedOut = []
    let rows = try rowsInTheWay(from: change)
    // The next record of each row, reading from the last change to the first.
    var next: [Row: Int64] = [:]
    var isBehindGap = false
    let sql = "SELECT id, entity, key, kind FROM \(HistoryTables.change) WHERE id >= ? AND kind <> ? ORDER BY id DESC"
    try connection.with(sql, [.int(change), .int(RecordedKind.touch)]) { statement throws(StoreError) in
      while try statement.step() {
        let kind = statement.integer(3)
        if kind == RecordedKind.gap {
          isBehindGap = true
          next = [:]
          continue
        }
        guard let row = row(statement, 1), rows.contains(row) else { continue }
        if kind == RecordedKind.inTheWay {
          let isGone: Bool
          if let next = next[row] {
            isGone = next == RecordedKind.insert
          } else {
            isGone = isBehindGap ? false : try isMissing(statement, 1)
          }
          if isGone { pushedOut.insert(statement.integer(0)) }
        }
        next[row] = kind
      }
    }
    start = change
  }

  private func rowsInTheWay(from change: Int64) throws(StoreError) -> Set<Row> {
    var rows: Set<Row> = []
    let sql = "SELECT entity, key FROM \(HistoryTables.change) WHERE id >= ? AND kind = ?"
    try connection.with(sql, [.int(change), .int(RecordedKind.inTheWay)]) { statement throws(StoreError) in
      while try statement.step() { if let row = row(statement, 0) { rows.insert(row) } }
    }
    return rows
  }

  /// The row whose entity and key are in two columns; nil if the history does not know the entity.
  private func row(_ statement: Statement, _ column: Int) -> Row? {
    names.entity(Int(truncatingIfNeeded: statement.integer(column))).map {
      Row(family: $0.family, key: statement.integer(column + 1))
    }
  }

  /// Whether the table no longer has a row; false if the model no longer has the entity.
  private func isMissing(_ statement: Statement, _ column: Int) throws(StoreError) -> Bool {
    guard let entry = names.entity(Int(truncatingIfNeeded: statement.integer(column))), !entry.isRetired,
      let entity = model.entity(named: entry.name), let layout = layouts[entity]
    else { return false }
    let table = quoteIdentifier(layout.table)
    let sql = "SELECT 1 FROM \(table) WHERE \(HistoryTriggers.key) = ?"
    return try connection.first(sql, [.int(statement.integer(column + 1))]) == nil
  }
}
