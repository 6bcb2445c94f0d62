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
      return .object(try context.store.newContext(parent: context).configured(call))
    },
    .property("parent", "context.parent -> context or nil", "The context that a child saves into.", sandbox: .allowed) {
      call, context in
      .object(context.parent)
    },
    .property(
      "registeredObjects", "context.registeredObjects -> list",
      "The objects registered in the context: changed ones, and those in use.", sandbox: .allowed
    ) { call, context in
      try context.checkOpen(call.place)
      return .pushing { try context.push(context.objectContext.registeredObjects(), on: $0) }
    },
  ]

  /// Throws if contexts are nested too deep.
  func checkCanHaveChild(_ call: Call) throws {
    guard objectContext.depth < Nesting.contexts else {
      throw call.fail("contexts nest at most \(Nesting.contexts) levels deep")
    }
  }

  /// The context, after properties were set from the fields of the table in the first argument, as `context.name = value` would.
  func configured(_ call: Call) throws -> BoundContext {
    let settable = engine.classes.members(of: BoundContext.self).filter {
      if case .property(_, .some) = $0.body { true } else { false }
    }
    let options = try call.options(1, settable.map(\.name))
    for member in settable {
      guard case .property(_, let set?) = member.body else { continue }
      try options.with(member.name) { index in
        let place = Call(
          engine: engine, stack: call.stack, owner: self, name: member.name, separator: ".", skipping: index - 1)
        try set(place, self)
      }
    }
    return self
  }
}
