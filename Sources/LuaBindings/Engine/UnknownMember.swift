internal import LuaRuntime

/// A key that is not a member of the value that a script reads or writes it in.
struct UnknownMember {
  /// The access, with the key at 2.
  let call: Call

  /// The key at 2 as messages show it: `name`, `[1]`.
  var key: String {
    let stack = call.stack
    return stack.repairedString(at: 2) ?? "[\((try? stack.toDisplayString(at: 2)) ?? stack.typeName(at: 2))]"
  }

  /// The error for the key, which is not a member of `peer`.
  func error<Peer: Bound>(for peer: Peer) -> ScriptError {
    let (engine, stack, key) = (call.engine, call.stack, key)
    if let call = functionCall(key, of: Peer.luaName, peer.place) {
      return ScriptError("", .memberIsFunction(key, of: peer.place, call: call))
    }
    // The options of a declaration are no members of what it declares.
    let known = engine.catalog.members(of: Peer.luaName).filter { $0.kind != .option }
    let members = engine.classes.members(of: Peer.self).filter { !$0.isOverridable }
    let names = peer.ownNames + members.map(\.name) + known.map(\.name)
    let harmless = names.filter { !Self.writingMembers.contains($0) }
    return ScriptError(
      "", .unknownMember(key, of: peer.place, nearest: stack.type(at: 2) == .string ? nearest(key, harmless) : nil))
  }

  /// The call of a function that shows or writes values of a kind, for a script that takes it for their method:
  /// `export(request, …)`.
  private func functionCall(_ name: String, of kind: String, _ place: String) -> String? {
    guard ["Entity", "Request", "Result", "Collection", "FetchedResults", "Section"].contains(kind),
      let entry = call.engine.catalog.members(of: "").first(where: { $0.kind == .function && $0.name == name }),
      ["value", "request", "results", "list"].contains(where: { entry.signature.hasPrefix("\(name)(\($0)") })
    else { return nil }
    let word = ["Entity", "Request"].contains(kind) ? place : "it"
    return entry.signature.contains(", ") ? "\(name)(\(word), …)" : "\(name)(\(word))"
  }

  /// Methods that write or delete data, which messages do not suggest.
  private static let writingMembers: Set = [
    "delete", "update", "batchDelete", "batchInsert", "batchUpdate", "remove", "save", "rollback", "reset", "undoSave",
    "redoSave", "deleteHistory",
  ]
}
