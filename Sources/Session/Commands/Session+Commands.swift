internal import LuaBindings
package import Modeling
package import Presentation
internal import SQLiteStorage

extension Session {
  /// The commands, in the order of help: those of the session, and those of its client, which come before ones of the same name.
  ///
  /// To add one, write it in a file of its own and name it here.
  package var commands: [Command] {
    let parts: [[Command]] = [
      clientCommands, EntitiesCommand(session: self).all, ChangesCommands(session: self).all,
      StoreCommands(session: self).all, TransferCommands(session: self).all, DryRunCommand(session: self).all,
      UndoSaveCommands(session: self).all, SlowCommand(session: self).all, VerifyCommand(session: self).all,
      DoctorCommand(session: self).all, ValueCommands(session: self).all, TableCommands(session: self).all,
      DumpCommand(session: self).all, KeptCommands(session: self).all, HelpCommand(session: self).all,
      TutorialCommand(session: self).all, ConfirmCommand(session: self).all, ColsCommand(session: self).all,
      InCommand(session: self).all, CommandRegistry.standard.commands, ScreenCommands.missing,
    ]
    var names: Set<String> = []
    return parts.flatMap(\.self).filter { names.insert($0.name).inserted }.sorted { $0.name < $1.name }
  }

  /// The surroundings of commands.
  package func shellContext() -> ShellContext {
    ShellContext(
      settings: settings, print: { [unowned self] in printText($0) },
      readScript: { [unowned self] (path) throws(CommandFailure) in
        let status = runScript(path, [])
        if status != 0 { throw .failed(status: status) }
      },
      wrapped: { [layout] in layout.wrapped($0) }, style: layout.style, charset: layout.charset,
      isSandboxed: engine.options.isSandboxed)
  }

  /// Runs a line that begins with a point, and returns its status.
  package func run(command line: String, _ context: ShellContext) -> Int32 {
    do throws(CommandFailure) {
      try CommandRegistry(commands: commands).run(line, context)
      return 0
    } catch {
      if let diagnostic = error.diagnostic { report(diagnostic) }
      return error.status
    }
  }

  /// The completions of Lua that stands behind the words of a command.
  package var codeParameter: Command.Parameter {
    .rest { [unowned self] text, cursor, _ in completions(text, at: cursor) }
  }

  /// The entities of the store as completions.
  package var entityCandidates: [Completions.Candidate] {
    (engine.store?.model.entities ?? []).map { Completions.Candidate($0.name) }
  }

  /// The entity with a typed name.
  package func entity(_ name: String) throws(CommandFailure) -> Entity {
    let model = engine.store?.model
    if let entity = model?.entity(named: name) { return entity }
    let names = model?.entities.map(\.name) ?? []
    throw .invalidArgument(name, expected: names, nearest: nearestName(to: name, in: names))
  }

  /// The store's file, for a command that only files of SQLite have.
  ///
  /// - Throws: a failure that was reported before, where there is no store, or one on a server.
  func storeFile(_ command: String) throws(CommandFailure) -> SQLiteStore {
    if let file = engine.sqliteStore { return file }
    let isOpen = engine.store != nil
    refuse(
      isOpen
        ? "\(command) is for SQLite files; this store is a database on a server" : "no store is open; .open one")
    throw .failed(status: isOpen ? ExitStatus.failed : ExitStatus.noStore)
  }
}
