internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Queries

extension BoundPredicate {
  static let whyMembers: [Member<BoundPredicate>] = [
    .method(
      "why", "predicate:why(object) -> reason",
      "For the object, the result and values of each clause, and what would have to change.", sandbox: .allowed,
      example: "(Quake:first())"
    ) { call, predicate in
      return try call.pushReason(predicate.predicate)
    }
  ]
}

extension Call {
  /// Pushes the reason why the object in the first argument satisfies a predicate, or not: a table that prints as text.
  func pushReason(_ predicate: Queries.Predicate) throws -> Answer {
    guard let (object, context) = engine.objectAndContext(at: index(1), on: stack) else {
      throw expected("an object", 1)
    }
    try context.checkOpen(place)
    let reason = try predicate.reason(for: object)
    let remedy = reason.answer == true ? nil : try predicate.remedy(for: object)
    let text = ReasonText(context: context.objectContext, usesASCII: engine.options.usesASCII)
    try ReasonTable(context: context, stack: stack).push(reason)
    try context.push(object, on: stack)
    stack.rawSet(field: "object", at: -2)
    try pushChanges(remedy, context)
    stack.rawSet(field: "changes", at: -2)
    stack.setText(text.text(reason, of: object, remedy: remedy), kind: "Reason")
    return .pushed(1)
  }

  /// Pushes the necessary changes: `{ { text = , property = , value = , current = }, ... }`; nil if there are none.
  private func pushChanges(_ remedy: Remedy?, _ context: BoundContext) throws {
    guard let remedy else { return stack.pushNil() }
    stack.reserve(6)
    stack.pushTable(array: Int32(clamping: remedy.changes.count))
    for (number, change) in remedy.changes.enumerated() {
      stack.pushTable(hash: 4)
      stack.push(RemedyText(context: context.objectContext).words(change))
      stack.rawSet(field: "text", at: -2)
      if let attribute = change.attribute {
        stack.push(attribute.name)
        stack.rawSet(field: "property", at: -2)
        try context.push(change.current, of: attribute, on: stack)
        stack.rawSet(field: "current", at: -2)
      }
      if let value = change.value {
        // An explicit nil, to distinguish it from no value.
        if value.isNull { stack.push(engine.null) } else { try context.push(value, of: change.attribute, on: stack) }
        stack.rawSet(field: "value", at: -2)
      }
      stack.rawSet(element: Int64(number + 1), at: -2)
    }
  }
}
