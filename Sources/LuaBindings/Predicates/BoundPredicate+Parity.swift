internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Queries

extension BoundPredicate {
  static let parityMembers: [Member<BoundPredicate>] = [
    .method(
      "parity", "predicate:parity(Entity) -> parity",
      "The objects for which evaluation in memory, by Foundation's rules, differs from the store, with the reason.",
      sandbox: .allowed, example: "(Quake)"
    ) { call, predicate in
      let entity = try call.entity(1)
      return try call.pushParity(predicate.predicate, of: entity.entity, in: entity.context)
    }
  ]
}

extension Call {
  /// The maximum number of listed objects; all are counted.
  private static let mostObjects = 100

  /// Pushes the differences between memory and the store: a list `{ { object = , reason = , memory = , store = }, ...
  /// }` with `count`, `compared` and `groups`, which prints as text.
  func pushParity(_ predicate: Queries.Predicate, of entity: Entity, in context: BoundContext) throws -> Answer {
    try context.checkOpen(place)
    let parity = try context.objectContext.parity(predicate, of: entity, limit: Self.mostObjects) {
      try engine.lua.checkInterrupt()
    }
    let texts = ParityText(predicate: predicate.inlined)
    stack.reserve(10)
    stack.pushTable(array: Int32(clamping: parity.differences.count), hash: 3)
    for (number, difference) in parity.differences.enumerated() {
      stack.pushTable(hash: 5)
      try context.push(difference.object, on: stack)
      stack.rawSet(field: "object", at: -2)
      push(parity.groups[difference.group], texts)
      stack.rawSet(element: Int64(number + 1), at: -2)
    }
    stack.push(parity.count)
    stack.rawSet(field: "count", at: -2)
    stack.push(parity.comparedCount)
    stack.rawSet(field: "compared", at: -2)
    stack.pushTable(array: Int32(clamping: parity.groups.count))
    for (number, group) in parity.groups.enumerated() {
      stack.pushTable(hash: 6)
      push(group, texts)
      stack.push(group.count)
      stack.rawSet(field: "count", at: -2)
      stack.rawSet(element: Int64(number + 1), at: -2)
    }
    stack.rawSet(field: "groups", at: -2)
    stack.setText(texts.text(parity, of: entity), kind: "Parity")
    return .pushed(1)
  }

  /// Sets the fields that describe a group in the table on the top.
  private func push(_ group: Parity.Group, _ texts: ParityText) {
    stack.push(texts.reason(group.cause))
    stack.rawSet(field: "reason", at: -2)
    stack.push(group.isInMemory)
    stack.rawSet(field: "memory", at: -2)
    stack.push(!group.isInMemory)
    stack.rawSet(field: "store", at: -2)
    guard case .answer(let disagreement) = group.cause else { return }
    engine.classes.push(BoundPredicate(disagreement.clause), on: stack)
    stack.rawSet(field: "clause", at: -2)
  }
}
