import Modeling
import SQLite
import StoreErrors
import Stores

/// Groups recorded changes, in the order of their numbers, into transactions.
struct HistoryList {
  private let request: HistoryRequest
  /// The entities of which transactions must have changes; nil for any.
  private let numbers: Set<Int64>?
  private var transactions: [HistoryTransaction] = []
  private var current: Group?

  /// The changes of one transaction.
  private struct Group {
    var first: Int64
    var last: Int64
    var time: Double
    /// The range written by our transaction; nil for another program's changes.
    var range: ClosedRange<Int64>?
    var author: String?
    var contextName: String?
    var processID: Int32?
    var isWanted = false
  }

  init(_ request: HistoryRequest, numbers: Set<Int64>?) {
    self.request = request
    self.numbers = numbers
  }

  /// Whether the limit is reached.
  var isFull: Bool { request.fetchLimit.map { transactions.count >= $0 } ?? false }

  /// Adds the change in the statement's current row.
  mutating func add(_ statement: Statement) {
    let id = statement.integer(0)
    let time = statement.real(1)
    let isOwn = if case .int = statement.value(6) { true } else { false }
    if let group = current {
      let continues = isOwn ? group.range?.contains(id) == true : group.range == nil && group.time == time
      if !continues { flush() }
    }
    if isFull { return }
    if current == nil { current = group(statement, id, time, isOwn: isOwn) }
    current?.last = id
    current?.time = time
    if numbers?.contains(statement.integer(2)) ?? true { current?.isWanted = true }
  }

  /// Returns the requested transactions.
  mutating func finished() -> [HistoryTransaction] {
    flush()
    return transactions
  }

  private func group(_ statement: Statement, _ id: Int64, _ time: Double, isOwn: Bool) -> Group {
    var group = Group(first: id, last: id, time: time)
    guard isOwn else { return group }
    // A range that ends before it begins is invalid.
    group.range = ClosedRange(from: statement.integer(6), through: statement.integer(7)) ?? id...id
    if case .string(let author) = statement.value(8) { group.author = author }
    if case .string(let name) = statement.value(9) { group.contextName = name }
    if case .int(let process) = statement.value(10) { group.processID = Int32(truncatingIfNeeded: process) }
    return group
  }

  private mutating func flush() {
    guard let group = current else { return }
    current = nil
    let date = Timestamp(HistoryTables.seconds(ofJulianDay: group.time))
    let token = HistoryToken(number: group.range?.upperBound ?? group.last)
    guard group.isWanted, !isFull, request.before.map({ token < $0 }) ?? true,
      request.beforeDate.map({ date < $0 }) ?? true
    else { return }
    transactions.append(
      HistoryTransaction(
        token: token, date: date, author: group.author, contextName: group.contextName, processID: group.processID,
        range: group.first...group.last))
  }
}
