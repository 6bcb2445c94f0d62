import Layouts
import Modeling
import RelationalStorage
import SQLite

// Indexes and triggers, our own and those that other programs added to our tables.
extension Migrator {
  private func ownStatements(_ schema: StoreSchema) -> [String: String] {
    let indexes = schema.tables.flatMap(\.indexes).map { ($0.name, $0.createStatement) }
    let triggers = schema.tables.flatMap(\.triggers).map { ($0.name, $0.sql) }
    return Dictionary(indexes + triggers, uniquingKeysWith: { first, _ in first })
  }

  /// Drops the indexes and triggers of tables that change; returns those of other programs, to create them again.
  func dropIndexesAndTriggers(_ connection: Connection) throws(StoreError) -> [Foreign] {
    let (ours, wanted) = (ownStatements(old.schema), ownStatements(new.schema))
    var others: [Foreign] = []
    let sql =
      "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE type IN ('index', 'trigger') AND sql IS NOT NULL"
    for row in try connection.all(sql) {
      guard case .string(let type) = row[0], case .string(let name) = row[1], case .string(let table) = row[2],
        case .string(let sql) = row[3]
      else { continue }
      let isRetired = retired.contains(table)
      if let statement = ours[name] {
        guard isRetired || wanted[name] != statement else { continue }
      } else {
        guard isRetired else { continue }
        others.append(Foreign(name: name, table: table, sql: sql))
      }
      try connection.execute("DROP \(type == "index" ? "INDEX" : "TRIGGER") \(quoteIdentifier(name))")
    }
    return others
  }

  func makeIndexesAndTriggers(_ connection: Connection) throws(StoreError) {
    let present = Set(
      try connection.all("SELECT name FROM sqlite_schema WHERE type IN ('index', 'trigger')").map { $0[0] })
    for table in new.schema.tables {
      for index in table.indexes where !present.contains(.string(index.name)) {
        try connection.execute(index.createStatement)
      }
      for trigger in table.triggers where !present.contains(.string(trigger.name)) {
        try connection.execute(trigger.sql)
      }
    }
  }

  func restore(_ others: [Foreign], _ connection: Connection) throws(StoreError) {
    var obstacles: [String] = []
    for other in others {
      do throws(StoreError) {
        try connection.execute(other.sql)
      } catch {
        guard case .sql(let message, _, _) = error.fact else { throw error }
        obstacles.append("\(other.name), which was added to the table \(other.table), no longer fits: \(message)")
      }
    }
    if !obstacles.isEmpty { throw refusal(obstacles) }
  }
}
