package import LuaBindings
package import LuaRuntime
package import Modeling
internal import ObjectGraph
internal import Presentation
internal import Reactive
internal import SQLite
internal import Stores

/// The engine with what a person or a program does with it: blocks of Lua, Swift and commands, completion, help. Values, errors
/// and remarks go to its client.
///
///     let session = try Session(SessionOptions(), client)
///     session.evaluate("Quake:count()")                the client receives the value
///
/// At the prompt an error points into the line; in a batch run it begins with `file:line: error:` and ends with a
/// traceback.
package final class Session {
  package let engine: Engine
  /// The owner of the session, which outlives it.
  package unowned let client: any SessionClient
  package let settings: ShellSettings
  package let options: SessionOptions
  package var layout: Layout { client.layout }
  /// The status that a script gave to `os.exit`.
  package var requestedExit: Int32?
  /// Whether a person enters each block and reads its answers.
  package var isAtPrompt = false
  /// The name of the last typed line in messages.
  package private(set) var currentInput = ""
  private var inputCount = 0
  /// The last block that ran without an error, which `.keep` keeps.
  private(set) var lastBlock: String?
  /// The traceback of the last error at the prompt.
  var lastTraceback: [String]?
  package var sources = SourceTexts()
  /// The start of the present evaluation.
  private(set) var presenterStart = monotonicSeconds()
  /// The record of changes during a dry run; nil outside one.
  package var dryRun: DryRun?
  /// The slow reads of the running line.
  var slowReads = SlowReads()
  /// How many rows the running line has answered; nil as long as it has answered none.
  package var answeredRows: Int?
  /// The nesting depth of `guarding` calls.
  private var guardDepth = 0
  /// The status of the first callback that failed since the last turn ended.
  var callbackStatus: Int32 = 0
  /// The name of the data of which the store in memory was made.
  package var dataName: String?
  /// The first file of that data.
  package var dataPath: String?
  /// The tutorial that runs; nil for none.
  var tutorialRun: TutorialRun?
  /// Whether a script's run reports entities made for data files, as the prompt does.
  var tellsNewEntities = false
  /// What `--param` gives to scripts.
  package var parameters: ScriptParameters?
  /// The number of the engine's notes that the client has received.
  var toldNotes = 0
  /// The commands of the client.
  private(set) var clientCommands: [Command] = []
  /// The client's full screens; nil for a client without a terminal.
  let screens: Screens?

  /// Makes a session. `commands` makes those that the client adds, and those that it does in its own way.
  package init(
    _ options: SessionOptions, _ client: any SessionClient, screens: Screens? = nil,
    commands: (Session) -> [Command] = { _ in [] }
  ) throws {
    (self.options, self.client, self.screens) = (options, client, screens)
    settings = ShellSettings(mode: options.mode, isForPrograms: !client.layout.isTerminal)
    engine = try Engine(options.engine)
    clientCommands = commands(self)
    engine.host = HostProgram(of: self)
    engine.lua.onWarning = { [unowned self] in tell(Remark(.warning, $0)) }
    engine.lua.setModulePaths()
    ShellFunctions(self).install()
    if options.takesScriptOutput { try ScriptOutput(self).take() }
    try limit()
    if options.engine.isDryRun { beginDryRun() }
  }

  /// Sets the time and memory limits.
  private func limit() throws {
    if let bytes = options.processMemoryLimit {
      SQLiteMemory.limit = bytes
      if !engine.lua.setProcessMemoryLimit(bytes) {
        warn("this system does not tell what a process takes: --memory-limit counts Lua and SQLite alone")
      }
    } else if options.engine.isSandboxed {
      // The limit applies to SQL as well.
      SQLiteMemory.limit = engine.options.memoryLimit
    }
    try engine.lua.setTimeLimit(seconds: options.timeout)
  }

  package func close() { engine.close() }

  // MARK: Running

  /// Runs what a person entered, who is asked before it writes much.
  package func approving(_ body: () -> Int32) -> Int32 { ConfirmCommand(session: self).approving(body) }

  /// Evaluates a line as the prompt does: Lua, a dot command, or a help query.
  package func enter(_ line: String, chunk: String) -> Int32 {
    switch ShellInput(line) {
    case .empty, .quit: return 0
    case .code(let text): return evaluate(text, chunk: chunk)
    case .swift(let block): return evaluate(block, chunk: chunk)
    case .help(let name):
      showHelp(on: name)
      return 0
    case .command(let text): return run(command: text, shellContext())
    }
  }

  /// Evaluates typed text under a chunk name of its own, because its functions may fail much later.
  package func evaluateInput(_ source: String) -> Int32 { evaluateInput { evaluate(source, chunk: $0) } }

  /// Evaluates typed text by `body`, which receives the name of its chunk.
  package func evaluateInput(_ body: (String) -> Int32) -> Int32 {
    inputCount += 1
    currentInput = "input \(inputCount)"
    engine.savedCounts = WorkCounts()
    engine.takenBack = []
    let deleted = unsavedDeletions
    let status = approving { body("=" + currentInput) }
    tellDeletions(since: deleted)
    tellTakenBack()
    tellSaves()
    if status == 0 { TutorialCommand(session: self).advanceTutorial() }
    return status
  }

  /// Evaluates a line or block as it would be typed, and shows its values.
  package func evaluate(_ source: String, chunk: String, firstLine: Int = 1) -> Int32 {
    sources.add(source, chunk: chunk)
    if SQLHabit.matches(source), engine.isMistake(source) {
      report(SQLHabit(source, in: self).diagnostic)
      return ExitStatus.failed
    }
    if let diagnostic = CommandHabit.diagnostic(source) ?? predicateHabit(source)?.diagnostic {
      report(diagnostic)
      return ExitStatus.failed
    }
    return run(source, chunk: chunk, firstLine: firstLine) {
      if self.isAtPrompt { try self.refuseUnknownName(source, $0) }
      // A request whose value is missing can still be bound, and one that is stopped be narrowed.
      self.engine.remember($0)
      try self.show($0)
    }
  }

  /// Runs Lua, and has its values shown.
  package func run(
    _ source: String, chunk: String, firstLine: Int, keeping kept: String? = nil,
    showing show: ([LuaReference]) throws -> Void
  ) -> Int32 {
    let status = guarding {
      // String(repeating:) appends one by one, which is felt in the last lines of a long text that is piped in.
      let emptyLines = String(decoding: [UInt8](repeating: UInt8(ascii: "\n"), count: firstLine - 1), as: UTF8.self)
      try show(try engine.evaluate(emptyLines + source, name: chunk))
    }
    if status == 0 { lastBlock = kept ?? source }
    return status
  }

  /// Runs a script file.
  package func runScript(_ path: String, _ arguments: [String]) -> Int32 {
    sources.add(file: path)
    return guarding { _ = try engine.run(try readFile(path), name: "@" + path, arguments: arguments) }
  }

  /// The model that a file describes, in a version of those that have several.
  package func loadModel(_ path: String, version: String? = nil) throws -> Model {
    guard path.hasSuffix(".lua") else { return try ModelLoader(engine).load(path, version: version) }
    sources.add(file: path)
    let values = try engine.run(try readFile(path), name: "@" + path)
    if let model = values.first.flatMap({ engine.model($0) }) ?? engine.model(global: "model") { return model }
    throw ModelMissing(path: path)
  }

  /// Runs `body` so that Ctrl-C stops it, reports its error, and returns the status.
  ///
  /// It is a turn of its own, unless a script calls it within one, as through `perilune.sql`.
  package func guarding(_ body: () throws -> Void) -> Int32 {
    let start = monotonicSeconds()
    presenterStart = start
    guardDepth += 1
    defer { guardDepth -= 1 }
    let isTurn = guardDepth == 1
    if isTurn { beginTurn() }
    defer {
      if isTurn {
        engine.lua.uninstallSignalHandler()
        engine.lua.clearCrowding()
      }
    }
    let trace = traceStatements()
    defer { withExtendedLifetime(trace) {} }
    var status: Int32 = 0
    do {
      try showingWait { try engine.asking(body) }
      tellSlowReads()
      tellNotes()
    } catch {
      tellSlowReads()
      tellNotes()
      status = finish(error, after: monotonicSeconds() - start, isInCallback: false)
    }
    guard isTurn else { return status }
    defer { if isAtPrompt, options.timeout != nil { try? engine.lua.setTimeLimit(seconds: nil) } }
    return endTurn(status, after: start)
  }

  /// Runs `body`, in which lines are typed although a script runs: each is a turn of its own, and Ctrl-C stops it alone.
  package func typing(_ body: () -> Void) {
    let (depth, wasAtPrompt, input) = (guardDepth, isAtPrompt, currentInput)
    (guardDepth, isAtPrompt) = (0, true)
    engine.lua.uninstallSignalHandler()
    try? engine.lua.setTimeLimit(seconds: nil)
    let approval = engine.host.approval
    defer {
      (guardDepth, isAtPrompt, currentInput) = (depth, wasAtPrompt, input)
      engine.host.approval = approval
      if depth > 0 { engine.lua.installSignalHandler() }
      if options.timeout != nil { try? engine.lua.setTimeLimit(seconds: options.timeout) }
    }
    body()
  }

  private func beginTurn() {
    engine.lua.installSignalHandler()
    // At the prompt the time limit applies to each line.
    if isAtPrompt, options.timeout != nil { try? engine.lua.setTimeLimit(seconds: options.timeout) }
  }

  /// Ends the turn, reports its errors, and returns the status.
  private func endTurn(_ status: Int32, after start: Double) -> Int32 {
    // os.exit also ends the turn.
    if requestedExit != nil { engine.lua.clearInterrupt() }
    // After an interruption observers are not run.
    let isStopped = !isAtPrompt && [ExitStatus.interrupted, ExitStatus.timeLimit].contains(status)
    let errors = engine.turns.end(failed: status != 0 && requestedExit == nil, notifiesObservers: !isStopped)
    let failures = [callbackStatus] + errors.map { finish($0, after: monotonicSeconds() - start) }
    callbackStatus = 0
    guard let failure = failures.first(where: { $0 != 0 }) else { return status }
    if requestedExit == 0 { requestedExit = failure }
    return status == 0 ? failure : status
  }
}

/// A model file that returns no model.
struct ModelMissing: ReportedError {
  var path: String

  var report: ErrorReport {
    ErrorReport(
      "model", "'\(path)' gives no model: it must return a Model, or make it the global 'model'",
      exitStatus: ExitStatus.unavailable)
  }
}
