import Modeling
import Postgres
import Queries
import Stores

extension PostgresPlans {
  func statement(making advice: IndexAdvice) throws -> String { try definition(of: advice).sql }

  /// The name and the statement of an index.
  func definition(of advice: IndexAdvice) throws -> (name: String, sql: String) {
    let table = store.layout(of: advice.entity).table
    if store.tables[table].isView { throw IndexObstacle.view(advice.entity.name) }
    guard !advice.keys.isEmpty else { throw IndexObstacle.noKeys }
    let list = try advice.keys.flatMap { key in
      try columns(of: key, in: advice.entity).map { quoted($0) + (key.isAscending ? "" : " DESC") }
    }
    let name = try freeName(([store.tables.name(of: table)] + advice.keys.map(\.name)).joined(separator: "_"))
    let sql = "CREATE INDEX \(quoted(name)) ON \(store.tables[table].sqlName) (\(list.joined(separator: ", ")))"
    return (name, sql)
  }

  /// The columns of an index, in order.
  func columns(of advice: IndexAdvice) throws -> [String] {
    try advice.keys.flatMap { try columns(of: $0, in: advice.entity) }
  }

  private func columns(of key: IndexAdvice.Key, in entity: Entity) throws -> [String] {
    let layout = store.layout(of: entity)
    guard let index = entity.index(of: key.name) else {
      // An element of a composite is in a document.
      if entity.compositeElement(at: key.name) != nil { throw IndexObstacle.noColumn(key.name, entity: entity.name) }
      let near = nearestName(to: key.name, in: entity.properties.map(\.name))
      throw IndexObstacle.unknownProperty(key.name, entity: entity.name, nearest: near)
    }
    let columns = layout.properties[index].ownColumns
    guard !columns.isEmpty else { throw IndexObstacle.noColumn(key.name, entity: entity.name) }
    return columns.map { layout.columns[$0].name }
  }

  /// A name that no relation has, and that the server does not shorten.
  private func freeName(_ wanted: String) throws -> String {
    var wanted = wanted
    while wanted.utf8.count > 50 { wanted.removeLast() }
    let result = try store.pool.run(
      "SELECT relname::text FROM pg_class WHERE starts_with(relname::text, \(.text(wanted)))")
    let taken = Set((0..<result.rowCount).map { result.text($0, 0) })
    var name = "\(wanted)_index"
    var number = 2
    while taken.contains(name) {
      name = "\(wanted)_index_\(number)"
      number += 1
    }
    return name
  }

  /// The columns of each index of a table, in order.
  func indexedColumns(of table: String) throws -> [[String]] {
    let result = try store.pool.run(
      """
      SELECT i.indexrelid::text, a.attname::text FROM pg_index AS i \
      CROSS JOIN unnest(i.indkey::int2[]) WITH ORDINALITY AS k (number, place) \
      JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = k.number \
      WHERE i.indrelid = \(.untyped(store.tables[table].sqlName))::regclass ORDER BY i.indexrelid, k.place
      """)
    var columns: [String: [String]] = [:]
    for row in 0..<result.rowCount { columns[result.text(row, 0), default: []].append(result.text(row, 1)) }
    return Array(columns.values)
  }

  /// The size of an index.
  func bytes(_ index: String, _ entity: Entity) throws -> Int {
    let table = store.tables[store.layout(of: entity).table].sqlName
    let result = try store.pool.run(
      """
      SELECT pg_relation_size(i.indexrelid)::int8 FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid \
      WHERE i.indrelid = \(.untyped(table))::regclass AND c.relname::text = \(.text(index))
      """)
    return result.rowCount > 0 ? Int(clamping: result.int(0, 0)) : 0
  }
}
