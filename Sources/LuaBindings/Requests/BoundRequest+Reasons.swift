internal import Modeling
internal import Queries
internal import Refusals

// Questions about the predicate of a request, as of a predicate alone.
extension BoundRequest {
  static let whyMembers: [Member<BoundRequest>] = [
    .method(
      "why", "request:why(object) -> reason",
      "Why the object matches the request's predicate, or not: `predicate:why`.", sandbox: .allowed,
      example: "(Quake:first())"
    ) { call, request in
      let object = call.engine.values.object(at: call.index(1), on: call.stack)
      if let object, !object.entity.isKind(of: request.entity) {
        throw call.fail(.expected("a \(request.entity.name)", found: "a \(object.entity.name)"))
      }
      return try ReasonTable.answer(request.request.predicate ?? .constant(true), call)
    }
  ]

  static let checkMembers: [Member<BoundRequest>] = [
    .method(
      "check", "request:check([\"sqlite\" | \"memory\" | \"swiftData\"]) -> refusals",
      "The parts of the request, order and groups included, that Apple's stores refuse: `predicate:check`.",
      sandbox: .allowed, example: "()"
    ) { call, request in
      try RefusalTable.answer(request.request, store: try call.choice(1, AppleStore.self))
    }
  ]

  static let parityMembers: [Member<BoundRequest>] = [
    .method(
      "parity", "request:parity() -> parity",
      "The objects for which the request's predicate differs in memory and in the store: `predicate:parity`.",
      sandbox: .allowed, example: "()"
    ) { call, request in
      let predicate = request.request.predicate ?? .constant(true)
      return try ParityTable.answer(predicate, of: request.entity, in: request.context, call)
    }
  ]
}
