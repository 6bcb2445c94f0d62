internal import LuaRuntime
internal import Modeling
internal import Storage

extension BoundStore {
  private static let options: [(name: String, summary: String)] = [
    ("since", "Only what came after this token."), ("before", "Only what came before this token or date."),
    ("author", "Only transactions of this author."), ("context", "Only transactions of contexts of this name."),
    ("entity", "Only changes of this entity's objects, and transactions with some."),
    ("limit", "The most transactions, the oldest first."),
  ]

  static var historyOptions: [CatalogEntry] {
    options.map { option in
      CatalogEntry(
        kind: .option, owner: "history", name: option.name, signature: "\(option.name) = ...", summary: option.summary)
    }
  }

  static let historyMembers: [Member<BoundStore>] = [
    .method(
      "history", "store:history([{ since = , before = , author = , context = , entity = , limit = }]) -> history",
      "The transactions that were recorded, the oldest first."
    ) { call, store in
      try store.checkOpen(call)
      let options = try call.options(1, BoundStore.options.map(\.name))
      let request = try store.historyRequest(options)
      let history = BoundHistory(store, try store.store.history(request), request.entity)
      call.engine.histories.push(history, on: call.stack)
      return 1
    },
    .method(
      "deleteHistory", "store:deleteHistory([{ before = token or date }]) -> number",
      "Forgets the transactions before a token's or a time, or all; returns how many changes are gone."
    ) { call, store in
      try store.checkOpen(call)
      let place = try call.options(1, ["before"]).place("before")
      let count =
        switch place {
        case .token(let token)?: try store.store.deleteHistory(before: token)
        case .date(let date)?: try store.store.deleteHistory(before: date)
        case nil: try store.store.deleteHistory()
        }
      call.stack.push(count)
      return 1
    },
    .property(
      "historyEnabled", "store.historyEnabled -> boolean",
      "Whether the changes of all programs are recorded; set it to begin or end recording."
    ) { call, store in
      try store.checkOpen(call)
      call.stack.push(try store.store.isHistoryEnabled)
      return 1
    } set: { call, store in
      try store.checkOpen(call)
      try store.store.setHistoryEnabled(try call.boolean(1))
    },
    .property(
      "historyToken", "store.historyToken -> token", "The place behind all that was recorded so far, for `since`."
    ) { call, store in
      try store.checkOpen(call)
      call.stack.push(try store.store.currentHistoryToken.number)
      return 1
    },
  ]

  private func historyRequest(_ options: Options) throws -> HistoryRequest {
    var request = HistoryRequest()
    request.includesChanges = false
    request.author = try options.string("author")
    request.contextName = try options.string("context")
    request.fetchLimit = try options.integer("limit").map { max(0, $0) }
    switch try options.place("since") {
    case .token(let token)?: request.since = token
    case .date?: throw options.call.fail("since takes a token; before takes a date as well")
    case nil: break
    }
    switch try options.place("before") {
    case .token(let token)?: request.before = token
    case .date(let date)?: request.beforeDate = date
    case nil: break
    }
    request.entity = try options.with("entity") { index in
      if let entity = engine.entities.object(at: index, on: options.call.stack)?.entity {
        // The entity may be one of another store of the same model.
        if let own = store.model.entity(named: entity.name) { return own }
        throw options.call.fail("\(entity.name) is no entity of the store")
      }
      guard let name = options.call.stack.string(at: index) else {
        throw options.expected("an entity", "entity", index)
      }
      guard let entity = store.model.entity(named: name) else {
        let near = nearest(name, store.model.entities.map(\.name))
        throw ScriptError(options.call.place, .unknownMember(name, of: "the model", nearest: near))
      }
      return entity
    }
    return request
  }
}

extension Options {
  /// A place in a history: a token, as a number or text, or a date.
  enum Place {
    case token(HistoryToken)
    case date(Timestamp)
  }

  /// The place that a field names.
  func place(_ name: String) throws -> Place? {
    try with(name) { index in
      if let seconds = call.engine.dates.payload(at: index, on: call.stack) { return .date(Timestamp(seconds)) }
      if let number = call.stack.integer(at: index), number >= 0 { return .token(HistoryToken(number: number)) }
      guard let text = call.stack.string(at: index), let token = HistoryToken(text) else {
        throw expected("a token of the history", name, index)
      }
      return .token(token)
    }
  }
}
