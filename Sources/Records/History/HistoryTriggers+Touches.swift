import Layouts
import Modeling
import SQLite
import Stores

// Touches: rows that a change affects besides its own, so that followers of the history need not know the old state.
extension HistoryTriggers {
  /// Records the former owners of a row, whose members have changed; values that the store computes from other rows do
  /// not count as changes.
  mutating func addTouches(of root: Entity) {
    let table = layout.tableName(of: root)
    let owners = owners(of: root)
    if !owners.isEmpty {
      let deleted = owners.map { touch($0.number, "old.\(quoteIdentifier($0.column))") }
      add("touchdelete", on: table, "DELETE", when: nil, deleted)
      let moved = owners.map { touch($0.number, "old.\(quoteIdentifier($0.column))", when: differs($0.column)) }
      let list = owners.map { quoteIdentifier($0.column) }.joined(separator: ", ")
      add("touchmove", on: table, "UPDATE OF \(list)", when: nil, moved)
    }
    let computed = layout.columnsOfOtherRows(of: root)
    guard !computed.isEmpty else { return }
    let list = computed.map(quoteIdentifier).joined(separator: ", ")
    let condition = Self.balanced(computed.map(differs), " OR ")
    let touched = record(number(of: root, "new"), "new.\(Self.key)", RecordedKind.touch)
    add("touchcomputed", on: table, "UPDATE OF \(list)", when: condition, [touched])
  }

  /// The columns that refer to a row's owners, with the number of the owners' root entity.
  func owners(of root: Entity) -> [(column: String, number: String)] {
    root.family.flatMap { entity in
      layout.ownIndices(of: entity).compactMap { index -> (column: String, number: String)? in
        guard entity.properties[index].relationship?.isToMany == false,
          ModelLayout.Declaration(entity, index).inverse?.relationship?.isToMany == true,
          let column = columns(of: index, in: entity).first
        else { return nil }
        return (column, names.number(of: entity.destination(at: index).root).map { "\($0)" } ?? "NULL")
      }
    }
  }

  private func touch(_ number: String, _ key: String, when condition: String? = nil) -> String {
    "INSERT INTO \(HistoryTables.change) (time, entity, key, kind)"
      + " SELECT \(HistoryTables.now), \(number), \(key), \(RecordedKind.touch)"
      + " WHERE \(key) IS NOT NULL\(condition.map { " AND \($0)" } ?? "")"
  }
}
