internal import LuaRuntime
internal import SwiftReading

/// Finds the meaning of Swift source among the globals of an engine.
struct PastedSwiftReader {
  unowned let engine: Engine

  func read(_ block: SwiftBlock) -> PastedSwift {
    let scope = SwiftScope(model: engine.globals.model, kind: swiftKind, isReserved: isReserved)
    let script = SwiftScript(block.text, in: scope)
    var pasted = PastedSwift()
    if script.hasModel {
      pasted.lua = SwiftBlock.call("Model", block.text)
      return pasted
    }
    pasted.notes = script.notes
    pasted.answer = script.actions + script.bindings.filter { _ in !script.declares && script.source == nil }.map(\.lua)
    if engine.isMistake(pasted.answer.joined(separator: "\n")) { pasted.answer = [] }
    pasted.lists = script.lists.map(\.results)
    if script.functions.contains(where: \.isObserver) {
      let fields = script.bindings
      pasted.search =
        (fields.first { $0.view.hasPrefix(".searchable") } ?? fields.first { $0.view.hasPrefix("TextField") })?.lua
    }
    pasted.parameters = (script.requests.first?.variables ?? script.variables).map { ($0.name, $0.type) }
    pasted.laterLines = script.laterLines
    pasted.requestName = script.requests.first?.name
    guard script.declares || script.source != nil else {
      // Rows whose view is not there are shown with all properties.
      if let name = shownList(of: script) { pasted.lua = "return \(name)" }
      return pasted
    }
    let lua = lines(of: script, &pasted).joined(separator: "\n")
    guard engine.isMistake(lua) else {
      pasted.lua = lua
      return pasted
    }
    // Some parts of closures and views have no form in Lua, for example a name that is a keyword.
    var requests = script
    (requests.declarations, requests.completions) = ([], [])
    let rest = lines(of: requests, &pasted).joined(separator: "\n")
    pasted.lua = rest.isEmpty || engine.isMistake(rest) ? nil : rest
    pasted.notes.append("left out: closures and views that have no form in Lua")
    return pasted
  }

  /// The chunk that declares what a script declares; requests come first, so that lines of their mistakes are right.
  private func lines(of script: SwiftScript, _ pasted: inout PastedSwift) -> [String] {
    var lines: [String] = []
    let source = SwiftOpening.isSource(script.requestSource) ? script.requestSource : "//\n" + script.requestSource
    for (number, request) in script.requests.enumerated() {
      let call = SwiftBlock.call("FetchRequest", request.source)
      if number == 0 { pasted.kept = call }
      lines.append("\(number == 0 ? "_" : request.name) = \(call)")
      let value = number == 0 ? "_" : request.name
      if request.variables.isEmpty {
        lines.append(request.isQuery ? "\(request.name) = Query(\(value))" : "\(request.name) = \(value):live()")
        if pasted.shown == nil { pasted.shown = request.name }
      } else {
        if number == 0 { lines.append("\(request.name) = _") }
        pasted.needsValues = true
      }
    }
    if script.requests.isEmpty, let reading = script.source {
      let function =
        switch reading {
        case .request: "FetchRequest"
        case .predicate: "Predicate"
        case .expression: "Expression"
        }
      let call = SwiftBlock.call(function, reading == .request ? script.requestSource : source)
      if !script.declares, script.sourceName == nil {
        pasted.needsValues = reading == .request && !script.variables.isEmpty
        return [call]
      }
      pasted.kept = call
      lines.append("_ = \(call)")
      if let name = script.sourceName { lines.append("\(name) = _") }
      pasted.needsValues = reading == .request && !script.variables.isEmpty
    }
    lines += script.declarations + script.completions
    if !script.requests.isEmpty || script.source != nil { lines.append("return _") }
    if script.requests.isEmpty, script.source == nil { pasted.shown = shownList(of: script) }
    if script.requests.contains(where: { !$0.variables.isEmpty }) { pasted.shown = nil }
    return lines
  }

  /// The live results of the session whose rows a view shows.
  private func shownList(of script: SwiftScript) -> String? {
    script.lists.map(\.results).first { if case .results? = swiftKind(of: $0) { true } else { false } }
  }

  // MARK: Names

  /// The meaning of a global for Swift source.
  private func swiftKind(of name: String) -> SwiftScope.Kind? {
    let stack = engine.lua.stack
    stack.reserve(2)
    defer { stack.pop() }
    switch stack.pushGlobal(name) {
    case .nil: return nil
    case .function: return .function
    case .userdata: break
    case .boolean, .number, .string: return .value
    default: return .other
    }
    if let live = engine.classes.object(BoundFetchedResults.self, at: -1, on: stack) {
      return .results(entity: live.configuration.request.entity.name)
    }
    if let request = engine.classes.object(BoundRequest.self, at: -1, on: stack) {
      return .request(entity: request.entity.name)
    }
    if engine.classes.object(BoundState.self, at: -1, on: stack) != nil { return .state }
    if engine.classes.object(BoundObservable.self, at: -1, on: stack) != nil { return .observable }
    if engine.classes.object(BoundNamespace.self, at: -1, on: stack) != nil { return .namespace }
    return .other
  }

  private static let libraries: Set<String> = [
    "_G", "_VERSION", "_", "store", "context", "arg", "params", "string", "table", "math", "os", "io", "utf8", "debug",
    "coroutine", "package", "require", "print", "pairs", "ipairs", "next", "type", "tostring", "tonumber", "error",
    "assert", "pcall", "xpcall", "select", "setmetatable", "getmetatable", "rawget", "rawset", "rawequal", "rawlen",
    "load", "loadfile", "dofile", "collectgarbage", "warn", "null", "perilune", "Environment", "Preference", "Object",
  ]

  /// Whether a name is one of ours, of Lua, or of the open store.
  private func isReserved(_ name: String) -> Bool {
    Self.libraries.contains(name) || engine.globals.names.contains(name)
      || engine.catalog.entries.contains { $0.kind == .function && $0.name == name }
  }
}
