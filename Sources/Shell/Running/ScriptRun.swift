internal import LuaBindings
internal import Session
internal import Terminal

/// A run without a command: the store, the expressions, the script, the prompt.
///
/// The first error ends the run, unless the prompt follows.
package struct ScriptRun: ProgramRun {
  package var options = RunOptions()
  package var store: StoreAccess = {
    var store = StoreAccess()
    store.offersCreation = true
    return store
  }()
  /// The format of files of rows whose name does not say it; one of `dataFormats`.
  package var dataFormat: String?
  /// The expressions to evaluate before the script, in order.
  package var expressions: [String] = []
  /// The script's file; `-` is standard input.
  package var scriptPath: String?
  /// The script's arguments, in `arg` and `...`.
  package var scriptArguments: [String] = []
  /// The parameters that scripts read as `params.name`, in order.
  package var parameters: [(name: String, value: String)] = []
  /// Whether changes that are left unsaved fail the run.
  package var requiresClean = false
  /// Whether the run ends with the cost of each line.
  package var profiles = false
  /// Whether the prompt follows the script.
  package var staysInteractive = false
  /// Whether the prompt is readline's own, without colours and a line at a time.
  package var usesPlainEditor = false
  /// Whether the prompt begins with the init file.
  package var runsInit = true
  /// The files of rows of which a store in memory is made.
  private var data: [DataFile] = []
  /// The first of them by its name on the command line.
  private var dataPath: String?
  /// Whether standard input is one of them.
  private var readsInputAsData = false

  package init() {}

  /// The permitted values of `dataFormat`.
  package static let dataFormats = DataFile.Format.allCases.map(\.rawValue)

  /// Takes files of rows in place of a store; `-` is standard input, whose place the terminal takes.
  package mutating func takeData(_ paths: [String]) {
    let format = dataFormat.flatMap(DataFile.Format.init(rawValue:))
    data = paths.map { path in
      guard path == "-", let name = StandardInput.takeAsData() else { return DataFile(path, format: format) }
      let found = format ?? (StandardInput.isJSON() ? .json : .csv)
      StandardInput.continueAtTerminal()
      var file = DataFile(name, format: found)
      (file.label, file.entityName) = ("standard input", "Row")
      return file
    }
    dataPath = paths.first
    readsInputAsData = paths.contains("-")
  }

  package func run(in surroundings: Surroundings) -> Int32 {
    let endsAtPrompt = staysInteractive || (isWithoutWork && surroundings.isInteractive)
    return inSession(surroundings, store, endsAtPrompt: endsAtPrompt) { session in
      session.usesPlainEditor = usesPlainEditor
      if profiles {
        do { try session.engine.reads.startProfiling() } catch {
          return surroundings.fail("\(error)", ExitStatus.failed)
        }
      }
      var status = open(in: session, endsAtPrompt)
      guard status == 0 else { return status }
      status = runBatch(in: session, endsAtPrompt)
      if profiles, !BrokenPipe.hasHappened { session.tellProfile() }
      if endsAtPrompt, session.requestedExit == nil, !BrokenPipe.hasHappened {
        status = InteractiveRun(session).run(after: status, runsInit: runsInit)
      }
      return session.finish(status, requiresClean: requiresClean)
    }
  }

  private var isWithoutWork: Bool { expressions.isEmpty && scriptPath == nil }

  private func open(in session: EngineSession, _ endsAtPrompt: Bool) -> Int32 {
    if !data.isEmpty { return session.openData(data, path: dataPath) }
    if store.path == nil, store.modelPath == nil, !endsAtPrompt { return 0 }
    return store.open(in: session, isMaking: !endsAtPrompt)
  }

  private func runBatch(in session: EngineSession, _ endsAtPrompt: Bool) -> Int32 {
    if !isWithoutWork || !parameters.isEmpty {
      // Its lines are no library's: what is wrong is the name that the script reads.
      session.sources.add("", chunk: "=params")
      let status = session.guarding { session.parameters = try ScriptParameters(parameters, of: session.engine) }
      if status != 0 { return status }
    }
    session.engine.lua.setArguments(script: scriptPath ?? (isWithoutWork ? "-" : nil), scriptArguments)
    for expression in expressions {
      let status = session.enter(expression, chunk: "=-e")
      if status != 0 { return status }
    }
    if let scriptPath, scriptPath != "-" { return session.runScript(scriptPath, scriptArguments) }
    // Where standard input was data, nothing is left of it to run.
    let inputIsTaken = readsInputAsData && !session.surroundings.isInteractive
    if scriptPath == "-" || (isWithoutWork && !endsAtPrompt && !inputIsTaken) {
      return session.runStandardInput(scriptArguments)
    }
    return 0
  }
}
