import Modeling
import SQLite

/// A statement about the rows whose columns hold one of many values. It is compiled once for each length of its list
/// and kept.
///
/// A nested call, from within another call's `body`, gets a statement of its own.
final class ListStatement {
  private let connection: Connection
  /// The columns that are compared with the values.
  private let columns: [SQLFragment]
  /// Makes the statement for a condition on the columns; the condition must come last.
  private let make: (SQLCondition) -> SQLFragment
  private var kept: [Int: Statement] = [:]
  /// The number of parameters before the list.
  private var argumentCount = 0

  private static let lengths = [1, 4, 16, 64, 256]

  init(_ connection: Connection, _ columns: [SQLFragment], _ make: @escaping (SQLCondition) -> SQLFragment) {
    self.connection = connection
    self.columns = columns
    self.make = make
  }

  /// The statement's text for a list of one value.
  var text: String { make(condition(1)).text }

  /// Reads the rows for keys of an entity; `body` returns whether to continue.
  func run(keys: some Collection<Int64>, _ interner: KeyInterner?, _ body: (Statement) throws -> Bool) throws {
    if let interner {
      for key in keys {
        guard let values = interner.key(key) else { continue }
        guard try run(values, body) else { return }
      }
      return
    }
    try runList(keys, { statement, key, index throws(StoreError) in try statement.bind(key, at: index) }, body)
  }

  /// Reads the rows for values of a single column.
  func run(values: some Collection<Value>, _ body: (Statement) throws -> Bool) throws {
    try runList(values, { statement, value, index throws(StoreError) in try statement.bind(value, at: index) }, body)
  }

  /// Reads the rows for combinations of several columns' values; nil matches any value.
  func run(combinations: some Collection<[Value?]>, _ body: (Statement) throws -> Bool) throws {
    for combination in combinations {
      let values = combination.compactMap { $0 }
      guard values.count < columns.count else {
        guard try run(values, body) else { return }
        continue
      }
      if values.isEmpty { continue }
      let some = zip(columns, combination).filter { $1 != nil }.map(\.0)
      guard try ListStatement(connection, some, make).run(values, body) else { return }
    }
  }
}

// MARK: Running

extension ListStatement {
  /// Runs the statement for one value of each column; returns false if `body` stopped it.
  private func run(_ values: [Value], _ body: (Statement) throws -> Bool) throws -> Bool {
    let statement = try take(1)
    defer { give(statement, 1) }
    for (index, value) in values.enumerated() { try statement.bind(value, at: argumentCount + index + 1) }
    return try step(statement, body)
  }

  private func runList<Item>(
    _ items: some Collection<Item>, _ bind: (Statement, Item, Int) throws(StoreError) -> Void,
    _ body: (Statement) throws -> Bool
  ) throws {
    var rest = items.makeIterator()
    var left = items.count
    while left > 0 {
      let length = Self.lengths.first { left <= $0 } ?? Self.lengths[Self.lengths.count - 1]
      let statement = try take(length)
      defer { give(statement, length) }
      var count = 0
      while count < length, let item = rest.next() {
        count += 1
        try bind(statement, item, argumentCount + count)
      }
      if count < length { for index in count..<length { try statement.bindNull(at: argumentCount + index + 1) } }
      left -= count
      guard try step(statement, body) else { return }
    }
  }

  private func step(_ statement: Statement, _ body: (Statement) throws -> Bool) throws -> Bool {
    while try statement.step() { guard try body(statement) else { return false } }
    return true
  }

  private func take(_ length: Int) throws -> Statement {
    if let statement = kept.removeValue(forKey: length) { return statement }
    let condition = condition(length)
    let sql = make(condition)
    let statement = try connection.prepare(sql.text)
    let listed = condition.sql.arguments.count
    argumentCount = sql.arguments.count - listed
    for (index, value) in sql.arguments.dropLast(listed).enumerated() {
      try statement.bind(ValueCoding.stored(value), at: index + 1)
    }
    return statement
  }

  private func give(_ statement: Statement, _ length: Int) {
    statement.reset()
    kept[length] = statement
  }

  private func condition(_ length: Int) -> SQLCondition {
    if columns.count > 1 { return .all(columns.map { SQLCondition("\($0) = \(value: .null)") }) }
    if length == 1 { return SQLCondition("\(columns[0]) = \(value: .null)") }
    let marks = [SQLFragment](repeating: SQLFragment(value: .null), count: length).joined(separator: ", ")
    return SQLCondition("\(columns[0]) IN (\(marks))")
  }
}
