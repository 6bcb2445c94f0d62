internal import LuaBindings
package import Modeling
package import Presentation
internal import Stores

/// What commands have of their session.
package struct CommandTools {
  package let console: Console
  package let runs: GuardedRuns
  let dryRuns: DryRunRecorder

  /// The entities of the store as completions.
  package var entityCandidates: [Completions.Candidate] {
    (console.engine.store?.model.entities ?? []).map { Completions.Candidate($0.name) }
  }

  /// The entity with a typed name.
  package func entity(_ name: String) throws(CommandFailure) -> Entity {
    let model = console.engine.store?.model
    if let entity = model?.entity(named: name) { return entity }
    let names = model?.entities.map(\.name) ?? []
    throw .invalidArgument(name, expected: names, nearest: nearestName(to: name, in: names))
  }

  /// Runs the body of a command; an error in it is reported before the command fails.
  package func perform(_ body: () throws -> Void) throws(CommandFailure) {
    let status = runs.guarding(body)
    if status != 0 { throw .failed(status: status) }
  }
}

/// Commands with a subject of their own.
protocol CommandGroup {
  var tools: CommandTools { get }
  var all: [Command] { get }
}

extension CommandGroup {
  var console: Console { tools.console }
  var engine: Engine { console.engine }
  var settings: ShellSettings { console.settings }
  var layout: Layout { console.layout }
  var isAtPrompt: Bool { console.isAtPrompt }

  /// Writes text to the client's output.
  func printText(_ text: String) { console.printText(text) }

  /// Says what a command has done.
  func tellDone(_ text: String) { console.tell(Remark(.done, text)) }

  func perform(_ body: () throws -> Void) throws(CommandFailure) { try tools.perform(body) }

  /// The completions of Lua that stands behind the words of a command.
  var codeParameter: Command.Parameter {
    .rest { [engine] text, cursor, _ in LuaCompleter(engine: engine).completions(text, at: cursor) }
  }

  /// The open store.
  ///
  /// - Throws: a failure that was reported before, where there is no store.
  func openStore() throws(CommandFailure) -> any OpenedStore {
    if let store = engine.store { return store }
    console.refuse("no store is open; .open one")
    throw .failed(status: ExitStatus.noStore)
  }
}
