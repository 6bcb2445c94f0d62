package import Layouts
import Modeling
import SQLite
package import Stores

/// The triggers that record changes of a model's rows, in SQL that every SQLite version supports.
///
/// Each changed row costs one narrow INSERT. Transactions are recorded separately; see HistoryTables.
package struct HistoryTriggers {
  /// The prefix of their names.
  package static let prefix = "_perilune_history_"

  /// The prefix of triggers that record touched rows instead of changes.
  package static let touchPrefix = prefix + "touch"

  /// The statement of each trigger by name.
  package private(set) var all: [(name: String, sql: String)] = []

  let layout: ModelLayout
  let names: HistoryNames

  package static let key = ModelLayout.key

  /// Creates the triggers of every table of `layout`.
  package init(_ layout: ModelLayout, _ names: HistoryNames) {
    self.layout = layout
    self.names = names
    for root in layout.model.entities where root.parent == nil {
      addObjects(of: root)
      addTouches(of: root)
      addReplacements(of: root)
    }
    let orders = layout.orders.sorted { ($0.key.entity.name, $0.key.index) < ($1.key.entity.name, $1.key.index) }
    for (number, order) in orders.enumerated() { addOrder(order.key, order.value, number: number) }
    for join in layout.joins.values.sorted(by: { $0.name < $1.name }) { addPairs(join) }
  }

  mutating func add(
    _ name: String, on table: String, _ event: String, time: String = "AFTER", when: String?, _ statements: [String]
  ) {
    let name = Self.prefix + name + "_" + table
    let condition = when.map { " WHEN \($0)" } ?? ""
    let body = statements.map { "  \($0);\n" }.joined()
    let sql = """
      CREATE TRIGGER \(quoteIdentifier(name)) \(time) \(event) ON \(quoteIdentifier(table))\(condition) BEGIN
      \(body)END
      """
    all.append((name, sql))
  }

  /// Returns the statement that records a change.
  func record(_ entity: String, _ key: String, _ kind: Int64, _ properties: String = "NULL") -> String {
    "INSERT INTO \(HistoryTables.change) (time, entity, key, kind, properties)"
      + " VALUES (\(HistoryTables.now), \(entity), \(key), \(kind), \(properties))"
  }

  // MARK: Rows of objects

  private mutating func addObjects(of root: Entity) {
    let table = layout.tableName(of: root)
    let key = Self.key
    let inserted = record(number(of: root, "new"), "new.\(key)", RecordedKind.insert)
    add("insert", on: table, "INSERT", when: nil, [inserted])
    let deleted = record(number(of: root, "old"), "old.\(key)", RecordedKind.delete)
    add("delete", on: table, "DELETE", when: nil, [deleted] + tombstones(of: root))
    let columns = recordedColumns(of: root)
    if !columns.isEmpty {
      let list = columns.map { quoteIdentifier($0.column) }.joined(separator: ", ")
      let updated = record(
        number(of: root, "new"), "new.\(key)", RecordedKind.update,
        bits(columns.map { ($0.position, differs($0.column)) }))
      let condition = Self.balanced(columns.map { differs($0.column) }, " OR ")
      add("update", on: table, "UPDATE OF \(list)", when: condition, [updated])
    }
    // A row with a new key or entity is another object.
    let identity = [key] + (root.subentities.isEmpty ? [] : [ModelLayout.discriminator])
    let moved = identity.map(differs).joined(separator: " OR ")
    let list = identity.map(quoteIdentifier).joined(separator: ", ")
    add("identity", on: table, "UPDATE OF \(list)", when: moved, [deleted, inserted])
  }

  /// The writable columns of a table, each with the bit of its property.
  private func recordedColumns(of root: Entity) -> [(column: String, position: Int)] {
    root.family.flatMap { entity in
      layout.ownIndices(of: entity).flatMap { index -> [(column: String, position: Int)] in
        guard entity.properties[index].attribute?.isDerived != true,
          let position = names.position(of: index, in: entity)
        else { return [] }
        return columns(of: index, in: entity).map { ($0, position) }
      }
    }
  }

  func columns(of index: Int, in entity: Entity) -> [String] {
    guard let layout = layout.layouts[entity] else { return [] }
    return layout.properties[index].ownColumns.map { layout.columns[$0].name }
  }

  private func tombstones(of root: Entity) -> [String] {
    preservedColumns(of: root).map { column, position in
      let old = "old.\(quoteIdentifier(column))"
      let change = "(SELECT max(id) FROM \(HistoryTables.change))"
      return "INSERT INTO \(HistoryTables.tombstone) (change, property, value)"
        + " SELECT \(change), \(position), \(old) WHERE \(old) IS NOT NULL"
    }
  }

  /// The columns whose values are preserved after deletion, each with the bit of its property.
  func preservedColumns(of root: Entity) -> [(column: String, position: Int)] {
    root.family.flatMap { entity in
      layout.ownIndices(of: entity).compactMap { index -> (column: String, position: Int)? in
        guard entity.properties[index].attribute?.preservesValueInHistoryOnDeletion == true,
          let column = columns(of: index, in: entity).first, let position = names.position(of: index, in: entity)
        else { return nil }
        return (column, position)
      }
    }
  }

  /// The number of the entity that a row is of.
  func number(of root: Entity, _ row: String) -> String {
    number(of: root) { "\(row).\(quoteIdentifier($0))" }
  }

  func number(of root: Entity, column: (String) -> String) -> String {
    func number(_ entity: Entity) -> String { names.number(of: entity).map { "\($0)" } ?? "NULL" }
    guard !root.subentities.isEmpty else { return number(root) }
    let cases = root.family.map { "WHEN \(quoteText($0.name)) THEN \(number($0))" }.joined(separator: " ")
    return "CASE \(column(ModelLayout.discriminator)) \(cases) ELSE \(number(root)) END"
  }

  // MARK: Relationships

  /// The position in an ordered to-many is stored in the member's row, but is a change of the owner.
  private mutating func addOrder(_ declaration: ModelLayout.Declaration, _ column: String, number: Int) {
    guard let inverse = declaration.inverse, let reference = columns(of: inverse.index, in: inverse.entity).first else {
      return
    }
    let quoted = quoteIdentifier(reference)
    let condition = "\(differs(column)) AND old.\(quoted) IS new.\(quoted)"
    let statements = recordMember(of: declaration, owner: "new.\(quoted)", when: nil)
    add(
      "order\(number)", on: layout.tableName(of: inverse.entity), "UPDATE OF \(quoteIdentifier(column))",
      when: condition, statements)
  }

  /// Inserting or deleting a pair changes the objects at both ends, except those being deleted.
  private mutating func addPairs(_ join: ModelLayout.JoinTable) {
    let first = quoteIdentifier(join.firstColumn)
    let second = quoteIdentifier(join.secondColumn)
    func both(_ row: String, when condition: String?) -> [String] {
      recordMember(of: join.pair.first, owner: "\(row).\(first)", when: condition)
        // A relationship that is its own inverse stores each pair in both directions.
        + (join.pair.isSymmetric
          ? [] : join.pair.second.map { recordMember(of: $0, owner: "\(row).\(second)", when: condition) } ?? [])
    }
    add("insert", on: join.name, "INSERT", when: nil, both("new", when: nil))
    add("delete", on: join.name, "DELETE", when: nil, both("old", when: nil))
    let moved = "\(differs(join.firstColumn)) OR \(differs(join.secondColumn))"
    var columns = [first, second]
    var statements = both("old", when: moved) + both("new", when: moved)
    let orders = [(join.firstOrder, join.pair.first, first), (join.secondOrder, join.pair.second, second)]
    for case (let order?, let declaration?, let owner) in orders {
      columns.append(quoteIdentifier(order))
      statements += recordMember(
        of: declaration, owner: "new.\(owner)", when: "\(differs(order)) AND NOT (\(moved))")
    }
    add("update", on: join.name, "UPDATE OF \(columns.joined(separator: ", "))", when: nil, statements)
  }

  /// Records that the members of a to-many or their order have changed, if its owner still exists.
  private func recordMember(of declaration: ModelLayout.Declaration, owner: String, when condition: String?) -> [String]
  {
    let (entity, index) = (declaration.entity, declaration.index)
    guard let position = names.position(of: index, in: entity) else { return [] }
    let table = quoteIdentifier(layout.tableName(of: entity))
    let number = number(of: entity.root) { "owner.\(quoteIdentifier($0))" }
    let values = "\(HistoryTables.now), \(number), owner.\(Self.key), \(RecordedKind.update)"
    let more = condition.map { " AND (\($0))" } ?? ""
    return [
      "INSERT INTO \(HistoryTables.change) (time, entity, key, kind, properties)"
        + " SELECT \(values), \(bits([(position, "1")])) FROM \(table) AS owner"
        + " WHERE owner.\(Self.key) = \(owner)\(more)"
    ]
  }

  // MARK: Expressions

  func differs(_ column: String) -> String {
    "old.\(quoteIdentifier(column)) IS NOT new.\(quoteIdentifier(column))"
  }

  /// An SQL expression of the changed properties: one integer of bits, or several as text, separated by commas.
  private func bits(_ conditions: [(position: Int, condition: String)]) -> String {
    let words = (conditions.map(\.position).max() ?? 0) / RecordedChange.wordLength
    let parts = (0...words).map { word in
      let terms = conditions.filter { $0.position / RecordedChange.wordLength == word }.map { position, condition in
        "(\(condition)) << \(position % RecordedChange.wordLength)"
      }
      return terms.isEmpty ? "0" : "(\(Self.balanced(terms.map { "(\($0))" }, " | ")))"
    }
    return parts.joined(separator: " || ',' || ")
  }

  /// Joins terms by an operator in a balanced tree, because SQLite limits the depth of expressions.
  static func balanced(_ terms: [String], _ symbol: String) -> String {
    guard terms.count > 8 else { return terms.joined(separator: symbol) }
    let middle = terms.count / 2
    let halves = [Array(terms[..<middle]), Array(terms[middle...])].map { "(\(balanced($0, symbol)))" }
    return halves.joined(separator: symbol)
  }
}
