internal import Comparison
internal import LuaBindings
internal import LuaRuntime
internal import ObjectGraph
internal import Presentation
internal import Queries
internal import Session
internal import Terminal

// The full screens of functions.
extension EngineSession {
  var screens: Screens {
    Screens(
      canBeShown: { [unowned self] in showsFullScreens },
      watchRows: { [unowned self] in try watch($0, $1, search: $2) },
      watchPlot: { [unowned self] in try watch($0) },
      browse: { [unowned self] in try browse($0, in: $1) },
      browseDifferences: { [unowned self] in _ = try browse($0) },
      repl: { [unowned self] in try ReplFunction(self).run($0) })
  }

  /// Whether input and output are a terminal that supports full screens.
  var showsFullScreens: Bool {
    let kind = surroundings.environment["TERM"] ?? ""
    return surroundings.inputIsTerminal && surroundings.outputIsTerminal && kind != "dumb" && kind != ""
  }

  private func watch(_ watched: WatchedQuery, _ content: LiveRows, search: LuaReference?) throws {
    let screen = WatchScreen(self, watched, content, search: search, FullScreenTerminal())
    try screen.watch()
    if let kind = screen.terminated { TerminalSignals.perform(kind) }
  }

  private func watch(_ plot: WatchedPlot) throws {
    let screen = PlotScreen(self, plot, FullScreenTerminal())
    try screen.watch()
    if let kind = screen.terminated { TerminalSignals.perform(kind) }
  }

  private func browse(_ request: FetchRequest, in context: ObjectContext) throws {
    let screen = try BrowseScreen(self, request, in: context, FullScreenTerminal())
    try screen.browse()
    if let kind = screen.terminated { TerminalSignals.perform(kind) }
    try keep(screen.step)
  }

  /// Shows differences on a full screen, keeps them in `_`, and returns whether the stores are equal.
  func browse(_ comparison: StoreComparison) throws -> Bool {
    // As a value of Lua it keeps both stores open.
    guard let context = engine.context(of: comparison), let difference = engine.reference(to: comparison) else {
      return true
    }
    let screen = DifferenceScreen(self, try DifferenceList(comparison), context, FullScreenTerminal())
    try screen.run()
    if let kind = screen.terminated { TerminalSignals.perform(kind) }
    engine.remember([difference])
    if isAtPrompt { surroundings.say(surroundings.messageStyle(.note, "_ = \(screen.summary)") + "\n") }
    return screen.isEmpty
  }

  /// Keeps the request that a walk led to in `_`, and says how it is written.
  private func keep(_ step: BrowseStep) throws {
    guard let request = try engine.reference(to: step.request) else { return }
    engine.remember([request])
    guard isAtPrompt else { return }
    let text =
      step.line(surroundings.charset) ?? "\(step.entity.name) where \(step.request.predicate?.description ?? "")"
    surroundings.say(
      surroundings.messageStyle(.note, "_ = " + DisplayText(text, in: 400, surroundings.charset).text) + "\n")
  }
}
