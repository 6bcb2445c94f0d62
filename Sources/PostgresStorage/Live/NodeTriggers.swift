import Layouts
import Modeling
import Postgres
import Stores

/// The triggers on the parts of tables that Citus keeps on its nodes, which record what is written there.
struct NodeTriggers {
  /// The seconds between two attempts to make them.
  static let pause = 60.0

  let books: RecordingBooks
  /// The numbers of the entities whose tables are spread; 0 stands for pairs.
  let spreadEntities: Set<Int64>
  private let pool: PostgresPool
  private let triggers: RecordingTriggers
  /// The argument of the triggers, which differs where their functions do.
  private let mark: String

  init(_ pool: PostgresPool, _ tables: RecordedTables, _ names: HistoryNames, _ spread: Set<String>) throws {
    self.pool = pool
    books = RecordingBooks(ofNodesIn: try pool.run("SELECT current_schema()").text(0, 0))
    triggers = tables.triggers(books, names)
    mark = RecordingTriggers.mark(triggers.statements + books.nodeTables + [books.nodeFunction])
    let entities = tables.model.entities.filter { spread.contains(tables.layout(of: $0).table) }
    let pairs = triggers.joins().allSatisfy { spread.contains($0.0.table) }
    spreadEntities = Set(entities.compactMap { names.number(of: $0).map(Int64.init) } + (pairs ? [0] : []))
  }

  /// The condition of the triggers in `pg_trigger`.
  var isOurs: String {
    "tgname = ANY(ARRAY[\(names)]) AND tgenabled = 'O' AND starts_with(encode(tgargs, 'escape'), '\(mark)')"
  }
  private var names: String { RecordingTriggers.events.map { "'_perilune_\($0)'" }.joined(separator: ", ") }

  /// The tables, as an array of SQL.
  var relations: PostgresSQL { "\(.texts(triggers.subjects.map { triggers.qualified($0.table) }))::regclass[]" }

  /// Whether each part of each table has its triggers, and the user may read what they write.
  func areComplete() throws -> Bool {
    let command = """
      SELECT string_agg(substring(tgrelid::regclass::text FROM '([0-9]+)"?$'), ' ') FROM (SELECT tgrelid FROM pg_trigger \
      WHERE \(isOurs) GROUP BY tgrelid HAVING count(*) = \(RecordingTriggers.events.count)) AS part \
      WHERE has_table_privilege(to_regclass(\(quotedText(books.change))), 'SELECT') \
      AND has_table_privilege(to_regclass(\(quotedText(books.transaction))), 'SELECT')
      """
    return try pool.run(
      """
      WITH node AS MATERIALIZED (SELECT nodeid, string_to_array(result, ' ') AS parts \
      FROM run_command_on_all_nodes(\(.text(command))) WHERE success), \
      part AS (SELECT logicalrelid, shardid::text AS name, nodeid FROM pg_dist_shard JOIN pg_dist_placement USING (shardid) \
      JOIN pg_dist_node USING (groupid) WHERE logicalrelid = ANY(\(relations)) AND noderole = 'primary') \
      SELECT count(DISTINCT logicalrelid) = \(raw: "\(triggers.subjects.count)") AND bool_and(EXISTS (SELECT FROM node \
      WHERE node.nodeid = part.nodeid AND part.name = ANY(node.parts))) FROM part
      """
    ).bool(0, 0)
  }

  /// Makes the books and the triggers. Each statement is a transaction of its own on each node, which waits for writers only a
  /// moment.
  func make() throws {
    let tables = books.nodeTables.map { $0 + ";" }.joined(separator: " ")
    _ = try pool.run("SELECT run_command_on_all_nodes(\(.text(Self.block(tables))))")
    // Citus makes functions on all nodes.
    _ = try pool.run(PostgresSQL(raw: books.nodeFunction))
    for (index, subject) in triggers.subjects.enumerated() {
      _ = try pool.run(PostgresSQL(raw: triggers.function(index)))
      // The command is a format, whose first argument is the part.
      let made = triggers.triggers(index) { beginning, end in
        "CREATE OR REPLACE TRIGGER \(beginning) ON %1$s\(end.replacing("%", with: "%%"))('\(mark)');"
      }
      _ = try pool.run(
        """
        SELECT run_command_on_placements(\(.text(triggers.qualified(subject.table)))::regclass, \
        \(.text(Self.block(made.joined(separator: " ")))))
        """)
    }
  }

  private static func block(_ statements: String) -> String {
    "DO $perilune$ BEGIN PERFORM set_config('lock_timeout', '2s', true); \(statements) END $perilune$"
  }
}
