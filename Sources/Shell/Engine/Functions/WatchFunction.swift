internal import LuaBindings
internal import LuaRuntime
internal import Modeling
internal import Terminal

/// `watch(results [, { columns = }])`
struct WatchFunction {
  private unowned let session: EngineSession

  init(_ session: EngineSession) { self.session = session }

  func install() {
    session.engine.define(
      "watch", "watch(results [, { columns = }])",
      "Shows live results, a request or an entity on a full screen that follows every change; keys sort, filter and fold.",
      inSandbox: true
    ) { [unowned session] stack in
      let named = try NamedArguments("watch", at: 2, on: stack, allowed: ["columns"])
      guard stack.count > 0 else { throw ArgumentFailure(function: "watch", message: "a value is missing") }
      let names = try named.columns("columns", session.engine)
      if names?.isEmpty == true { throw ArgumentFailure(function: "watch", message: "columns: there is none") }
      try session.engine.checkCanWait("watch")
      guard let watched = try session.engine.watchedResults(at: 1, on: stack) else {
        throw ArgumentFailure(
          function: "watch",
          message: "expected live results, a request of objects or an entity, got \(stack.typeName(at: 1))")
      }
      defer { watched.close() }
      guard session.showsFullScreens else {
        try session.presenter().show(at: 1, on: stack, only: names, to: session.surroundings.output)
        return 0
      }
      let columns = try EntityColumns(watched.results.request.entity, isData: false, only: names)
      let screen = WatchScreen(session, watched, columns: columns, FullScreenTerminal())
      try screen.run()
      if let kind = screen.terminated { TerminalSignals.perform(kind) }
      return 0
    }
  }
}
