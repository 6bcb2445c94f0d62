import Layouts
import Modeling
import Postgres
import Stores

/// What the nodes of Citus say of the tables of a store of ours: which transactions have ended, and how often each table was written.
///
/// A trigger on each part of a table advances a sequence of its node, in the transaction that writes. A sequence does not wait for
/// the transaction to end; so a table also counts as written while a transaction that may have advanced it still runs.
final class NodeWrites {
  /// The name of the triggers and of their function, and the beginning of the sequences' names.
  private static let name = "_perilune_written"
  /// The seconds between two attempts to make triggers.
  private static let pause = 60.0

  /// The answers of all nodes.
  struct Look {
    /// For each node, by its number: its snapshot and what the sequence of each table holds.
    fileprivate var nodes: [Int64: (snapshot: ServerSnapshot, counts: [Int64])] = [:]
    /// What distinguishes the parts of the tables and their triggers from others.
    fileprivate var parts: String
    /// The snapshots of all nodes, as one text.
    var snapshot: String {
      nodes.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.snapshot.text)" }.joined(separator: ",")
    }
  }

  private let pool: PostgresPool
  private let schema: String
  private let tables: [(name: String, entity: Entity?)]
  private let mayMake: Bool
  private var last: Look?
  /// The parts of which each is known to have its trigger; nil while that is not known.
  private var counted: String?
  /// The tables that transactions may still write, by node and place: up to which transaction all must have ended.
  private var unfinished: [Int64: [Int: UInt64]] = [:]
  private var nextTry = 0.0

  /// The given tables must all be distributed; `mayMake` permits triggers to be made.
  init(_ pool: PostgresPool, _ tables: [(name: String, entity: Entity?)], mayMake: Bool) throws {
    (self.pool, self.tables, self.mayMake) = (pool, tables, mayMake)
    schema = try pool.run("SELECT current_schema()").text(0, 0)
  }

  // MARK: Looking

  /// Asks all nodes, in one round trip; nil where one of them does not answer.
  func look() -> Look? {
    let counts = """
      SELECT string_agg(CASE WHEN has_sequence_privilege(s, 'SELECT') THEN coalesce(pg_sequence_last_value(s), 0)::text \
      ELSE '-' END, ' ' ORDER BY n) FROM unnest(\(array(sequences))) WITH ORDINALITY AS t(name, n), to_regclass(name) AS s
      """
    let command = """
      SELECT concat_ws(',', replace(pg_current_snapshot()::text, ',', ' '), \
      (SELECT count(*) FROM pg_trigger WHERE \(isOurs)), (\(counts)))
      """
    let result = try? pool.run(
      """
      SELECT nodeid::bigint, success, result, (SELECT concat(count(*), ' ', max(placementid)) \
      FROM pg_dist_placement JOIN pg_dist_shard USING (shardid) WHERE logicalrelid = ANY(\(relations))) \
      FROM run_command_on_all_nodes(\(.text(command))) \
      WHERE EXISTS (SELECT FROM pg_dist_node WHERE groupid = 0) ORDER BY nodeid
      """)
    guard let result, result.rowCount > 0 else { return nil }
    var look = Look(parts: result.text(0, 3))
    for row in 0..<result.rowCount {
      guard result.bool(row, 1) else { return nil }
      let answer = result.text(row, 2).split(separator: ",", omittingEmptySubsequences: false)
      guard answer.count == 3 else { return nil }
      let counts = answer[2].split(separator: " ").map { Int64($0) ?? -1 }
      look.nodes[result.int(row, 0)] = (
        ServerSnapshot(String(answer[0]).replacing(" ", with: ",")), counts.contains(-1) ? [] : counts
      )
      look.parts += ",\(result.int(row, 0)) \(answer[1])"
    }
    return look
  }

  /// Notes a look, and returns the tables that others may have written since the one before; nil if it may be any.
  func written(_ look: Look) -> TouchedRows? {
    let before = last
    last = look
    guard look.parts == counted, look.nodes.values.allSatisfy({ $0.counts.count == tables.count }) else {
      counted = nil
      return nil
    }
    guard let before, before.parts == counted else {
      unfinished = look.nodes.mapValues { _ in Dictionary(uniqueKeysWithValues: tables.indices.map { ($0, .max) }) }
      return nil
    }
    var written: Set<Int> = []
    for (id, node) in look.nodes {
      guard let former = before.nodes[id], former.counts.count == tables.count,
        former.snapshot.next <= node.snapshot.next
      else { return nil }
      for table in tables.indices {
        let isAdvanced = former.counts[table] != node.counts[table]
        if former.snapshot != node.snapshot, isAdvanced || unfinished[id]?[table] != nil { written.insert(table) }
        follow(table, on: id, node.snapshot, isAdvanced: isAdvanced)
      }
    }
    return touched(written)
  }

  /// A transaction that advances a sequence has a number. The next snapshot is behind this number, and one in which no transaction of
  /// that time runs shows that it has ended.
  private func follow(_ table: Int, on node: Int64, _ snapshot: ServerSnapshot, isAdvanced: Bool) {
    if isAdvanced {
      unfinished[node, default: [:]][table] = .max
    } else if let end = unfinished[node]?[table] {
      let end = end == .max ? snapshot.next : end
      unfinished[node]?[table] = snapshot.first >= end ? nil : end
    }
  }

  private func touched(_ written: Set<Int>) -> TouchedRows {
    var rows = TouchedRows()
    for place in written {
      var table = TouchedRows.Table(name: tables[place].name, entity: tables[place].entity)
      table.isUnknown = true
      rows.tables[table.name.lowercased()] = table
    }
    return rows
  }

  // MARK: Counting

  /// Makes sure that each part of a table has its trigger. Where that cannot be, every commit counts as a write to all tables.
  func count() {
    guard counted == nil, monotonicSeconds() >= nextTry else { return }
    nextTry = monotonicSeconds() + Self.pause
    // Parts that are moved between the two questions are others at the next look.
    for isMade in [false, true] {
      if isMade, !mayMake || (try? make()) == nil { return }
      if let look = look(), (try? isComplete()) == true {
        counted = look.parts
        nextTry = 0
        return
      }
    }
  }

  private func isComplete() throws -> Bool {
    let command = """
      SELECT string_agg(substring(tgrelid::regclass::text FROM '([0-9]+)"?$'), ' ') FROM pg_trigger WHERE \(isOurs)
      """
    return try pool.run(
      """
      WITH node AS MATERIALIZED (SELECT nodeid, string_to_array(result, ' ') AS parts \
      FROM run_command_on_all_nodes(\(.text(command))) WHERE success), \
      part AS (SELECT logicalrelid, shardid::text AS name, nodeid FROM pg_dist_shard JOIN pg_dist_placement USING (shardid) \
      JOIN pg_dist_node USING (groupid) WHERE logicalrelid = ANY(\(relations)) AND noderole = 'primary') \
      SELECT count(DISTINCT logicalrelid) = \(raw: "\(tables.count)") AND bool_and(EXISTS (SELECT FROM node \
      WHERE node.nodeid = part.nodeid AND part.name = ANY(node.parts))) FROM part
      """
    ).bool(0, 0)
  }

  /// Each statement is a transaction of its own on each node, which waits for writers only a moment.
  private func make() throws {
    _ = try pool.run(
      """
      CREATE OR REPLACE FUNCTION \(raw: function)() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER \
      SET search_path = pg_catalog, pg_temp AS 'BEGIN PERFORM nextval(TG_ARGV[0]); RETURN NULL; END'
      """)
    let making = Set(sequences).sorted().map { "CREATE SEQUENCE IF NOT EXISTS \($0); " }.joined()
    _ = try pool.run("SELECT run_command_on_all_nodes(\(.text(Self.block(making))))")
    for (table, sequence) in zip(tables, sequences) {
      let trigger = """
        CREATE OR REPLACE TRIGGER \(Self.name) AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON %s \
        FOR EACH STATEMENT EXECUTE FUNCTION \(function)(\(quotedText(sequence)));
        """
      _ = try pool.run(
        """
        SELECT run_command_on_placements(\(.text(qualified(table.name)))::regclass, \(.text(Self.block(trigger))))
        """)
    }
  }

  private static func block(_ statements: String) -> String {
    "DO $perilune$ BEGIN PERFORM set_config('lock_timeout', '2s', true); \(statements) END $perilune$"
  }

  private func qualified(_ name: String) -> String { "\(quoted(schema)).\(quoted(name))" }
  private var function: String { qualified(Self.name) }
  private var isOurs: String {
    "tgname = '\(Self.name)' AND tgenabled = 'O' AND tgfoid = to_regproc(\(quotedText(function)))"
  }

  /// The sequence of each table. A name has 63 bytes at most, and tables whose names begin alike may share one.
  private var sequences: [String] {
    tables.map { qualified("\(Self.name)_" + String(decoding: $0.name.utf8.prefix(44), as: UTF8.self)) }
  }
  private var relations: PostgresSQL { "\(.texts(tables.map { qualified($0.name) }))::regclass[]" }

  private func array(_ texts: [String]) -> String {
    "ARRAY[\(texts.map(quotedText).joined(separator: ", "))]::text[]"
  }
}
