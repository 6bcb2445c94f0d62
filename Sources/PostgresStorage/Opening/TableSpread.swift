import Layouts
import Modeling
import Postgres

/// How a table's rows are spread over the nodes of Citus: by the values of a column. Tables of one group that hold the same value
/// there have these rows on the same node, and are joined by nothing else.
struct TableSpread: Equatable {
  let column: String
  let group: Int64

  /// The spread tables of a database among those with the given names, by name. Of the others each node has a copy, or one
  /// node has them.
  static func find(_ tables: [(name: String, sqlName: String)], _ pool: PostgresPool) throws -> [String: TableSpread] {
    guard pool.profile.distributesTables, try !pool.run("SELECT to_regclass('pg_dist_partition')").isNull(0, 0) else {
      return [:]
    }
    let result = try pool.run(
      """
      SELECT n.number::bigint, \(raw: column), t.colocationid::bigint \
      FROM unnest(\(.texts(tables.map(\.sqlName)))) WITH ORDINALITY AS n(name, number) \
      JOIN pg_dist_partition AS t ON t.logicalrelid = to_regclass(n.name) WHERE \(raw: column) IS NOT NULL
      """)
    var found: [String: TableSpread] = [:]
    for row in 0..<result.rowCount {
      found[tables[Int(result.int(row, 0)) - 1].name] = TableSpread(
        column: result.text(row, 1), group: result.int(row, 2))
    }
    return found
  }

  /// The column by which a table `t` of Citus's catalog is spread; NULL for others. The view `citus_tables` says it, too, but asks
  /// all nodes for sizes, and waits for ever for tables that the transaction itself has locked there.
  static let column = "column_to_column_name(t.logicalrelid, t.partkey)::text"
  /// Whether each node has a copy of such a table.
  static let isReference = "(t.partmethod = 'n' AND t.repmodel = 't')"
}

extension PostgresStore {
  /// The spread of the model's tables, by name; nil if the server cannot be asked now.
  var spread: [String: TableSpread]? {
    if let knownSpread { return knownSpread }
    knownSpread = try? TableSpread.find(modelTables.keys.sorted().map { ($0, tables[$0].sqlName) }, pool)
    return knownSpread
  }

  /// The tables of the model by name, each with the root of the entities whose rows it holds; nil for pairs.
  var modelTables: [String: Entity?] {
    var found: [String: Entity?] = [:]
    for (entity, layout) in layouts {
      found[layout.table] = entity.root
      for case .join(let join) in layout.properties where found[join.table] == nil { found[join.table] = .some(nil) }
    }
    return found
  }

  /// The further condition of a join of two tables, so that a server which spreads tables finds the rows on one node; nil
  /// if they may be on several, where it does not join them.
  func meeting(
    _ table: String, _ alias: String, _ other: String, _ otherAlias: String, linking columns: [(String, String)]
  ) -> [PostgresSQL]? {
    // Rows that may lie on several nodes are matched here.
    guard let spread else { return nil }
    // Each node has the tables that are not spread.
    guard let far = spread[other] else { return [] }
    guard let near = spread[table], near.group == far.group else { return nil }
    if columns.contains(where: { $0 == (near.column, far.column) }) { return [] }
    // References between tables of ours that are spread alike include the column.
    guard format.distributes, !columns.contains(where: { $0.0 == near.column || $0.1 == far.column }) else {
      return nil
    }
    return ["\(column: otherAlias, far.column) = \(column: alias, near.column)"]
  }
}
