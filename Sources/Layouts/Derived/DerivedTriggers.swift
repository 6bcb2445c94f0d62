import Modeling

/// The triggers that maintain a column derived from other rows.
///
/// Rows may be inserted in any order, because foreign keys are checked only at the end of a transaction: a new row to
/// which others already refer makes the triggers compute those rows again.
struct DerivedTriggers {
  /// The table of each trigger, and its text after the trigger's name.
  private(set) var all: [(table: String, body: String)] = []

  private let expression: DerivedExpression
  private let table: String
  private let column: String

  private static let key = ModelLayout.key

  /// Makes the triggers of `column`; `others` are all columns of its table.
  init(_ expression: DerivedExpression, table: String, column: String, others: [ColumnSchema]) {
    self.expression = expression
    self.table = table
    self.column = column
    if expression.isNow {
      let written = others.filter { !$0.isComputed && $0.name != Self.key }.map(\.name)
      all = [
        (table, insertion(table, [computation(where: "\(Self.key) = new.\(Self.key)")])),
        (table, update(table, written, [computation(where: "\(Self.key) = new.\(Self.key)")])),
      ]
      return
    }
    all.append((table, insertion(table, [computation(where: "\(Self.key) = new.\(Self.key)")])))
    let own = expression.ownColumns.sorted()
    if !own.isEmpty { all.append((table, update(table, own, [computation(where: "\(Self.key) = new.\(Self.key)")]))) }
    for chain in expression.chains { add(chain) }
    for collection in expression.collections { add(collection) }
  }

  /// The UPDATE that computes the column for the rows that satisfy `condition`.
  func computation(where condition: String?) -> String {
    let value = expression.isNow ? "(julianday('now') - 2440587.5) * 86400.0" : expression.sql
    return "UPDATE \(quoteIdentifier(table)) SET \(quoteIdentifier(column)) = \(value)"
      + (condition.map { " WHERE \($0)" } ?? "")
  }

  // MARK: Paths

  /// Along a path of foreign keys, the rows of each table affect the rows that reach them.
  private mutating func add(_ chain: DerivedChain) {
    for (level, hop) in chain.hops.enumerated() {
      let isLast = level == chain.hops.count - 1
      let columns = isLast ? chain.columns : [chain.hops[level + 1].column]
      let (new, old) = (reaching(level, of: chain, "new"), reaching(level, of: chain, "old"))
      all.append((hop.table, insertion(hop.table, [computation(where: new)])))
      all.append((hop.table, update(hop.table, columns, [computation(where: new)])))
      all.append((hop.table, deletion(hop.table, [computation(where: old)])))
    }
  }

  /// The condition that a row's path leads through the row `row` of the table at `level`.
  private func reaching(_ level: Int, of chain: DerivedChain, _ row: String) -> String {
    var condition = "= \(row).\(Self.key)"
    for index in stride(from: level, to: 0, by: -1) {
      let table = quoteIdentifier(chain.hops[index - 1].table)
      condition =
        "IN (SELECT \(Self.key) FROM \(table) WHERE \(quoteIdentifier(chain.hops[index].column)) \(condition))"
    }
    return "\(quoteIdentifier(chain.hops[0].column)) \(condition)"
  }

  // MARK: Aggregates

  private mutating func add(_ collection: DerivedCollection) {
    let owner = quoteIdentifier(collection.owner)
    func computed(_ row: String) -> String { computation(where: "\(Self.key) = \(row).\(owner)") }
    func counted(_ row: String, _ sign: String) -> String {
      let name = quoteIdentifier(column)
      return
        "UPDATE \(quoteIdentifier(table)) SET \(name) = coalesce(\(name), 0) \(sign) 1 WHERE \(Self.key) = \(row).\(owner)"
    }
    let gained = collection.isCount ? counted("new", "+") : computed("new")
    let lost = collection.isCount ? counted("old", "-") : computed("old")
    all.append((collection.table, insertion(collection.table, [gained])))
    all.append((collection.table, deletion(collection.table, [lost])))
    let memberColumns = collection.member == nil && !collection.isCount ? collection.columns : []
    let watched = [collection.owner] + memberColumns.filter { $0 != collection.owner }
    let moved = [lost] + [gained]
    all.append((collection.table, update(collection.table, watched, moved)))
    if let member = collection.member, !collection.columns.isEmpty {
      let owners = "SELECT \(owner) FROM \(quoteIdentifier(collection.table)) WHERE \(quoteIdentifier(member.column))"
      let condition = "\(Self.key) IN (\(owners) = new.\(Self.key))"
      all.append((member.table, update(member.table, collection.columns, [computation(where: condition)])))
      all.append((member.table, insertion(member.table, [computation(where: condition)])))
    }
  }

  // MARK: Text

  private func insertion(_ table: String, _ statements: [String]) -> String {
    "AFTER INSERT ON \(quoteIdentifier(table)) \(block(statements))"
  }

  private func deletion(_ table: String, _ statements: [String]) -> String {
    "AFTER DELETE ON \(quoteIdentifier(table)) \(block(statements))"
  }

  private func update(_ table: String, _ columns: [String], _ statements: [String]) -> String {
    let list = columns.map(quoteIdentifier).joined(separator: ", ")
    return "AFTER UPDATE OF \(list) ON \(quoteIdentifier(table)) \(block(statements))"
  }

  private func block(_ statements: [String]) -> String {
    "BEGIN\n" + statements.map { "  \($0);\n" }.joined() + "END"
  }
}
