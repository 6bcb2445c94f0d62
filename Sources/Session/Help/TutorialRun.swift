internal import LuaBindings
internal import LuaRuntime
internal import Modeling
internal import Presentation
internal import Stores

/// The tutorial of a session: its step, its store, and the store to go back to.
package final class TutorialRun {
  private let console: Console
  private var engine: Engine { console.engine }
  /// What runs; nil for none.
  private var run: (tutorial: Tutorial, own: (any OpenedStore)?, before: (any OpenedStore)?)?

  init(_ console: Console) { self.console = console }

  /// Begins, or shows the present step of one that runs.
  func begin() throws {
    if run == nil {
      let before = engine.store
      _ = try engine.evaluate(Tutorial.store, name: "=tutorial")
      run = (Tutorial(), engine.store, before)
      console.printText(
        "Type the line, or one like it; .tutorial skip leaves it out, .tutorial end ends.\n")
    }
    tellStep()
  }

  func skip() {
    run?.tutorial.advance()
    tellStep()
  }

  func end() throws {
    guard let ended = run else { return }
    run = nil
    if let own = ended.own { engine.stores.close(own) }
    if let before = ended.before { engine.use(before) }
  }

  /// Goes on if the line that was typed has done what its step asks for.
  func advance() {
    guard let run, let step = run.tutorial.step, engine.store === run.own else { return }
    let check = "select(2, pcall(function() return (\(step.check)) and true or false end)) == true"
    guard let values = try? engine.evaluate(check, name: "=tutorial"), let value = values.first else { return }
    let stack = engine.lua.stack
    stack.push(value)
    defer { stack.pop() }
    if stack.bool(at: -1) { skip() }
  }

  private func tellStep() {
    if let run { console.printText(console.layout.style(.note, run.tutorial.text)) }
  }
}
