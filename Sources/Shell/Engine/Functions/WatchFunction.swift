internal import LuaBindings
internal import LuaRuntime
internal import Modeling
internal import Session
internal import Terminal

/// `watch(results [, { columns =, search = }])` and `watch(plot)`
struct WatchFunction {
  private unowned let session: EngineSession

  init(_ session: EngineSession) { self.session = session }

  func run(_ stack: LuaStack) throws -> Int32 {
    let named = try NamedArguments("watch", at: 2, on: stack, allowed: ["columns", "search"])
    guard stack.count > 0 else { throw ArgumentFailure(function: "watch", message: "a value is missing") }
    let names = try named.columns("columns", session.engine)
    if names?.isEmpty == true { throw ArgumentFailure(function: "watch", message: "columns: there is none") }
    let search = try named.function("search")
    try session.engine.checkCanWait("watch")
    if let plot = try session.engine.watchedPlot(at: 1, on: stack) {
      defer { plot.close() }
      if names != nil { throw ArgumentFailure(function: "watch", message: "columns: a plot has none") }
      if search != nil { throw ArgumentFailure(function: "watch", message: "search: a plot has none") }
      try Self.watch(plot, stack, session)
      return 0
    }
    guard let watched = try session.engine.watchedQuery(at: 1, on: stack) else {
      throw ArgumentFailure(
        function: "watch",
        message: "expected live results, a request, an entity or a plot, got \(stack.typeName(at: 1))")
    }
    defer { watched.close() }
    if case .values = watched.rows {
      if names != nil {
        throw ArgumentFailure(function: "watch", message: "columns: rows of values have those of their request")
      }
      if search != nil { throw ArgumentFailure(function: "watch", message: "search: expected results of objects") }
    }
    let columns = try names ?? ColumnRequest.own(ofValueAt: 1, on: stack, session.engine)
    let content = try LiveRows(watched, columns: columns, isData: !session.showsFullScreens)
    guard session.showsFullScreens else {
      try WatchEvents(session, content).run()
      return 0
    }
    let screen = WatchScreen(session, watched, content, search: search, FullScreenTerminal())
    try screen.watch()
    if let kind = screen.terminated { TerminalSignals.perform(kind) }
    return 0
  }

  private static func watch(_ plot: WatchedPlot, _ stack: LuaStack, _ session: EngineSession) throws {
    guard session.showsFullScreens else {
      return try session.presenter().show(at: 1, on: stack, to: session.surroundings.output)
    }
    let screen = PlotScreen(session, plot, FullScreenTerminal())
    try screen.watch()
    if let kind = screen.terminated { TerminalSignals.perform(kind) }
  }
}
