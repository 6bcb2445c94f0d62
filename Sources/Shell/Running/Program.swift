internal import LuaBindings
internal import Modeling
internal import Presentation
internal import Storage
internal import Terminal

/// A run of perilune from its first to its last step: the store, the expressions, the script, the prompt.
///
/// The first error ends the run, unless the prompt follows.
final class Program {
  private let launch: Launch
  private let data: [DataFile]
  private let surroundings: Surroundings

  init(_ launch: Launch, _ data: [DataFile], _ surroundings: Surroundings) {
    self.launch = launch
    self.data = data
    self.surroundings = surroundings
  }

  func run() -> Int32 {
    if launch.examinesStore, let path = launch.storePath {
      if Engine.isServer(path) {
        return surroundings.fail(
          "doctor is for SQLite files; '\(path.withoutPassword)' is a database on a server", ExitStatus.failed)
      }
      return surroundings.examine(
        path, isJSON: [OutputMode.json, .ndjson].map(\.rawValue).contains(launch.mode ?? ""), seconds: launch.timeout)
    }
    if !launch.testedPaths.isEmpty { return SpecRun(launch, surroundings).run() }
    let session: EngineSession
    // Scripts can also show full screens.
    let showsPrompts = surroundings.isInteractive && (staysInteractive || surroundings.outputIsTerminal)
    // An untrusted script must not control the terminal either.
    if showsPrompts || launch.isSandboxed { surroundings.watchTerminal(picturesControls: launch.isSandboxed) }
    do {
      session = try EngineSession(launch, surroundings)
    } catch {
      return surroundings.fail("\(error)", ExitStatus.failed)
    }
    defer { session.close() }
    if launch.profiles {
      do { try session.engine.startProfiling() } catch { return surroundings.fail("\(error)", ExitStatus.failed) }
    }
    if let folder = launch.projectFolder { return session.makeProject(in: folder) }
    var status = open(in: session)
    guard status == 0 else { return status }
    if !launch.checkedPaths.isEmpty { return session.checkScripts(launch.checkedPaths) }
    if let path = launch.watchedView { return session.finish(session.watchView(path, launch.parameters)) }
    if let form = launch.typesForm { return writeTypes(form, of: session) }
    if let form = launch.documentForm { return session.writeDocument(form, title: name(of: session)) }
    status = runBatch(in: session)
    if launch.profiles, !BrokenPipe.hasHappened { session.tellProfile() }
    if staysInteractive, session.requestedExit == nil, !BrokenPipe.hasHappened {
      status = InteractiveRun(session, launch).run(after: status)
    }
    return session.finish(status)
  }

  /// Whether the run ends at the prompt.
  private var staysInteractive: Bool {
    if launch.watchedView != nil || launch.typesForm != nil || launch.documentForm != nil
      || !launch.checkedPaths.isEmpty
    {
      return false
    }
    return launch.staysInteractive || (isWithoutWork && surroundings.isInteractive)
  }
  private var isWithoutWork: Bool { launch.expressions.isEmpty && launch.scriptPath == nil }
  /// Whether standard input was data, so that there is nothing left of it to run.
  private var inputIsTaken: Bool { launch.dataPaths.contains("-") && !surroundings.isInteractive }

  private func open(in session: EngineSession) -> Int32 {
    if let first = launch.checkedPaths.first, launch.storePath == nil, launch.modelPath == nil {
      return session.guarding {
        if let model = try session.projectModel(of: first) { try session.open(model) }
      }
    }
    if launch.storePath == nil, data.isEmpty, launch.modelPath == nil, !staysInteractive { return 0 }
    if !data.isEmpty { return session.openData(data) }
    return session.guarding {
      var options = StoreOptions(path: launch.storePath ?? ":memory:")
      options.create = launch.createsStore || launch.storePath == nil
      options.isMaking = !staysInteractive
      options.readOnly = launch.isReadOnly
      options.writesCoreData = launch.isWritable
      options.permitsLosses = launch.permitsLosses
      if let path = launch.modelPath { options.model = try session.loadModel(path, launch) }
      try session.engine.open(options)
      session.dryRun?.beginAgain()
    }
  }

  private func writeTypes(_ form: Launch.TypesForm, of session: EngineSession) -> Int32 {
    switch form {
    case .lua:
      surroundings.show(session.annotations)
    case .swift:
      guard let source = session.engine.typedSource(schema: launch.schemaName ?? schemaName(of: session)) else {
        return ExitStatus.noStore
      }
      surroundings.show(source.text)
      for note in source.notes { surroundings.warn(note) }
    }
    return session.finish(0)
  }

  /// The schema's name by that of the store or the model: `QuakesSchema` for quakes.sqlite.
  private func schemaName(of session: EngineSession) -> String {
    Naming.upperCamelCase(name(of: session)) + "Schema"
  }

  /// The name of the store's or the model's file without its folder and ending, or that of a database.
  private func name(of session: EngineSession) -> String {
    var path = launch.storePath ?? launch.modelPath ?? "app"
    if Engine.isServer(path), let store = session.engine.store { path = String(store.path.prefix { $0 != "?" }) }
    let file = path.split(separator: "/").last ?? "app"
    return String(file.prefix { $0 != "." })
  }

  private func runBatch(in session: EngineSession) -> Int32 {
    if !isWithoutWork || !launch.parameters.isEmpty {
      // Its lines are no library's: what is wrong is the name that the script reads.
      session.sources.add("", chunk: "=params")
      let status = session.guarding { session.parameters = try ScriptParameters(launch.parameters, of: session.engine) }
      if status != 0 { return status }
    }
    session.engine.lua.setArguments(script: launch.scriptPath ?? (isWithoutWork ? "-" : nil), launch.scriptArguments)
    for expression in launch.expressions {
      let status = session.enter(expression, chunk: "=-e")
      if status != 0 { return status }
    }
    if let path = launch.scriptPath, path != "-" { return session.runScript(path, launch.scriptArguments) }
    if launch.scriptPath == "-" || (isWithoutWork && !staysInteractive && !inputIsTaken) {
      return session.runStandardInput(launch.scriptArguments)
    }
    return 0
  }
}
