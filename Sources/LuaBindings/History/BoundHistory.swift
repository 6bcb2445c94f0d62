internal import LuaRuntime
internal import Modeling
internal import Stores
internal import SwiftReading

/// Transactions of a store's history; their changes are read on access.
final class BoundHistory: BoundList {
  static let luaName = "History"
  var place: String { "history" }
  var display: EngineValue? { .listing(listing) }

  let store: BoundStore
  /// The transactions, without their changes.
  let transactions: [HistoryTransaction]
  /// The request for the transactions.
  let request: HistoryRequest
  /// The entity to whose changes they are limited.
  var entity: Entity? { request.entity }
  /// A cache of the last accessed transaction with its changes: a loop accesses it repeatedly.
  private var latest: (position: Int, transaction: BoundHistoryTransaction)?

  init(_ store: BoundStore, _ transactions: [HistoryTransaction], _ request: HistoryRequest) {
    self.store = store
    self.transactions = transactions
    self.request = request
  }

  var count: Int { transactions.count }

  func summary() -> String { "history of \(ErrorReport.count(count, "transaction"))" }

  /// Pushes the transaction at a one-based index; nil outside.
  func push(at position: Int, on stack: LuaStack) {
    guard let transaction = transactions.element(numbered: position) else { return stack.pushNil() }
    if latest?.position != position {
      latest = (position, BoundHistoryTransaction(store, transaction, entity))
    }
    if let transaction = latest?.transaction { store.engine.classes.push(transaction, on: stack) }
  }

  /// The transactions as rows for display.
  var listing: Listing {
    let columns: [Listing.Column] = [
      ("token", true), ("time", false), ("author", false), ("context", false), ("changes", false),
    ]
    return Listing(
      columns: columns, count: transactions.count,
      rowName: transactions.count == 1 ? "transaction" : "transactions"
    ) { [self] index in
      let transaction = transactions[index]
      let changes = try BoundHistoryTransaction(store, transaction, entity).loaded()
      return [
        .int(transaction.token.number), .date(transaction.date), transaction.author.map(Value.string) ?? .null,
        transaction.contextName.map(Value.string) ?? .null, .string(HistoryText.summary(of: changes)),
      ]
    }
  }

  /// The example of what a history consists of.
  static let example =
    #"store.historyEnabled = true Quake:first().magnitude = 5 save() local t = store:history():last() print(t.author, t.changes[1])"#

  static let members: [Member<BoundHistory>] = [
    .method(
      "first", "history:first() -> transaction or nil", "The oldest transaction.", sandbox: .allowed, example: "()"
    ) { call, history in
      .pushing { history.push(at: 1, on: $0) }
    },
    .method("last", "history:last() -> transaction or nil", "The newest transaction.", sandbox: .allowed, example: "()")
    { call, history in
      .pushing { history.push(at: history.transactions.count, on: $0) }
    },
    .method(
      "swift", "history:swift() -> string",
      "The request as SwiftData's HistoryDescriptor; tokens are parameters.", sandbox: .allowed, example: "()"
    ) { call, history in
      if let name = history.request.contextName {
        throw call.fail("SwiftData's transactions have no context: leave out context = \(name.quotedForLua)")
      }
      return .text(SwiftHistoryDescriptor(history.request).source)
    },
    .method(
      "each", "history:each() -> iterator", "Iterates over the transactions: `for t in h:each() do`.",
      sandbox: .allowed, example: "()"
    ) {
      call, history in
      var position = 0
      return .function { stack in
        position += 1
        history.push(at: position, on: stack)
        return 1
      }
    },
  ]
}

/// Formats changes as text.
enum HistoryText {
  /// The numbers of inserted, updated and deleted objects: `2 inserted, 1 updated`.
  static func summary(of changes: [HistoryChange]) -> String {
    let kinds: [(HistoryChange.Kind, String)] = [(.insert, "inserted"), (.update, "updated"), (.delete, "deleted")]
    let parts = kinds.compactMap { kind, word in
      let count = changes.count { $0.kind == kind }
      return count == 0 ? nil : "\(Quantity.grouped(count)) \(word)"
    }
    return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
  }

  /// A change in one line: `update Quake/12: magnitude, place`.
  static func line(of change: HistoryChange) -> String {
    var text = "\(change.kind.rawValue) \(change.entityName)/\(change.key)"
    if !change.updatedProperties.isEmpty { text += ": \(change.updatedProperties.joined(separator: ", "))" }
    let values = change.tombstone.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value.debugText)" }
    return values.isEmpty ? text : "\(text) { \(values.joined(separator: ", ")) }"
  }
}

extension SwiftHistoryDescriptor {
  /// Describes a request.
  fileprivate init(_ request: HistoryRequest) {
    self.init()
    since = request.since.map { .value(.int($0.number)) }
    before = request.before.map { .value(.int($0.number)) }
    beforeDate = request.beforeDate.map { .value(.date($0)) }
    author = request.author.map { .value(.string($0)) }
    entity = request.entity.map { .value(.string($0.name)) }
    fetchLimit = request.fetchLimit.map { .value(.int(Int64($0))) }
  }
}
