internal import Comparison
internal import LuaRuntime
internal import Modeling

extension BoundDifference {
  static let applyingMembers: [Member<BoundDifference>] = [
    .method(
      "apply", "difference:apply(store [, choose]) -> { inserted = , updated = , deleted = , refused = }",
      "Makes the changes, or those for which a function returns true, unsaved changes of a store or a context; `refused` says what was left.",
      sandbox: .allowed,
      example: "store:compare(store):apply(store, function(change) return change.entity == 'Quake' end)"
    ) { call, difference in
      try difference.apply(call)
    }
  ]

  private func apply(_ call: Call) throws -> ReturnValue {
    let context = try context(call)
    try context.checkOpen(call.place)
    let choose = call.isMissing(2) ? nil : try call.function(2)
    var differences: [ObjectDifference] = []
    try visit(call.place) { difference in
      differences.append(difference)
      return true
    }
    let objects = context.objectContext
    let application = DifferenceApplication(to: objects, comparison.scope, policy: objects.mergePolicy)
    var refused: [String] = []
    for difference in differences {
      if let choose, try !isChosen(difference, by: choose, call) { continue }
      if difference.isComparable {
        application.add(difference)
      } else {
        refused.append(DifferenceText().line(of: difference))
      }
    }
    let counts = try application.apply()
    return applied(counts, refused: refused + application.conflicts.map(\.differenceSentence))
  }

  /// What became of the changes, as a table that prints as lines.
  private func applied(_ counts: DifferenceApplication.Counts, refused: [String]) -> ReturnValue {
    let fields: [(name: String, value: ReturnValue)] = [
      ("inserted", .integer(counts.inserted)), ("updated", .integer(counts.updated)),
      ("deleted", .integer(counts.deleted)), ("refused", .texts(refused)),
    ]
    let lines = [DifferenceText().line(of: counts)] + refused.map { "left as it is: \($0)" }
    return .printed(.record(fields), kind: "AppliedDifference", text: lines.joined(separator: "\n"))
  }

  private func context(_ call: Call) throws -> BoundContext {
    if let context = call.engine.classes.object(BoundContext.self, at: call.index(1), on: call.stack) { return context }
    guard let store = call.engine.classes.object(BoundStore.self, at: call.index(1), on: call.stack) else {
      throw call.expected("a store or a context", 1)
    }
    try store.checkOpen(call)
    return store.mainContext
  }

  private func isChosen(_ difference: ObjectDifference, by function: Int32, _ call: Call) throws -> Bool {
    let stack = call.stack
    stack.reserve(4)
    stack.pushCopy(of: function)
    _ = try call.push(table(difference))
    try stack.call(arguments: 1, results: 1)
    defer { stack.pop() }
    return stack.bool(at: -1)
  }
}
