internal import LuaRuntime
internal import Modeling
internal import SwiftInterchange

/// The meaning of Swift source in a session: lines of Lua that run, lines that are only shown, and notes on both.
public struct PastedSwift {
  /// The Lua that declares what the source declares; nil if nothing of it can run.
  public internal(set) var lua: String?
  /// The global whose value is shown; nil for the values of `lua`.
  public internal(set) var shown: String?
  /// The global of the first request, live or not.
  public internal(set) var requestName: String?
  /// Whether the value is described rather than shown, because names in it have no values.
  public internal(set) var needsValues = false
  /// The expression that `.keep` keeps in place of `lua`.
  public internal(set) var kept: String?
  /// The notes: what is declared, how to bind parameters, what is left out.
  public internal(set) var notes: [String] = []
  /// The lines of Lua for what the source does; they are not run.
  public internal(set) var answer: [String] = []
  /// The global names of live results that a view shows, in the order of the source.
  public internal(set) var lists: [String] = []
  /// The names without a value in the first request, with their types in Swift.
  public internal(set) var parameters: [(name: String, type: String?)] = []
  /// The binding of the field whose text the view observes, as Lua: that of `.searchable`, else of the first `TextField`.
  public internal(set) var search: String?
  /// The line that sets the columns of such a request once it is live.
  public internal(set) var laterLines: [String] = []
}

extension Engine {
  /// The meaning of Swift source in this session.
  public func pasted(_ block: SwiftBlock) -> PastedSwift {
    let scope = SwiftScope(
      model: mainStore?.objectStore.model, kind: { [unowned self] in swiftKind(of: $0) },
      isReserved: { [unowned self] in isReserved($0) })
    let script = SwiftScript(block.text, in: scope)
    var pasted = PastedSwift()
    if script.hasModel {
      pasted.lua = SwiftBlock.call("Model", block.text)
      return pasted
    }
    pasted.notes = script.notes
    pasted.answer = script.actions + script.bindings.filter { _ in !script.declares && script.source == nil }.map(\.lua)
    if isMistake(pasted.answer.joined(separator: "\n")) { pasted.answer = [] }
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
    guard isMistake(lua) else {
      pasted.lua = lua
      return pasted
    }
    // Some parts of closures and views have no form in Lua, for example a name that is a keyword.
    var requests = script
    (requests.declarations, requests.completions) = ([], [])
    let rest = lines(of: requests, &pasted).joined(separator: "\n")
    pasted.lua = rest.isEmpty || isMistake(rest) ? nil : rest
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
    let stack = lua.stack
    stack.reserve(2)
    defer { stack.pop() }
    switch stack.pushGlobal(name) {
    case .nil: return nil
    case .function: return .function
    case .userdata: break
    case .boolean, .number, .string: return .value
    default: return .other
    }
    if let live = classes.object(BoundFetchedResults.self, at: -1, on: stack) {
      return .results(entity: live.configuration.request.entity.name)
    }
    if let request = classes.object(BoundRequest.self, at: -1, on: stack) {
      return .request(entity: request.entity.name)
    }
    if classes.object(BoundState.self, at: -1, on: stack) != nil { return .state }
    if classes.object(BoundObservable.self, at: -1, on: stack) != nil { return .observable }
    if classes.object(BoundNamespace.self, at: -1, on: stack) != nil { return .namespace }
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
    Self.libraries.contains(name) || installedGlobals.contains(name)
      || catalog.entries.contains { $0.kind == .function && $0.name == name }
  }
}

extension SwiftScript {
  /// The notes on a script.
  fileprivate var notes: [String] {
    var notes: [String] = []
    for request in requests {
      if request.variables.isEmpty {
        notes.append("\(request.name) is live\(shownColumns(request.name))")
      } else {
        notes.append(Self.sentence(binding: request.variables, of: request.name))
      }
    }
    if requests.isEmpty, !variables.isEmpty { notes.append(Self.sentence(binding: variables, of: sourceName ?? "_")) }
    for list in lists
    where !requests.contains(where: { $0.name == list.results }) && !unknown.contains(list.results) {
      notes.append("\(list.results) is shown\(shownColumns(list.results))")
    }
    notes += declared
    for function in functions {
      let call = "\(function.name)(\(function.parameters.joined(separator: ", ")))"
      let what = function.changes.isEmpty ? "is \(function.place)" : "sets \(function.changes.joined(separator: ", "))"
      notes.append("\(call) \(what)\(function.isObserver ? ", and runs with each change" : "")")
    }
    if declares || source != nil { notes += bindings.map { "\($0.view): \($0.lua)" } }
    notes += laterLines.map { "then: \($0)" }
    notes += unknown.map { "nothing is called \($0) yet; paste its declaration first" }
    notes += plain.map { "\($0) is no State, which has a binding: \($0) = State(\($0))" }
    notes += renamed.map { "\($0), as that name is taken" }
    if !leftOut.isEmpty { notes.append("left out: \(leftOut.joined(separator: ", "))") }
    return notes
  }

  private func shownColumns(_ results: String) -> String {
    guard let list = lists.first(where: { $0.results == results }), !list.columns.isEmpty else { return "" }
    let titles = list.columns.map { $0.title ?? $0.path }
    return ", with the columns \(titles.joined(separator: ", "))\(list.isSectioned ? ", in sections" : "")"
  }

  /// `startDate (Date) has no value; items = items:bind { startDate = Date "2024-01-01" }:live()`
  private static func sentence(binding variables: [Variable], of name: String) -> String {
    let words = variables.map { variable in
      variable.type.map { "\(variable.name) (\($0))" } ?? variable.source.map { "\(variable.name) (\($0))" }
        ?? variable.name
    }
    let values = variables.map { "\($0.name) = \(sample($0.type ?? ""))" }.joined(separator: ", ")
    let assigned = name == "_" ? "" : "\(name) = "
    let live = name == "_" ? "" : ":live()"
    return "\(ErrorReport.list(words)) \(words.count == 1 ? "has" : "have") no value; "
      + "give \(words.count == 1 ? "it one" : "them some"): \(assigned)\(name):bind { \(values) }\(live)"
  }

  /// A value of a type of Swift, as an example.
  private static func sample(_ type: String) -> String {
    switch type.filter({ $0 != "?" }) {
    case "Date": "Date \"2026-01-01\""
    case "String": "\"text\""
    case "Bool": "true"
    case "Double", "Float", "CGFloat", "TimeInterval": "1.5"
    case "Int", "Int16", "Int32", "Int64", "NSNumber": "1"
    case "UUID": "UUID \"…\""
    case "Decimal", "NSDecimalNumber": "Decimal \"1.5\""
    case let list where list.hasPrefix("["): "{ }"
    default: "…"
    }
  }
}
