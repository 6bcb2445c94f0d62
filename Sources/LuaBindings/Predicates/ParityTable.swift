internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Queries

/// The differences between memory and the store, as a list that prints as text.
enum ParityTable {
  /// The maximum number of listed objects; all are counted.
  private static let mostObjects = 100

  /// The differences: `{ { object = , reason = , memory = , store = }, ... }` with `count`, `compared` and `groups`.
  static func answer(
    _ predicate: Queries.Predicate, of entity: Entity, in context: BoundContext, _ call: Call
  ) throws -> ReturnValue {
    try context.checkOpen(call.place)
    let parity = try context.objectContext.parity(predicate, of: entity, limit: mostObjects) {
      try call.engine.lua.checkInterrupt()
    }
    let texts = ParityText(predicate: predicate.inlined)
    let stack = call.stack
    stack.reserve(10)
    _ = try call.push(
      .list(
        parity.differences.map { difference in
          let object = ReturnValue.pushing { try context.push(difference.object, on: $0) }
          return .record([("object", object)] + fields(parity.groups[difference.group], texts))
        }))
    stack.push(parity.count)
    stack.rawSet(field: "count", at: -2)
    stack.push(parity.comparedCount)
    stack.rawSet(field: "compared", at: -2)
    _ = try call.push(
      .list(parity.groups.map { .record(fields($0, texts) + [("count", .integer($0.count))]) }))
    stack.rawSet(field: "groups", at: -2)
    stack.setText(texts.text(parity, of: entity), kind: "Parity")
    return .pushed(1)
  }

  private static func fields(_ group: Parity.Group, _ texts: ParityText) -> [(name: String, value: ReturnValue)] {
    let fields: [(name: String, value: ReturnValue)] = [
      ("reason", .text(texts.reason(group.cause))), ("memory", .boolean(group.isInMemory)),
      ("store", .boolean(!group.isInMemory)),
    ]
    guard case .answer(let disagreement) = group.cause else { return fields }
    return fields + [("clause", .object(BoundPredicate(disagreement.clause)))]
  }
}
