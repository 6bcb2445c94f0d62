internal import LuaBindings
internal import LuaRuntime
internal import Modeling
internal import Presentation
internal import Queries
internal import Session
internal import Terminal

/// `browse(request)`
struct BrowseFunction {
  private unowned let session: EngineSession

  init(_ session: EngineSession) { self.session = session }

  func run(_ stack: LuaStack) throws -> Int32 {
    guard stack.count > 0 else { throw ArgumentFailure(function: "browse", message: "a value is missing") }
    try session.engine.checkCanWait("browse")
    guard let found = try session.engine.browsedRequest(at: 1, on: stack) else {
      throw ArgumentFailure(
        function: "browse", message: "expected an entity or a request of objects, got \(stack.typeName(at: 1))")
    }
    guard session.showsFullScreens else {
      try session.presenter().show(at: 1, on: stack, to: session.surroundings.output)
      return 0
    }
    let screen = try BrowseScreen(session, found.request, in: found.context, FullScreenTerminal())
    try screen.browse()
    if let kind = screen.terminated { TerminalSignals.perform(kind) }
    try session.keep(screen.step)
    return 0
  }
}

extension EngineSession {
  /// Keeps the request that a walk led to in `_`, and says how it is written.
  fileprivate func keep(_ step: BrowseStep) throws {
    guard let request = try engine.reference(to: step.request) else { return }
    engine.remember([request])
    guard isAtPrompt else { return }
    let text =
      step.line(surroundings.charset) ?? "\(step.entity.name) where \(step.request.predicate?.description ?? "")"
    surroundings.say(
      surroundings.messageStyle(.note, "_ = " + DisplayText(text, in: 400, surroundings.charset).text) + "\n")
  }
}
