internal import LiveQueries
internal import LuaRuntime
internal import Modeling

/// The events of a store that functions can observe: `store:on("remoteChange", fn)`.
enum StoreEvent: String, CaseIterable {
  case remoteChange
}

extension BoundStore {
  static let observingMembers: [Member<BoundStore>] = [
    .method(
      "on", "store:on(\"remoteChange\", function(change) ... end [, { entities = }]) -> token",
      "Calls a function after commits of other programs and connections, with entities, objectIDs and author.",
      sandbox: .allowed, example: #"("remoteChange", print)"#
    ) { call, store in
      try store.on(call)
    }
  ]

  private func on(_ call: Call) throws -> ReturnValue {
    try checkOpen(call)
    guard try call.choice(1, StoreEvent.self) != nil else { throw call.expected("\"remoteChange\"", 1) }
    let function = call.stack.reference(at: try call.function(2))
    let name = call.engine.lua.name(of: function, as: "store:on")
    let options = try call.options(3, ["entities"])
    let entities = try options.with("entities") { try self.entities(at: $0, call) }
    let token = live.observeRemoteChanges(of: entities, name: name) { [unowned self] change in
      mainContext.notify(function) { stack in
        push(change, on: stack)
        return 1
      }
    }
    return .object(BoundObservationToken(token))
  }

  /// The entities in a list of entities or names.
  private func entities(at index: Int32, _ call: Call) throws -> [Entity] {
    try call.stack.elements(at: index) { element in
      if let entity = call.engine.classes.object(BoundEntity.self, at: element, on: call.stack) { return entity.entity }
      guard let name = call.stack.string(at: element) else {
        throw ScriptError(
          "\(call.place): entities", .expected("a list of entities", found: call.stack.typeName(at: element)))
      }
      return try mainContext.entity(named: name, "\(call.place): entities").entity
    } ?? []
  }

  /// Pushes `{ entities = { "Quake" }, objectIDs = { ... }, isComplete = , author = }`.
  private func push(_ change: RemoteChange, on stack: LuaStack) {
    stack.pushTable(hash: 4)
    engine.values.push(.list(change.entities.map { .string($0.name) }), on: stack)
    stack.rawSet(field: "entities", at: -2)
    engine.values.push(.list(change.objectIDs.map(Value.object)), on: stack)
    stack.rawSet(field: "objectIDs", at: -2)
    stack.push(change.isComplete)
    stack.rawSet(field: "isComplete", at: -2)
    if let author = change.author {
      stack.push(author)
      stack.rawSet(field: "author", at: -2)
    }
  }
}
