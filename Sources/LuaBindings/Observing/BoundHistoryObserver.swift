internal import LiveQueries
internal import LuaRuntime
internal import Modeling
internal import Reactive
internal import Stores

/// A counter of the relevant changes in a store's history: `HistoryObserver { author = "import" }`.
final class BoundHistoryObserver: Bound {
  static let luaName = "HistoryObserver"
  var place: String { "observer" }

  let observer: HistoryObserver
  let store: BoundStore
  private var preparation: Reactive.ObservationToken?
  /// The number of callbacks.
  private var callbackCount = 0

  init(_ observer: HistoryObserver, _ store: BoundStore) {
    self.observer = observer
    self.store = store
    preparation = store.engine.turn.addPreparation { [weak self] in self?.notice() }
  }

  deinit { preparation?.cancel() }

  func summary() -> String { "history observer, \(ErrorReport.count(observer.eventCounter, "event"))" }

  /// Looks for new changes in the history.
  private func notice() {
    guard !store.isClosed else { return close() }
    store.engine.turns.runCallback { try observer.noticeCommit() }
  }

  /// Ends the observation.
  func close() {
    preparation?.cancel()
    preparation = nil
    store.observerEnds[ObjectIdentifier(self)] = nil
  }

  private func onChange(_ call: Call) throws -> ReturnValue {
    try store.checkOpen(call)
    if preparation == nil { throw call.fail(.closed("history observer")) }
    let function = call.stack.reference(at: try call.function(1))
    let engine = call.engine
    let name = engine.lua.name(of: function, as: "HistoryObserver:onChange")
    let token = observer.onChange(name: name) { [unowned self, unowned engine] _ in
      engine.turns.notify(function) { stack in
        engine.classes.push(self, on: stack)
        return 1
      }
    }
    store.observerEnds[ObjectIdentifier(self)] = { self.close() }
    callbackCount += 1
    return .object(
      BoundObservationToken { [weak self] in
        token.cancel()
        self?.callbackEnded()
      })
  }

  private func callbackEnded() {
    callbackCount -= 1
    if callbackCount == 0 { store.observerEnds[ObjectIdentifier(self)] = nil }
  }

  static let members: [Member<BoundHistoryObserver>] = [
    .property(
      "eventCounter", "observer.eventCounter -> number", "How often the history had new relevant changes.",
      sandbox: .allowed
    ) { call, observer in
      .integer(observer.observer.eventCounter)
    },
    .property(
      "historyToken", "observer.historyToken -> token", "The last history token that was examined.", sandbox: .allowed
    ) {
      call, observer in
      .value(.int(observer.observer.historyToken.number))
    },
    .method(
      "onChange", "observer:onChange(function(observer) ... end) -> token",
      "Calls a function whenever eventCounter has grown.", sandbox: .allowed,
      example: "(function(observer) print(observer.eventCounter) end)"
    ) { call, observer in
      try observer.onChange(call)
    },
    .method("close", "observer:close()", "Ends the observation.", sandbox: .allowed, example: "()") { _, observer in
      observer.close()
      return .nothing
    },
  ]

  static let functions: [GlobalFunction] = [
    GlobalFunction(
      "HistoryObserver", "HistoryObserver { entities = , author = , since = , store = } -> HistoryObserver",
      "Counts the commits of any program with relevant changes, by the history.", sandbox: .allowed,
      example: "HistoryObserver { store = store }"
    ) { call in
      try make(call)
    }
  ]

  private static func make(_ call: Call) throws -> ReturnValue {
    let options = try call.options(1, ["entities", "author", "since", "store"])
    let entities = try options.with("entities") { index in
      try call.stack.elements(at: index) { element in
        guard let entity = call.engine.classes.object(BoundEntity.self, at: element, on: call.stack) else {
          throw options.expected("a list of entities", "entities", element)
        }
        return entity
      } ?? { throw options.expected("a list of entities", "entities", index) }()
    }
    let named = try options.with("store") { index in
      guard let store = call.engine.classes.object(BoundStore.self, at: index, on: call.stack) else {
        throw options.expected("a store", "store", index)
      }
      return store
    }
    guard let store = named ?? entities?.first?.context.store ?? call.engine.globals.store else {
      throw call.fail("no store is open; open one, or name it on the command line")
    }
    try store.checkOpen(call)
    for entity in entities ?? [] where entity.context.store !== store {
      throw call.fail("\(entity.entity.name) is an entity of another store")
    }
    var since: HistoryToken?
    switch try options.place("since") {
    case .token(let token)?: since = token
    case .date?: throw call.fail("since takes a token")
    case nil: break
    }
    let observer = try HistoryObserver(
      store.objectStore, since: since, entities: Set((entities ?? []).map(\.entity)),
      authors: try options.authors(), turn: call.engine.turn)
    return .object(BoundHistoryObserver(observer, store))
  }
}

extension Options {
  /// An author, or a list of authors.
  fileprivate func authors() throws -> Set<String> {
    try with("author") { index in
      if let author = call.stack.string(at: index) { return [author] }
      let authors = try call.stack.elements(at: index) { element in
        guard let author = call.stack.string(at: element) else {
          throw expected("a list of authors", "author", element)
        }
        return author
      }
      guard let authors else { throw expected("an author", "author", index) }
      return Set(authors)
    } ?? []
  }
}

extension BoundHistoryObserver {
  static func luaClass(of engine: Engine) -> LuaClass<BoundHistoryObserver> {
    engine.classes.make(BoundHistoryObserver.self, keepsIdentity: true) { definition in
      definition.close { $0.close() }
    }
  }
}
