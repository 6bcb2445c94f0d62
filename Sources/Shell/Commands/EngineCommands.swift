internal import LuaBindings
internal import Modeling
internal import Presentation
internal import Terminal

extension EngineSession {
  /// The commands of a shell with an engine, in the order of help.
  ///
  /// To add one, write it in a file of its own and name it here.
  var commands: [Command] {
    let own: [Command] = [
      entitiesCommand, describeCommand, describeShortCommand, schemaCommand, saveCommand, rollbackCommand, diffCommand,
      openCommand, closeCommand, sqlCommand, exportCommand, importCommand, dryRunCommand, statsCommand, traceCommand,
      undoSaveCommand, redoSaveCommand, slowCommand, predicateCommand, verifyCommand, doctorCommand,
      watchCommand, browseCommand, tablesCommand, indexesCommand, dumpCommand, undoCommand, redoCommand, lastCommand,
      outputCommand,
      onceCommand, teeCommand, keepCommand, keptCommand,
      headersCommand, helpCommand, tutorialCommand, plotsCommand, confirmCommand, colsCommand, pagerCommand, inCommand,
      outCommand,
    ]
    let standard = CommandRegistry.standard.commands.filter { command in !own.contains { $0.name == command.name } }
    return (own + standard).sorted { $0.name < $1.name }
  }

  /// The environment of commands.
  func shellContext(history: History) -> ShellContext {
    ShellContext(
      settings: settings, history: history,
      print: { [unowned self] in printText($0) },
      readScript: { [unowned self] (path) throws(CommandFailure) in try check(runScript(path, [])) },
      paging: { [unowned self] in paging($0) }, quit: {},
      wrapped: { [surroundings] in surroundings.wrapped($0) }, style: surroundings.outputStyle,
      charset: surroundings.charset,
      isSandboxed: engine.options.isSandboxed)
  }

  /// Runs the body of a command; an error in it is reported before the command fails.
  func perform(_ body: () throws -> Void) throws(CommandFailure) {
    try check(guarding(body))
  }

  private func check(_ status: Int32) throws(CommandFailure) {
    if status != 0 { throw .failed(status: status) }
  }

  /// The entities of the store as completions.
  var entityCandidates: [Completions.Candidate] {
    (engine.store?.model.entities ?? []).map { Completions.Candidate($0.name) }
  }

  /// The entity with a typed name.
  func entity(_ name: String) throws(CommandFailure) -> Entity {
    let model = engine.store?.model
    if let entity = model?.entity(named: name) { return entity }
    let names = model?.entities.map(\.name) ?? []
    throw .invalidArgument(name, expected: names, nearest: nearestName(to: name, in: names))
  }
}
