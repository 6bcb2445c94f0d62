internal import LuaBindings
internal import LuaRuntime

/// `watch(results [, { columns =, search = }])` and `watch(plot)`: on a full screen, where the client has one; otherwise live rows
/// are lines of JSON for programs.
struct WatchFunction {
  let console: Console
  /// The screens, if one can be shown now.
  let screens: Screens?
  private var engine: Engine { console.engine }

  func run(_ stack: LuaStack) throws {
    let named = try NamedArguments("watch", at: 2, on: stack, allowed: ["columns", "search"])
    guard stack.count > 0 else { throw ArgumentFailure(function: "watch", message: "a value is missing") }
    let names = try named.columns("columns", engine)
    if names?.isEmpty == true { throw ArgumentFailure(function: "watch", message: "columns: there is none") }
    let search = try named.function("search")
    try engine.loop.checkCanWait("watch")
    if let plot = try WatchedPlot(at: 1, on: stack, in: engine) {
      defer { plot.close() }
      if names != nil { throw ArgumentFailure(function: "watch", message: "columns: a plot has none") }
      if search != nil { throw ArgumentFailure(function: "watch", message: "search: a plot has none") }
      guard let screens else { return try console.show(at: 1, on: stack) }
      return try screens.watchPlot(plot)
    }
    guard let watched = try WatchedQuery(at: 1, on: stack, in: engine) else {
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
    let columns = try names ?? ColumnRequest.own(ofValueAt: 1, on: stack, engine)
    let content = try LiveRows(watched, columns: columns, isData: screens == nil)
    guard let screens else { return try WatchEvents(console, content).run() }
    try screens.watchRows(watched, content, search)
  }
}
