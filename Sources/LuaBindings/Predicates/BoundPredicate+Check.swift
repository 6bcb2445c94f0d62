internal import LuaRuntime
internal import Modeling
internal import Queries
internal import SwiftInterchange

extension BoundPredicate {
  static let checkMembers: [Member<BoundPredicate>] = [
    .method(
      "check", "predicate:check(Entity [, \"sqlite\" | \"memory\" | \"swiftData\"]) -> refusals",
      "The parts that Apple's stores refuse, crash on, answer differently or slowly, each with a workaround.",
      sandbox: .allowed, example: "(Quake)"
    ) { call, predicate in
      let entity = try call.entity(1)
      var request = Queries.FetchRequest(entity.entity)
      request.predicate = predicate.predicate
      return try call.pushRefusals(of: request, store: try call.choice(2, AppleStore.self))
    }
  ]
}

extension Call {
  /// Pushes the refusals of Apple's stores as a list that prints as text.
  ///
  /// A predicate that is invalid for other reasons is an error, here as anywhere.
  func pushRefusals(of request: Queries.FetchRequest, store: AppleStore?) throws -> Answer {
    let refusals = request.refusals(of: store)
    if refusals.isEmpty { try request.predicate?.check(in: request.entity) }
    stack.reserve(8)
    stack.pushTable(array: Int32(clamping: refusals.count))
    for (number, refusal) in refusals.enumerated() {
      push(refusal)
      stack.rawSet(element: Int64(number + 1), at: -2)
    }
    stack.setText(RefusalText().text(refusals, store: store), kind: "Refusals")
    return .pushed(1)
  }

  private func push(_ refusal: Refusal) {
    let rule = refusal.rule
    stack.reserve(8)
    stack.pushTable(hash: 8)
    func set(_ name: String, _ value: String?) {
      guard let value else { return }
      stack.push(value)
      stack.rawSet(field: name, at: -2)
    }
    set("id", rule.id)
    set("severity", rule.severity.rawValue)
    set("message", rule.summary)
    set("part", refusal.part)
    set("apple", refusal.appleText)
    set("advice", rule.advice)
    set("versions", rule.versions)
    stack.pushTable(array: Int32(clamping: rule.stores.count))
    for (number, store) in rule.stores.enumerated() {
      stack.push(store.name)
      stack.rawSet(element: Int64(number + 1), at: -2)
    }
    stack.rawSet(field: "frameworks", at: -2)
    guard let wayRound = refusal.wayRound else { return }
    engine.classes.push(BoundPredicate(wayRound), on: stack)
    stack.rawSet(field: "wayRound", at: -2)
  }
}
