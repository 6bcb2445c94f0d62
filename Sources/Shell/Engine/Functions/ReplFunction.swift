internal import LuaBindings
internal import LuaRuntime
internal import Presentation
internal import Session

/// `repl([label])`: a prompt in the middle of a script.
///
///     for _, quake in ipairs(quakes) do
///       if quake.depth > 700 then repl(quake.code) end
///     end
struct ReplFunction {
  private unowned let session: EngineSession

  init(_ session: EngineSession) { self.session = session }

  func run(_ stack: LuaStack) throws -> Int32 {
    guard session.surroundings.inputIsTerminal, session.surroundings.isInteractive else {
      throw ArgumentFailure(function: "repl", message: "it needs a terminal to type at, and standard input is none")
    }
    let label = stack.count > 0 && stack.type(at: 1) != .nil ? try stack.toDisplayString(at: 1) : nil
    try session.engine.withLocalsOfCaller { place, names in
      InteractiveRun(session).run(inside: label ?? place, locals: names)
    }
    // os.exit at the inner prompt ends the script, too.
    if let status = session.requestedExit {
      session.requestedExit = nil
      stack.push(session.osExit)
      stack.push(Int64(status))
      try stack.call(arguments: 1, results: 0)
    }
    return 0
  }

  /// Lua's own `os.exit`; scripts can take `os` away.
  static func exitFunction(_ stack: LuaStack) -> LuaReference {
    stack.reserve(2)
    stack.pushGlobal("os")
    stack.rawGet(field: "exit", at: -1)
    defer { stack.pop() }
    return stack.popReference()
  }
}
