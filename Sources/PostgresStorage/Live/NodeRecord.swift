internal import Foundation
import Layouts
import Modeling
import Postgres
import Stores

/// What the nodes of Citus record of the rows that are written in a store of ours.
///
/// Triggers on each part of a table write to the books of their node, in the transaction that writes the rows. As a commit of several
/// nodes is not one moment, what was seen last is a snapshot of each node: a look finds what this node did not show then.
final class NodeRecord {
  /// The answers of all nodes.
  struct Look {
    /// The snapshot of each node, by its number.
    fileprivate var snapshots: [Int64: ServerSnapshot] = [:]
    /// What distinguishes the parts of the tables and their triggers, and the starts of the nodes, from others.
    fileprivate(set) var parts: String
    fileprivate let time = monotonicSeconds()
    fileprivate let result: PostgresResult
    /// The snapshots of all nodes, as one text.
    var snapshot: String {
      snapshots.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.text)" }.joined(separator: ",")
    }
  }

  private let pool: PostgresPool
  private let tables: RecordedTables
  private let names: HistoryNames
  let triggers: NodeTriggers
  private var last: Look?
  /// The parts of which each is known to have its triggers; nil while that is not known.
  private(set) var recorded: String?
  private var nextTry = 0.0
  /// The transactions of which a look has found the rows of tables that are copied to all nodes on some of them only, and these rows.
  private var partly: (origins: Set<String>, rows: TouchedRows) = ([], TouchedRows())
  /// The saves of the store that it does not report itself, or may not have.
  var unreported: Set<String> = []
  private var saves = 0
  private let identity = UUID.random().uuidString

  init(_ pool: PostgresPool, _ tables: RecordedTables, _ spread: Set<String>) throws {
    (self.pool, self.tables, names) = (pool, tables, HistoryNames(tables.model))
    triggers = try NodeTriggers(pool, tables, names, spread)
  }

  /// Whether the rows that any commit writes are recorded.
  var isComplete: Bool { recorded != nil }

  /// A new name for a save of the store, by which the record tells it from others.
  func nameSave() -> String {
    saves += 1
    return "\(identity) \(saves)"
  }

  // MARK: Looking

  /// The last look, if all that was written since is recorded and still there.
  private var base: Look? {
    guard let last, last.parts == recorded, monotonicSeconds() - last.time < RemoteCommits.patience else { return nil }
    return last
  }

  /// Asks all nodes, in one round trip, for their snapshots and what they have recorded since the last look; nil where one of them
  /// does not answer.
  func look() -> Look? {
    let changes = base.map { "(SELECT json_agg(c) FROM (\(self.changes(since: $0))) AS c)" } ?? "NULL::json"
    let command = """
      SELECT json_build_object('node', (SELECT groupid FROM pg_dist_local_group), 'snapshot', pg_current_snapshot()::text, \
      'parts', concat_ws(' ', (SELECT count(*) FROM pg_trigger WHERE \(triggers.isOurs)), \
      extract(epoch FROM pg_postmaster_start_time())), 'changes', \(changes))
      """
    let result = try? pool.run(
      """
      SELECT n.node, success, n.snapshot, n.parts, (SELECT concat(count(*), ' ', max(placementid)) \
      FROM pg_dist_placement JOIN pg_dist_shard USING (shardid) WHERE logicalrelid = ANY(\(triggers.relations))), \
      c.id, c.origin, c.author, \(raw: RecordedRows.columns) FROM run_command_on_all_nodes(\(.text(command))) \
      LEFT JOIN LATERAL json_to_record(CASE WHEN success THEN result::json END) \
      AS n(node bigint, snapshot text, parts text, changes json) ON true \
      LEFT JOIN LATERAL json_to_recordset(n.changes) AS c(id bigint, origin text, author text, entity integer, key bigint, \
      names jsonb, kind smallint, properties text, former jsonb) ON true \
      WHERE EXISTS (SELECT FROM pg_dist_node WHERE groupid = 0) ORDER BY n.node, c.id
      """)
    guard let result, result.rowCount > 0 else { return nil }
    var look = Look(parts: result.text(0, 4), result: result)
    for row in 0..<result.rowCount {
      guard result.bool(row, 1), !result.isNull(row, 2) else { return nil }
      if look.snapshots.updateValue(ServerSnapshot(result.text(row, 2)), forKey: result.int(row, 0)) == nil {
        look.parts += ",\(result.int(row, 0)) \(result.text(row, 3))"
      }
    }
    return look
  }

  /// What a node has recorded since a look, except for the saves of the store.
  private func changes(since look: Look) -> String {
    let nodes = look.snapshots.map { node, seen in
      "(\(node), '\(seen.first)'::xid8, '\(seen.next)'::xid8, '{\(seen.running.map(String.init).joined(separator: ","))}'::xid8[])"
    }
    let unreported = unreported.map(quotedText).joined(separator: ", ")
    return """
      SELECT c.id, t.origin, t.author, \(RecordedRows.columns) FROM (VALUES \(nodes.joined(separator: ", "))) \
      AS seen(node, first, next, running) JOIN \(triggers.books.transaction) AS t ON t.tx >= seen.first \
      JOIN \(triggers.books.change) AS c ON c.tx = t.tx WHERE seen.node = (SELECT groupid FROM pg_dist_local_group) \
      AND (t.tx >= seen.next OR t.tx = ANY(seen.running)) AND (t.store IS NULL \
      OR NOT starts_with(t.store, '\(identity)') OR t.store = ANY(ARRAY[\(unreported)]::text[])) \
      ORDER BY c.id LIMIT \(RemoteCommits.mostChanges + 1)
      """
  }

  /// Notes a look, and returns the rows that others have touched since the one before; nil if only the snapshots can say whether there
  /// are any.
  func touched(_ look: Look) -> TouchedRows? {
    let (before, base) = (last, base)
    last = look
    if look.parts != recorded { recorded = nil }
    guard let before else { return nil }
    if before.parts == look.parts, let base, recorded != nil {
      let isLater = look.snapshots.allSatisfy { node, now in base.snapshots[node].map { $0.next <= now.next } ?? false }
      if isLater, look.snapshots.count == base.snapshots.count { return rows(look) }
    } else if before.parts == look.parts, partly.rows.isEmpty {
      return nil
    }
    partly = ([], TouchedRows())
    return .unknown
  }

  /// The rows of a look. Rows of which each node has a copy wait for the other nodes until the next look.
  private func rows(_ look: Look) -> TouchedRows {
    let result = look.result
    var seen: [String: Set<Int64>] = [:]
    for row in 0..<result.rowCount where !result.isNull(row, 5) && !result.isNull(row, 6) {
      seen[result.text(row, 6), default: []].insert(result.int(row, 0))
    }
    let late = Set(seen.filter { $0.value.count < look.snapshots.count }.keys).subtracting(partly.origins)
    let spread = triggers.spreadEntities
    var (all, waiting) = (partly.rows, TouchedRows())
    var authors: Set<String?> = []
    // The nodes have no order of their changes in common.
    for node in look.snapshots.keys {
      var (now, later) = (RecordedRows(tables, names), RecordedRows(tables, names))
      var count = 0
      for row in 0..<result.rowCount where result.int(row, 0) == node && !result.isNull(row, 5) {
        count += 1
        let entity = result.isNull(row, 8) ? 0 : result.int(row, 8)
        if !spread.contains(entity), !result.isNull(row, 6), late.contains(result.text(row, 6)) {
          later.add(result, row, from: 8)
        } else {
          authors.insert(result.isNull(row, 7) ? nil : result.text(row, 7))
          now.add(result, row, from: 8)
        }
      }
      if count > RemoteCommits.mostChanges { return .unknown }
      all.formUnion(now.touched)
      waiting.formUnion(later.touched)
    }
    partly = (waiting.isEmpty ? [] : late, waiting)
    if authors.count == 1 { all.author = authors.first ?? nil }
    return all
  }

  // MARK: Recording

  /// Makes sure that each part of a table has its triggers. Where that cannot be, every commit counts as a write to all tables.
  func record(isReadOnly: Bool) {
    guard recorded == nil, monotonicSeconds() >= nextTry else { return }
    nextTry = monotonicSeconds() + NodeTriggers.pause
    // Parts that are moved between the two questions are others at the next look.
    for isMade in [false, true] {
      if isMade, isReadOnly || (try? triggers.make()) == nil { return }
      if let look = look(), (try? triggers.areComplete()) == true {
        recorded = look.parts
        nextTry = 0
        return
      }
    }
  }
}
