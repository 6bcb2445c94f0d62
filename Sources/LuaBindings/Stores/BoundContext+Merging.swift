internal import LuaRuntime
internal import ObjectGraph

// How a context handles writes by others: conflicts at a save, and merging into its objects.
extension BoundContext {
  static let mergingMembers: [Member<BoundContext>] = [
    .property(
      "mergePolicy", "context.mergePolicy = \"error\"",
      "How a save resolves conflicts: error, storeTrump, objectTrump, overwrite or rollback.", sandbox: .allowed
    ) { call, context in
      .text(context.objectContext.mergePolicy.rawValue)
    } set: { call, context in
      try context.checkOpen(call.place)
      context.objectContext.mergePolicy = try MergePolicy.named(
        try call.string(1, "the name of a merge policy"), call.place)
    },
    .property(
      "automaticallyMergesChangesFromParent", "context.automaticallyMergesChangesFromParent = true",
      "Whether unchanged objects follow the commits of others; otherwise they wait for a refresh.", sandbox: .allowed
    ) { call, context in
      .boolean(context.objectContext.automaticallyMergesChangesFromParent)
    } set: { call, context in
      context.objectContext.automaticallyMergesChangesFromParent = try context.flag(call)
    },
  ]
}

extension Options {
  /// The field `mergePolicy`.
  func mergePolicy() throws -> MergePolicy? {
    try string("mergePolicy").map { try MergePolicy.named($0, "\(call.place): mergePolicy") }
  }
}

extension MergePolicy {
  /// The policy with a script's name.
  fileprivate static func named(_ name: String, _ place: String) throws -> MergePolicy {
    if let policy = MergePolicy(rawValue: name) { return policy }
    let hint = ErrorReport.hint(nearest(name, allCases.map(\.rawValue)))
    throw ScriptError(place, .other("there is no merge policy '\(name)'\(hint)"))
  }
}
