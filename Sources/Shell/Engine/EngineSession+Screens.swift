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
