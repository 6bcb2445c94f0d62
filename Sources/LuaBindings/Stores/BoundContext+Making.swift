internal import LuaRuntime
internal import Modeling
internal import ObjectGraph

// Contexts that scripts create.
extension BoundContext {
  static let makingMembers: [Member<BoundContext>] = [
    .method(
      "newChild", "context:newChild([options]) -> context",
      "A child context: it sees the unsaved changes of this one, and saves into it.", sandbox: .allowed, example: "()"
    ) { call, context in
      try context.checkOpen(call.place)
      try context.checkCanHaveChild(call)
      try context.store.push(context.store.newContext(parent: context), call)
      return 1
    },
    .property("parent", "context.parent -> context or nil", "The context that a child saves into.", sandbox: .allowed) {
      call, context in
      if let parent = context.parent { call.engine.classes.push(parent, on: call.stack) } else { call.stack.pushNil() }
      return 1
    },
    .property(
      "registeredObjects", "context.registeredObjects -> list",
      "The objects registered in the context: changed ones, and those in use.", sandbox: .allowed
    ) { call, context in
      try context.checkOpen(call.place)
      try context.push(context.objectContext.registeredObjects(), on: call.stack)
      return 1
    },
  ]

  /// Throws if contexts are nested too deep.
  func checkCanHaveChild(_ call: Call) throws {
    guard objectContext.depth < Nesting.contexts else {
      throw call.fail("contexts nest at most \(Nesting.contexts) levels deep")
    }
  }

  /// Sets properties from the named fields of a table, as `context.name = value` would.
  fileprivate func configure(_ call: Call, from argument: Int32) throws {
    let settable = engine.classes.members(of: BoundContext.self).filter {
      if case .property(_, .some) = $0.body { true } else { false }
    }
    let options = try call.options(argument, settable.map(\.name))
    for member in settable {
      guard case .property(_, let set?) = member.body else { continue }
      try options.with(member.name) { index in
        let place = Call(
          engine: engine, stack: call.stack, owner: self, name: member.name, separator: ".", skipping: index - 1)
        try set(place, self)
      }
    }
  }
}

extension BoundStore {
  /// Pushes a new context with the options of the call's first argument.
  func push(_ context: BoundContext, _ call: Call) throws {
    try context.configure(call, from: 1)
    call.engine.classes.push(context, on: call.stack)
  }
}
