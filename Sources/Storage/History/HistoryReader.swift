import Modeling
import SQLite

/// Reads a store's history: groups changes into transactions, and merges the changes of each object.
struct HistoryReader {
  let store: SQLiteStore
  let names: HistoryNames
  private let replacements: HistoryReplacements

  init(store: SQLiteStore, names: HistoryNames) {
    self.store = store
    self.names = names
    replacements = HistoryReplacements(store, names)
  }

  private var connection: Connection { store.connection }

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
  private static let toldKinds = "(kind < \(HistoryTables.Kind.gap) OR kind = \(HistoryTables.Kind.inTheWay))"

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
    var list = HistoryList(request, numbers: request.entity.map(numbers))
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

  /// Returns the numbers with which an entity's changes have been recorded.
  private func numbers(of entity: Entity) -> Set<Int64> {
    let names = Set(entity.family.map(\.name))
    return Set(
      self.names.entities.indices.filter {
        !self.names.entities[$0].isRetired && names.contains(self.names.entities[$0].name)
      }.map { Int64($0 + 1) })
  }

  // MARK: Changes

  /// Returns the merged change of each object between two numbers.
  func changes(in range: ClosedRange<Int64>, of entity: Entity?) throws(StoreError) -> [HistoryChange] {
    let numbers = entity.map(numbers)
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
      if number & 0xFF == 0, connection.isInterrupted() { throw StoreError(.interrupted, path: store.path) }
      if let change = try change(recorded) { changes.append(change) }
    }
    return changes
  }

  /// Returns the kind that a recorded change is reported as; nil for none.
  private func kind(_ stored: Int64, of change: Int64) throws(StoreError) -> HistoryChange.Kind? {
    switch stored {
    case HistoryTables.Kind.insert: .insert
    case HistoryTables.Kind.update: .update
    case HistoryTables.Kind.delete: .delete
    case HistoryTables.Kind.inTheWay: try replacements.contains(change) ? .delete : nil
    default: nil
    }
  }

  /// Returns the change with names; nil if it only concerns columns of other entities.
  private func change(_ recorded: RecordedChange) throws(StoreError) -> HistoryChange? {
    guard let entry = names.entity(recorded.number) else { return nil }
    let entity = entry.isRetired ? nil : store.model.entity(named: entry.name)
    var properties: [String] = []
    if recorded.kind == .update {
      properties = recorded.positions.compactMap { name(ofProperty: $0, of: entry, entity) }
      if properties.isEmpty { return nil }
      if let entity { properties.sort { entity.index(of: $0) ?? .max < entity.index(of: $1) ?? .max } }
    }
    return HistoryChange(
      entity: entity, entityName: entry.name, key: recorded.key, kind: recorded.kind, updatedProperties: properties,
      tombstone: recorded.kind == .delete ? try tombstone(of: recorded, entry, entity) : [:])
  }

  /// Returns the name of a property by its bit; nil if it belongs to another entity of the same table.
  private func name(ofProperty position: Int, of entry: HistoryNames.EntityEntry, _ entity: Entity?) -> String? {
    guard let property = names.property(position, of: entry) else { return nil }
    guard let entity, !property.isRetired, let owner = store.model.entity(named: property.entity) else {
      return property.name
    }
    return entity.isKind(of: owner) ? property.name : nil
  }

  private func tombstone(
    of change: RecordedChange, _ entry: HistoryNames.EntityEntry, _ entity: Entity?
  ) throws(StoreError) -> [String: Value] {
    var values: [String: Value] = [:]
    let sql = "SELECT property, value FROM \(HistoryTables.tombstone) WHERE change = ?"
    try connection.with(sql, [.int(change.id)]) { statement throws(StoreError) in
      while try statement.step() {
        guard let name = name(ofProperty: Int(statement.integer(0)), of: entry, entity) else { continue }
        values[name] = statement.value(1, as: entity?.property(named: name)?.attribute?.type ?? .any)
      }
    }
    return values
  }

  /// The bits of changed properties: an integer, or several as text.
  private static func words(_ value: Value) -> [Int64] {
    switch value {
    case .int(let word): [word]
    case .string(let text): text.split(separator: ",").compactMap { Int64($0) }
    default: []
    }
  }

  // MARK: Places

  /// The number of the first change of the transaction that the change `number` is in.
  func start(ofTransactionWith number: Int64) throws -> Int64 {
    let range =
      "SELECT first FROM \(HistoryTables.transaction) WHERE first <= ? AND last >= ? ORDER BY first DESC LIMIT 1"
    if case .int(let first)? = try connection.first(range, [.int(number), .int(number)]) { return first }
    // Of another program: all changes recorded at the same time.
    let before = """
      SELECT id FROM \(HistoryTables.change) WHERE id < ?
        AND time IS NOT (SELECT time FROM \(HistoryTables.change) WHERE id = ?) ORDER BY id DESC LIMIT 1
      """
    return try store.historyNumber(before, [.int(number), .int(number)]) +| 1
  }

  /// The number of the first change of the first transaction that is not before `date`.
  func start(notBefore date: Timestamp) throws -> Int64 {
    let day = HistoryTables.julianDay(ofSeconds: date.seconds - 0.0005)
    let first = "SELECT id FROM \(HistoryTables.change) WHERE time >= ? ORDER BY id LIMIT 1"
    guard case .int(let number)? = try connection.first(first, [.double(day)]) else {
      return try store.historyNumber("SELECT max(id) FROM \(HistoryTables.change)") +| 1
    }
    return try start(ofTransactionWith: number)
  }
}

extension Statement {
  /// The value of a column, read as one of an attribute's type.
  fileprivate func value(_ column: Int, as type: AttributeType) -> Value {
    let stored = storageClass(column)
    return ValueCoding.decode(
      stored, integer: stored == .integer ? integer(column) : 0, real: stored == .real ? real(column) : 0,
      bytes: stored == .text || stored == .blob ? bytes(column) : UnsafeRawBufferPointer(start: nil, count: 0),
      as: type)
  }
}
