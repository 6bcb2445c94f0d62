package import Layouts
package import Modeling
package import SQLite
import StoreErrors
package import Stores

/// Reads the history of a store of our own: groups changes into transactions, and merges the changes of each object.
package struct HistoryReader {
  let connection: Connection
  private let model: Model
  private let names: HistoryNames
  private let replacements: HistoryReplacements

  /// Reads the history of a file with the tables of `layouts`.
  package init(
    _ connection: Connection, _ model: Model, _ layouts: [Entity: EntityLayout], _ names: HistoryNames
  ) {
    self.connection = connection
    self.model = model
    self.names = names
    replacements = HistoryReplacements(connection, model, layouts, names)
  }

  /// The columns of a change and its range; the range is NULL for changes of other programs.
  private static let columns =
    "c.id, c.time, c.entity, c.key, c.kind, c.properties, t.first, t.last, t.author, t.context, t.process"

  /// Changes by number, joined with their range if there is one.
  private static var everybody: String {
    """
    SELECT \(columns) FROM \(HistoryTables.change) AS c LEFT JOIN \(HistoryTables.transaction) AS t
      ON t.first = (SELECT max(first) FROM \(HistoryTables.transaction) WHERE first <= c.id) AND t.last >= c.id
    """
  }

  /// Changes within ranges only, which are far fewer if an author or context is requested.
  private static var ranges: String {
    """
    SELECT \(columns) FROM \(HistoryTables.transaction) AS t CROSS JOIN \(HistoryTables.change) AS c
      ON c.id BETWEEN t.first AND t.last
    """
  }

  /// The kinds of changes that are reported.
  private static let toldKinds = "(kind < \(RecordedKind.gap) OR kind = \(RecordedKind.inTheWay))"

  // MARK: Transactions

  func transactions(_ request: HistoryRequest) throws -> [HistoryTransaction] {
    var conditions = ["c.id > ?", Self.toldKinds]
    var values: [Value] = [.int(request.since?.number ?? -1)]
    if let token = request.before {
      conditions.append("c.id <= ?")
      values.append(.int(token.number))
    }
    for (column, name) in [("author", request.author), ("context", request.contextName)] {
      guard let name else { continue }
      conditions.append("t.\(column) = ?")
      values.append(.string(name))
    }
    let source = request.author == nil && request.contextName == nil ? Self.everybody : Self.ranges
    let sql = "\(source) WHERE \(conditions.joined(separator: " AND ")) ORDER BY c.id"
    var list = HistoryList(request, numbers: request.entity.map(names.numbers))
    try connection.with(sql, values) { statement throws(StoreError) in
      while !list.isFull, try statement.step() {
        if try kind(statement.integer(4), of: statement.integer(0)) != nil { list.add(statement) }
      }
    }
    var transactions = list.finished()
    if request.includesChanges {
      for index in transactions.indices {
        transactions[index].changes = try changes(in: transactions[index].range, of: request.entity)
      }
      transactions.removeAll { $0.changes.isEmpty }
    }
    return transactions
  }

  // MARK: Changes

  /// Returns the merged change of each object between two numbers.
  func changes(in range: ClosedRange<Int64>, of entity: Entity?) throws(StoreError) -> [HistoryChange] {
    let numbers = entity.map(names.numbers)
    var merger = ChangeMerger()
    let sql = """
      SELECT id, entity, key, kind, properties FROM \(HistoryTables.change)
      WHERE id BETWEEN ? AND ? AND \(Self.toldKinds) ORDER BY id
      """
    try connection.with(sql, [.int(range.lowerBound), .int(range.upperBound)]) { statement throws(StoreError) in
      while try statement.step() {
        let number = statement.integer(1)
        if let numbers, !numbers.contains(number) { continue }
        guard let entry = names.entity(Int(number)), let kind = try kind(statement.integer(3), of: statement.integer(0))
        else { continue }
        merger.add(
          RecordedChange(
            id: statement.integer(0), number: Int(number), family: entry.family, key: statement.integer(2), kind: kind,
            properties: Self.words(statement.value(4))))
      }
    }
    var changes: [HistoryChange] = []
    for (number, recorded) in merger.changes.enumerated() {
      if number & 0xFF == 0, connection.isInterrupted() { throw StoreError(.interrupted, path: connection.path) }
      if let change = try change(recorded) { changes.append(change) }
    }
    return changes
  }

  /// Returns the kind that a recorded change is reported as; nil for none.
  private func kind(_ stored: Int64, of change: Int64) throws(StoreError) -> HistoryChange.Kind? {
    switch stored {
    case RecordedKind.insert: .insert
    case RecordedKind.update: .update
    case RecordedKind.delete: .delete
    case RecordedKind.inTheWay: try replacements.contains(change) ? .delete : nil
    default: nil
    }
  }

  /// Returns the change with names; nil if it only concerns columns of other entities.
  private func change(_ recorded: RecordedChange) throws(StoreError) -> HistoryChange? {
    guard let entry = names.entity(recorded.number) else { return nil }
    let entity = names.entity(of: entry, in: model)
    return names.change(
      recorded, in: model, tombstone: recorded.kind == .delete ? try tombstone(of: recorded, entry, entity) : [:])
  }

  private func tombstone(
    of change: RecordedChange, _ entry: HistoryNames.EntityEntry, _ entity: Entity?
  ) throws(StoreError) -> [String: Value] {
    var values: [String: Value] = [:]
    let sql = "SELECT property, value FROM \(HistoryTables.tombstone) WHERE change = ?"
    try connection.with(sql, [.int(change.id)]) { statement throws(StoreError) in
      while try statement.step() {
        guard let name = names.name(ofProperty: Int(statement.integer(0)), of: entry, entity, in: model) else {
          continue
        }
        let type = entity?.property(named: name)?.attribute?.type ?? .any
        values[name] = ValueCoding.decode(statement.value(1), as: type)
      }
    }
    return values
  }

  /// The bits of changed properties: an integer, or several as text.
  private static func words(_ value: Value) -> [Int64] {
    switch value {
    case .int(let word): [word]
    case .string(let text): RecordedChange.words(text)
    default: []
    }
  }
}
