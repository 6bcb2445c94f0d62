internal import LuaRuntime
internal import Modeling
internal import Stores

/// A transaction of a store's history.
final class BoundHistoryTransaction: Bound {
  static let luaName = "Transaction"
  var place: String { "transaction" }

  let store: BoundStore
  private let transaction: HistoryTransaction
  private let entity: Entity?
  private var changes: [HistoryChange]?
  /// The Lua list of changes, made once: a loop accesses it repeatedly.
  private var list: LuaReference?

  init(_ store: BoundStore, _ transaction: HistoryTransaction, _ entity: Entity?) {
    self.store = store
    self.transaction = transaction
    self.entity = entity
  }

  /// Returns the changes, which are read on first access.
  func loaded() throws -> [HistoryChange] {
    if let changes { return changes }
    if store.isClosed { throw ScriptError("\(place).changes", .closed("store")) }
    let read = try store.objectStore.historyChanges(of: transaction, entity: entity)
    changes = read
    return read
  }

  func summary() throws -> String {
    let author = transaction.author.map { " by \($0)" } ?? ""
    let what = store.isClosed ? "" : ": \(HistoryText.summary(of: try loaded()))"
    return "transaction \(transaction.token) of \(transaction.date.iso8601)\(author)\(what)"
  }

  static let members: [Member<BoundHistoryTransaction>] = [
    .property(
      "token", "transaction.token -> token",
      "Its number; a later `store:history { since = token }` returns the transactions after it.", sandbox: .allowed
    ) { call, transaction in
      .value(.int(transaction.transaction.token.number))
    },
    .property("time", "transaction.time -> date", "The time of the commit.", sandbox: .allowed) { call, transaction in
      .value(.date(transaction.transaction.date))
    },
    .property(
      "author", "transaction.author -> string", "The author of the changes, if one was named.", sandbox: .allowed
    ) {
      call, transaction in
      .text(transaction.transaction.author)
    },
    .property(
      "context", "transaction.context -> string", "The name of the context that was saved, if it had one.",
      sandbox: .allowed
    ) {
      call, transaction in
      .text(transaction.transaction.contextName)
    },
    .property(
      "processID", "transaction.processID -> number", "The process; nil for programs that are not Perilune.",
      sandbox: .allowed
    ) {
      call, transaction in
      let process = transaction.transaction.processID
      return .value(process.map { Value.int(Int64($0)) } ?? .null)
    },
    .property(
      "bundleID", "transaction.bundleID -> string", "The app that made it, in histories of Core Data.",
      sandbox: .allowed
    ) { call, transaction in
      .text(transaction.transaction.bundleID)
    },
    .property(
      "processName", "transaction.processName -> string", "The process that made it, in histories of Core Data.",
      sandbox: .allowed
    ) { call, transaction in
      .text(transaction.transaction.processName)
    },
    .property("changes", "transaction.changes -> list", "The changes of single objects.", sandbox: .allowed) {
      call, transaction in
      if let list = transaction.list { return .reference(list) }
      let changes = try transaction.loaded().map { ReturnValue.object(BoundHistoryChange(transaction.store, $0)) }
      let list = try ReturnValue.list(changes).kept(in: call.engine)
      transaction.list = list
      return .reference(list)
    },
  ]
}

extension BoundHistoryTransaction {
  static func luaClass(of engine: Engine) -> LuaClass<BoundHistoryTransaction> {
    engine.classes.make(BoundHistoryTransaction.self, keepsIdentity: true)
  }
}
