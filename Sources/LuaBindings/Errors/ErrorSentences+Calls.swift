internal import LuaRuntime
internal import Modeling

extension ErrorReport {
  /// A Lua error keeps Lua's message, which begins with its place.
  static func report(_ error: LuaError) -> ErrorReport {
    switch error.kind {
    case .syntax: ErrorReport("syntax", error.message)
    case .runtime, .handler: ErrorReport("lua", error.message)
    case .memory: ErrorReport("memory", error.message)
    case .interrupted: ErrorReport("interrupted", "interrupted", exitStatus: 130)
    case .timedOut: ErrorReport("timeout", "the time limit was reached", exitStatus: 124)
    case .exit(let status): ErrorReport("exit", "exit", exitStatus: status)
    }
  }
}

extension ScriptError {
  var sentence: String {
    switch fact {
    case .expected(let expected, let found): "\(place): expected \(expected), got \(found)"
    case .surplus(let limit, let found, let signature):
      "\(place): expected \(limit == 0 ? "no arguments" : (limit == 1 ? "" : "at most ") + ErrorReport.count(limit, "argument")), "
        + "got \(found): \(signature)"
    case .unknownOption(let name, let names): "\(place): \(ErrorReport.unknownOption(name, among: names))"
    case .unknownMember(let name, let owner, let nearest): "\(owner) has no '\(name)'\(ErrorReport.hint(nearest))"
    case .memberIsFunction(let name, let owner, let call):
      "\(owner) has no '\(name)', which is a function: \(call)"
    case .memberOfObjects(let name, let entity):
      "\(entity) has no '\(name)'; its objects have one: \(entity):first().\(name)"
    case .notSettable(let name, let owner): "'\(name)' of \(owner) cannot be set"
    case .missing(let what): "\(place): \(what) is missing"
    case .builtIn(let name): "\(place): '\(name)' is built in and cannot be redefined"
    case .noStore: "\(place): there is no store; open one and `use` it, or name it on the command line"
    case .closed(let what): "\(place): the \(what) is closed"
    case .swiftTakesNoArguments:
      "\(place): Swift source takes no arguments; give the names in it their values with :bind { name = value }"
    case .nestedTooDeeply:
      "\(place): the table is nested more than \(Nesting.tables) levels deep, or contains itself"
    case .other(let text): place.isEmpty ? text : "\(place): \(text)"
    }
  }
}
