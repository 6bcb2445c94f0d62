internal import LuaBindings
internal import LuaRuntime
internal import Modeling

/// An unknown name typed at the prompt, which Lua would show as nil.
struct UnknownName: ReportedError {
  var name: String
  var nearest: String?
  /// The meaning of the name elsewhere: a property, a command.
  var elsewhere: String?

  var report: ErrorReport {
    let hint = nearest.map { "; did you mean '\($0)'?" } ?? ""
    return ErrorReport("lua", "there is no '\(name)'" + (elsewhere.map { "; \($0)" } ?? hint))
  }
}

extension EngineSession {
  /// Refuses a name alone that is neither a global nor a local.
  func refuseUnknownName(_ source: String, _ values: [LuaReference]) throws {
    let name = source.trimmingSpace
    guard Naming.isLuaIdentifier(name), values.count == 1 else { return }
    let hints = LuaHints(engine: engine, sources: sources)
    guard !hints.isKnown(name) else { return }
    var unknown = UnknownName(name: name, nearest: hints.nearestKnown(to: name))
    let entities = engine.store?.model.entities ?? []
    if commands.contains(where: { $0.name == name }) {
      unknown.elsewhere = "the command is .\(name)"
    } else if let entity = entities.first(where: { $0.name.lowercased() == name.lowercased() }) {
      unknown.nearest = entity.name
    } else if let entity = engine.store?.model.entities.first(where: { $0.index(of: name) != nil }) {
      unknown.elsewhere = "it is a property of \(entity.name)"
    }
    throw unknown
  }
}

extension String {
  /// This text without white space at its ends.
  var trimmingSpace: String {
    var end = endIndex
    while end > startIndex, self[index(before: end)].isWhitespace { end = index(before: end) }
    let start = self[..<end].firstIndex { !$0.isWhitespace } ?? end
    return String(self[start..<end])
  }
}
