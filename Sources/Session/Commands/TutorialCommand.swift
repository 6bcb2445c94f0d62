internal import LuaBindings
internal import LuaRuntime
internal import Modeling
internal import Presentation
internal import Stores

/// A tutorial that runs, and the store to go back to.
final class TutorialRun {
  var tutorial = Tutorial()
  /// The store that was open.
  let before: (any OpenedStore)?
  let own: (any OpenedStore)?

  init(before: (any OpenedStore)?, own: (any OpenedStore)?) {
    self.before = before
    self.own = own
  }
}

struct TutorialCommand: SessionPart {
  unowned let session: Session

  var all: [Command] { [tutorialCommand] }

  /// `.tutorial [skip | end]`
  var tutorialCommand: Command {
    Command(
      name: "tutorial", arguments: "[skip|end]", summary: "twelve steps to type, on a small store of their own",
      parameters: [.oneOf("skip", "end")],
      inSandbox: .allowed,
      run: { (invocation) throws(CommandFailure) in
        switch try invocation.optionalArgument() {
        case nil: try beginTutorial()
        case "skip":
          session.tutorialRun?.tutorial.advance()
          tellStep()
        case "end": try endTutorial()
        case let other?: throw .invalidArgument(other, expected: ["skip", "end"], nearest: nil)
        }
      })
  }

  private func beginTutorial() throws(CommandFailure) {
    guard session.tutorialRun == nil else { return tellStep() }
    let before = engine.store
    try perform { _ = try engine.evaluate(Tutorial.store, name: "=tutorial") }
    session.tutorialRun = TutorialRun(before: before, own: engine.store)
    printText(
      "Type the line, or one like it; .tutorial skip leaves it out, .tutorial end ends.\n"
    )
    tellStep()
  }

  private func endTutorial() throws(CommandFailure) {
    guard let run = session.tutorialRun else { return }
    session.tutorialRun = nil
    try perform {
      if let own = run.own { engine.stores.close(own) }
      if let before = run.before { engine.use(before) }
    }
  }

  private func tellStep() {
    guard let run = session.tutorialRun else { return }
    printText(layout.style(.note, run.tutorial.text))
  }

  /// Goes on in the tutorial if the line that was typed has done what its step asks for.
  func advanceTutorial() {
    guard let run = session.tutorialRun, let step = run.tutorial.step, engine.store === run.own else { return }
    let check = "select(2, pcall(function() return (\(step.check)) and true or false end)) == true"
    guard let values = try? engine.evaluate(check, name: "=tutorial"), let value = values.first else { return }
    let stack = engine.lua.stack
    stack.push(value)
    defer { stack.pop() }
    guard stack.bool(at: -1) else { return }
    run.tutorial.advance()
    tellStep()
  }
}
