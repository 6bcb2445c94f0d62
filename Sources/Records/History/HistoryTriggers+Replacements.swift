import Layouts
import Modeling
import SQLite
import Stores

// INSERT OR REPLACE and UPDATE OR REPLACE delete rows that share a key or a unique value with the written one. SQLite runs no
// trigger for them, so the rows that are in the way are recorded beforehand.
extension HistoryTriggers {
  /// Records the rows that are in the way, and the objects that they belong to. Whether REPLACE has deleted such a row, or IGNORE
  /// or DO UPDATE has left it, `HistoryReplacements` finds out when the history is read.
  mutating func addReplacements(of root: Entity) {
    let table = layout.tableName(of: root)
    let key = "other.\(Self.key)"
    let sameKey = "\(key) = new.\(Self.key)"
    let uniques = uniqueColumns(of: root)
    let sameValues = uniques.map { columns in
      columns.map { "other.\(quoteIdentifier($0)) = new.\(quoteIdentifier($0))" }.joined(separator: " AND ")
    }
    add(
      "touchreplace", on: table, "INSERT", time: "BEFORE", when: anyRow(of: table, [sameKey] + sameValues),
      inTheWay(of: root, [sameKey] + sameValues))
    let others = [sameKey] + sameValues.map { "\($0) AND \(key) <> new.\(Self.key)" }
    let conditions = others.map { "\($0) AND \(key) <> old.\(Self.key)" }
    let list = ([Self.key] + Set(uniques.joined()).sorted()).map(quoteIdentifier).joined(separator: ", ")
    add(
      "touchgiveway", on: table, "UPDATE OF \(list)", time: "BEFORE", when: anyRow(of: table, conditions),
      inTheWay(of: root, conditions))
  }

  private func anyRow(of table: String, _ conditions: [String]) -> String {
    conditions.map { "EXISTS (SELECT 1 FROM \(quoteIdentifier(table)) AS other WHERE \($0))" }
      .joined(separator: " OR ")
  }

  /// Returns the statements that record rows matching a condition, and their owners.
  private func inTheWay(of root: Entity, _ conditions: [String]) -> [String] {
    let table = quoteIdentifier(layout.tableName(of: root))
    let number = number(of: root) { "other.\(quoteIdentifier($0))" }
    return conditions.flatMap { condition in
      let row = touches(number, "other.\(Self.key)", RecordedKind.inTheWay, table, condition)
      return [row] + preserved(of: root, table, condition)
        + owners(of: root).map { owner in
          let column = "other.\(quoteIdentifier(owner.column))"
          return touches(
            owner.number, column, RecordedKind.touch, table, "\(condition) AND \(column) IS NOT NULL")
        }
    }
  }

  /// Returns the statements that preserve values of rows that may be deleted.
  private func preserved(of root: Entity, _ table: String, _ condition: String) -> [String] {
    let rows = "FROM \(table) AS other WHERE \(condition)"
    let last = "(SELECT max(id) FROM \(HistoryTables.change))"
    return preservedColumns(of: root).map { column, position in
      let value = "other.\(quoteIdentifier(column))"
      return "INSERT INTO \(HistoryTables.tombstone) (change, property, value) SELECT ("
        + "SELECT change.id FROM \(HistoryTables.change) AS change"
        + " WHERE change.id > \(last) - (SELECT count(*) \(rows)) AND change.key = other.\(Self.key)"
        + "), \(position), \(value) \(rows) AND \(value) IS NOT NULL"
    }
  }

  private func touches(_ number: String, _ key: String, _ kind: Int64, _ table: String, _ condition: String) -> String {
    "INSERT INTO \(HistoryTables.change) (time, entity, key, kind)"
      + " SELECT \(HistoryTables.now), \(number), \(key), \(kind) FROM \(table) AS other WHERE \(condition)"
  }

  /// Returns the columns of each uniqueness constraint of a table's entities.
  private func uniqueColumns(of root: Entity) -> [[String]] {
    var found: [[String]] = []
    for entity in root.family {
      for names in entity.uniquenessConstraints {
        let parts = names.map { name in entity.index(of: name).map { columns(of: $0, in: entity) } ?? [] }
        // Elements of composite attributes have no columns of their own.
        guard !parts.contains(where: \.isEmpty), case let columns = Array(parts.joined()) else { continue }
        if !found.contains(columns) { found.append(columns) }
      }
    }
    return found
  }
}
