internal import LuaRuntime
internal import Modeling
internal import Stores
internal import SwiftReading

extension BoundStore {
  private static let options: [(name: String, summary: String)] = [
    ("since", "Only transactions after this token."), ("before", "Only transactions before this token or date."),
    ("author", "Only transactions of this author."), ("context", "Only transactions of contexts of this name."),
    ("entity", "Only changes of this entity's objects, and transactions with some."),
    ("limit", "The maximum number of transactions, oldest first."),
  ]

  static var historyOptions: [CatalogEntry] {
    CatalogEntry.options(of: "history", example: #"store:history { author = "import", limit = 10 }"#, options)
  }

  static let historyMembers: [Member<BoundStore>] = [
    .method(
      "history",
      "store:history([{ since = , before = , author = , context = , entity = , limit = } | descriptor [, variables]])"
        + " -> history",
      "The recorded transactions, oldest first; also by a HistoryDescriptor as Swift source.", sandbox: .allowed,
      example: "({ limit = 10 })"
    ) { call, store in
      try store.checkOpen(call)
      let request =
        call.type(1) == .string
        ? try store.historyRequest(swift: call)
        : try store.historyRequest(try call.options(1, BoundStore.options.map(\.name)))
      let history = BoundHistory(store, try store.objectStore.history(request), request)
      return .object(history)
    },
    .method(
      "deleteHistory", "store:deleteHistory([{ before = token or date }]) -> number",
      "Deletes the transactions before a token or a time, or all; returns how many changes it deleted.",
      sandbox: .allowed, example: "({ before = Date(0) })"
    ) { call, store in
      try store.checkOpen(call)
      let place = try call.options(1, ["before"]).place("before")
      let count =
        switch place {
        case .token(let token)?: try store.objectStore.deleteHistory(before: token)
        case .date(let date)?: try store.objectStore.deleteHistory(before: date)
        case nil: try store.objectStore.deleteHistory()
        }
      return .integer(count)
    },
    .property(
      "historyEnabled", "store.historyEnabled -> boolean",
      "Whether the changes of all programs are recorded; set it to begin or end recording.", sandbox: .allowed
    ) { call, store in
      try store.checkOpen(call)
      return .boolean(try store.objectStore.isHistoryEnabled)
    } set: { call, store in
      try store.checkOpen(call)
      try store.objectStore.setHistoryEnabled(try call.boolean(1))
    },
    .property(
      "historyToken", "store.historyToken -> token", "The token of the last recorded transaction, for `since`.",
      sandbox: .allowed
    ) { call, store in
      try store.checkOpen(call)
      return .value(.int(try store.objectStore.currentHistoryToken.number))
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
      if let entity = engine.classes.object(BoundEntity.self, at: index, on: options.call.stack)?.entity {
        // The entity may belong to another store with the same model.
        if let own = objectStore.model.entity(named: entity.name) { return own }
        throw options.call.fail("\(entity.name) is not an entity of the store")
      }
      guard let name = options.call.stack.string(at: index) else {
        throw options.expected("an entity", "entity", index)
      }
      guard let entity = objectStore.model.entity(named: name) else {
        let near = nearest(name, objectStore.model.entities.map(\.name))
        throw ScriptError(options.call.place, .unknownMember(name, of: "the model", nearest: near))
      }
      return entity
    }
    return request
  }
}

// Swift history descriptors.
extension BoundStore {
  /// The request in Swift source; the following table has the values of its names.
  fileprivate func historyRequest(swift call: Call) throws -> HistoryRequest {
    let descriptor = try SwiftHistoryDescriptor(swift: try call.string(1, "a HistoryDescriptor in valid UTF-8"))
    let names = [
      descriptor.since, descriptor.before, descriptor.beforeDate, descriptor.author, descriptor.fetchLimit,
    ].compactMap { if case .name(let name)? = $0 { name } else { nil } }
    let variables = try call.options(2, names)
    for name in names where !variables.has(name) { throw call.fail(.missing("a value for '\(name)'")) }
    var request = HistoryRequest()
    request.includesChanges = false
    switch descriptor.since {
    case .name(let name): request.since = try token(name, variables)
    case .value(.int(let number)): request.since = HistoryToken(number: number)
    case .value(let value): throw call.fail("\(value.shortText) is not a token of the history")
    case nil: break
    }
    switch descriptor.before {
    case .name(let name): request.before = try token(name, variables)
    case .value(.int(let number)): request.before = HistoryToken(number: number)
    case .value(let value): throw call.fail("\(value.shortText) is not a token of the history")
    case nil: break
    }
    switch descriptor.beforeDate {
    case .name(let name):
      guard case .date(let date)? = try variables.place(name) else { throw call.fail("'\(name)' is not a date") }
      request.beforeDate = date
    case .value(.date(let date)): request.beforeDate = date
    case .value(let value): throw call.fail("\(value.shortText) is not a date")
    case nil: break
    }
    switch descriptor.author {
    case .name(let name): request.author = try variables.string(name)
    case .value(.string(let author)): request.author = author
    case .value(let value): throw call.fail("\(value.shortText) is not the name of an author")
    case nil: break
    }
    switch descriptor.fetchLimit {
    case .name(let name): request.fetchLimit = try variables.integer(name).map { max(0, $0) }
    case .value(.int(let number)): request.fetchLimit = Int(clamping: max(0, number))
    case .value(let value): throw call.fail("\(value.shortText) is not a limit")
    case nil: break
    }
    if case .value(.string(let name))? = descriptor.entity {
      guard let entity = objectStore.model.entity(named: name) else {
        let near = nearest(name, objectStore.model.entities.map(\.name))
        throw ScriptError(call.place, .unknownMember(name, of: "the model", nearest: near))
      }
      request.entity = entity
    }
    return request
  }

  private func token(_ name: String, _ variables: Options) throws -> HistoryToken {
    guard case .token(let token)? = try variables.place(name) else {
      throw variables.call.fail("'\(name)' is not a token of the history")
    }
    return token
  }
}

extension Options {
  /// A position in a history: a token, as a number or text, or a date.
  enum Place {
    case token(HistoryToken)
    case date(Timestamp)
  }

  /// The position in a field.
  func place(_ name: String) throws -> Place? {
    try with(name) { index in
      if let seconds = call.engine.values.dates.payload(at: index, on: call.stack) { return .date(Timestamp(seconds)) }
      if let number = call.stack.integer(at: index), number >= 0 { return .token(HistoryToken(number: number)) }
      guard let text = call.stack.string(at: index), let token = HistoryToken(text) else {
        throw expected("a token of the history", name, index)
      }
      return .token(token)
    }
  }
}
