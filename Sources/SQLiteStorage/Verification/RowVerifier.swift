import Layouts
import Modeling
import SQLite

/// Finds what is wrong with the rows of a file that keeps foreign keys and places of members.
struct RowVerifier {
  let store: SQLiteStore
  /// How many problems of one kind in one place are reported.
  let limit: Int

  /// Returns the problems.
  ///
  /// - Throws: StoreError.
  func problems() throws -> [StoreProblem] { try foreignKeyProblems() + entityProblems() + orderProblems() }

  /// Rows whose entity their table does not have, and relationships that lead to objects of another entity.
  ///
  /// Foreign keys say only which table a relationship leads to, which the entities of a hierarchy share.
  private func entityProblems() throws -> [StoreProblem] {
    var found: [StoreProblem] = []
    for entity in store.model.entities {
      let layout = store.layout(of: entity)
      if entity.parent == nil { found += try strangers(in: layout, entity) }
      for index in (entity.parent?.properties.count ?? 0)..<entity.properties.count {
        guard entity.properties[index].relationship != nil else { continue }
        let destination = entity.destination(at: index)
        switch layout.properties[index] {
        case .reference(let columns, .key):
          found += try misled(
            layout.columns[columns[0]].name, of: layout.table, layout.key.integerName, to: destination, .destination)
        case .join(let join) where join.ownerTarget == .key && join.memberTarget == .key:
          found += try misled(join.ownerColumns[0], of: join.table, nil, to: entity, .pair)
          found += try misled(join.memberColumns[0], of: join.table, nil, to: destination, .pair)
        case .reference, .join, .column, .inverse, .none: break
        }
      }
    }
    // Both sides of a relationship have the same pairs.
    var seen: Set<StoreProblem> = []
    return found.filter { seen.insert($0).inserted }
  }

  private func strangers(in layout: EntityLayout, _ root: Entity) throws -> [StoreProblem] {
    guard let (column, _) = layout.discriminator, let key = layout.key.integerName else { return [] }
    let names = root.family.filter { !$0.isAbstract }.map(\.name)
    let list = names.map(quoteText).joined(separator: ", ")
    let name = quoteIdentifier(column)
    return try store.connection.all(
      """
      SELECT \(quoteIdentifier(key)), \(name) FROM \(quoteIdentifier(layout.table))
      WHERE \(name) IS NULL OR \(name) NOT IN (\(list)) LIMIT \(limit)
      """
    ).map { row in
      StoreProblem(
        rule: .entity, table: layout.table, key: Self.key(row[0]), subject: column,
        expected: names.joined(separator: " or "), found: row[1].displayText)
    }
  }

  /// The rows of a table whose column leads to an object that is no `destination`.
  private func misled(
    _ column: String, of table: String, _ key: String?, to destination: Entity, _ rule: StoreProblem.Rule,
  ) throws -> [StoreProblem] {
    let layout = store.layout(of: destination)
    guard destination.parent != nil, let (entity, _) = layout.discriminator, let target = layout.key.integerName else {
      return []
    }
    let list = destination.family.map { quoteText($0.name) }.joined(separator: ", ")
    let (kind, place) = (quoteIdentifier(entity), quoteIdentifier(column))
    return try store.connection.all(
      """
      SELECT \(key.map { "s." + quoteIdentifier($0) } ?? "NULL"), d.\(kind), s.\(place)
      FROM \(quoteIdentifier(table)) AS s JOIN \(quoteIdentifier(layout.table)) AS d ON d.\(quoteIdentifier(target)) = s.\(place)
      WHERE d.\(kind) NOT IN (\(list)) LIMIT \(limit)
      """
    ).map { row in
      StoreProblem(
        rule: rule, table: table, key: Self.key(row[0]), subject: column, expected: "a \(destination.name)",
        found: "\(row[1].displayText) \(row[2].displayText)")
    }
  }

  private func foreignKeyProblems() throws -> [StoreProblem] {
    try store.connection.all("PRAGMA main.foreign_key_check").prefix(limit).map { row in
      let key: Int64? = if case .int(let key) = row[1] { key } else { nil }
      return StoreProblem(
        rule: .foreignKey, table: row[0].displayText, key: key, expected: "a row of \(row[2].displayText)")
    }
  }

  private func orderProblems() throws -> [StoreProblem] {
    try store.pairs.sharedPlaces().map { StoreProblem(rule: .order, table: "", found: $0) }
  }

  private static func key(_ value: Value) -> Int64? { if case .int(let key) = value { key } else { nil } }
}

extension Connection {
  /// The problems that SQLite's integrity check finds.
  func integrityProblems(_ limit: Int) throws(StoreError) -> [StoreProblem] {
    let rows = try all("PRAGMA main.quick_check(\(max(1, limit)))")
    return rows.compactMap { row in
      guard case .string(let text) = row[0], text != "ok" else { return nil }
      return StoreProblem(rule: .integrity, table: "", found: text)
    }
  }
}
