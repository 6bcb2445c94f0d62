internal import LuaBindings
internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Presentation
internal import Reactive
import SQLite
internal import Stores
internal import Terminal

/// A Lua state with the engine in it, which presents its values, errors and notes to the user.
///
/// At the prompt an error points into the line; in a batch run it begins with `file:line: error:` and ends with a
/// traceback.
final class EngineSession {
  let engine: Engine
  let surroundings: Surroundings
  let settings: ShellSettings
  /// The status that a script gave to `os.exit`.
  var requestedExit: Int32?
  /// Whether lines are typed at the prompt.
  var isAtPrompt = false { didSet { engine.isTyped = isAtPrompt } }
  /// The name of the last typed line in messages.
  private(set) var currentInput = ""
  private var inputCount = 0
  /// The last block that ran without an error, which `.keep` keeps.
  private(set) var lastBlock: String?
  /// The traceback of the last error at the prompt.
  var lastTraceback: [String]?
  var sources = SourceTexts()
  /// The start of the present evaluation.
  private(set) var presenterStart = monotonicSeconds()
  /// The record of changes during a dry run; nil outside one.
  var dryRun: DryRun?
  let options: RunOptions
  /// Whether the prompt is readline's own, without colours and a line at a time.
  var usesPlainEditor = false
  /// The slow reads of the running line.
  var slowReads = SlowReads()
  /// The terminal's replies about pictures; nil before it was asked.
  var graphics: TerminalGraphics?
  /// How many rows the running line has answered; nil as long as it has answered none.
  var answeredRows: Int?
  /// The line editor of the prompt.
  var editor: ReadlineEditor?
  /// The nesting depth of `guarding` calls.
  private var guardDepth = 0
  /// The status of the first callback that failed since the last turn ended.
  var callbackStatus: Int32 = 0
  /// The name of the data of which the store in memory was made.
  var dataName: String?
  /// The first file of that data.
  var dataPath: String?
  /// The tutorial that runs; nil for none.
  var tutorialRun: TutorialRun?
  /// Whether a script's run reports entities made for data files, as the prompt does.
  var tellsNewEntities = false
  /// The parameters that `--param` gives to scripts.
  var parameters: ScriptParameters?
  /// The number of the engine's notes that were printed.
  var toldNotes = 0

  init(_ options: RunOptions, _ surroundings: Surroundings, store: StoreAccess = StoreAccess()) throws {
    self.options = options
    self.surroundings = surroundings
    settings = ShellSettings(
      mode: options.mode.flatMap(OutputMode.init(rawValue:)), isForPrograms: !surroundings.outputIsTerminal)
    engine = try Engine(Self.engineOptions(options, store, surroundings))
    engine.fitsText = { [charset = surroundings.charset] in
      let shown = DisplayText($0, in: $1, charset)
      return (shown.text, shown.width)
    }
    engine.writesFile = { [unowned self] path, replaces, bytes in
      try writeFile(path, replaces: replaces) {
        $0.write(bytes)
      } contents: {
        Quantity.bytes(bytes.count)
      }
    }
    engine.wouldWriteFile = { [unowned self] path in dryRun?.noteFile(path, "a copy of the store") }
    engine.onWarning = { [surroundings] in surroundings.warn($0) }
    engine.lua.onWarning = { [surroundings] in surroundings.warn(fromScript: $0) }
    engine.lua.setModulePaths()
    ShellFunctions(self).install()
    try limit()
    if store.isDryRun {
      beginDryRun()
      engine.didRehearseMigration = { [surroundings] store, report in
        let lines = report.description.split(separator: "\n").map { "  \($0)\n" }.joined()
        let refusal = report.losesUnasked ? "  it is refused without --migrate, or migrate = true\n" : ""
        surroundings.say("\(store.path) would be migrated:\n\(lines)\(refusal)")
      }
    }
    showProgress()
    tellNewEntities()
    collectSlowReads()
    attendToLoop()
  }

  private static func engineOptions(
    _ run: RunOptions, _ store: StoreAccess, _ surroundings: Surroundings
  ) -> Engine.Options {
    var options = Engine.Options()
    if let limit = run.memoryLimit { options.memoryLimit = limit }
    options.isSandboxed = run.isSandboxed
    options.opensReadOnly = store.isReadOnly
    options.writesCoreData = store.writesCoreData
    options.isDryRun = store.isDryRun
    options.readsDateTexts = store.readsDateTexts
    options.usesASCII = surroundings.charset == .ascii
    if !run.isSandboxed {
      let variables = Surroundings.variables(["XDG_CONFIG_HOME", "HOME"])
      options.preferencePath = PreferenceFile.standardPath { variables[$0] }
    }
    return options
  }

  /// Sets the time and memory limits.
  private func limit() throws {
    if let bytes = options.memoryLimit {
      SQLiteMemory.limit = bytes
      if !engine.lua.setProcessMemoryLimit(bytes) {
        surroundings.warn("this system does not tell what a process takes: --memory-limit counts Lua and SQLite alone")
      }
    } else if options.isSandboxed {
      // The limit applies to SQL as well.
      SQLiteMemory.limit = engine.options.memoryLimit
    }
    LastResort.prepare()
    engine.lua.setLastResort { LastResort.end($0) }
    try engine.lua.setTimeLimit(seconds: options.timeout)
  }

  func close() { engine.close() }

  // MARK: Running

  /// Evaluates a line as the prompt does: Lua, a dot command, or a help query.
  func enter(_ line: String, chunk: String) -> Int32 {
    switch ShellInput(line) {
    case .empty, .quit: return 0
    case .code(let text): return evaluate(text, chunk: chunk)
    case .swift(let block): return evaluate(block, chunk: chunk)
    case .help(let name):
      showHelp(on: name)
      return 0
    case .command(let text):
      do {
        try CommandRegistry(commands: commands).run(text, shellContext(history: History()))
        return 0
      } catch {
        if let diagnostic = error.diagnostic { report(diagnostic) }
        return error.status
      }
    }
  }

  /// Evaluates typed text under a chunk name of its own, because its functions may fail much later.
  func evaluateInput(_ source: String) -> Int32 { evaluateInput { evaluate(source, chunk: $0) } }

  /// Evaluates typed text by `body`, which receives the name of its chunk.
  func evaluateInput(_ body: (String) -> Int32) -> Int32 {
    inputCount += 1
    currentInput = "input \(inputCount)"
    engine.savedCounts = WorkCounts()
    engine.takenBack = []
    let deleted = unsavedDeletions
    let status = approving { body("=" + currentInput) }
    tellDeletions(since: deleted)
    tellTakenBack()
    tellSaves()
    if status == 0 { advanceTutorial() }
    return status
  }

  /// Evaluates a line or block as it would be typed, and shows its values.
  func evaluate(_ source: String, chunk: String, firstLine: Int = 1) -> Int32 {
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
  func run(
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
  func runScript(_ path: String, _ arguments: [String]) -> Int32 {
    sources.add(file: path)
    return guarding { _ = try engine.run(try readFile(path), name: "@" + path, arguments: arguments) }
  }

  /// Runs standard input as a script; a text that is one expression shows its value.
  ///
  /// A text that cannot be Lua, but has lines that begin with a dot command, runs line by line, as it would be typed.
  func runStandardInput(_ arguments: [String]) -> Int32 {
    let editor = PipedEditor()
    let source = editor.readRest()
    let text = String(decoding: source, as: UTF8.self)
    sources.add(text, chunk: "=stdin")
    if text.drop(while: \.isWhitespace).first == "." { return InteractiveRun(self).run(lines: text) }
    guard arguments.isEmpty else { return guarding { try runStandardInput(source, arguments) } }
    if let block = SwiftBlock(text) { return evaluate(block, chunk: "=stdin") }
    if engine.isExpression(text) { return evaluate(text, chunk: "=stdin") }
    let (hasCommands, isHabit) = (hasCommand(text), SQLHabit.matches(text) || CommandHabit.diagnostic(text) != nil)
    // Lua skips a first line that begins with #.
    if hasCommands || isHabit, text.first != "#", engine.isMistake(text) {
      return hasCommands ? InteractiveRun(self).run(lines: text) : evaluate(text, chunk: "=stdin")
    }
    return guarding { try runStandardInput(source, []) }
  }

  private func runStandardInput(_ source: [UInt8], _ arguments: [String]) throws {
    _ = try engine.run(source, name: "=stdin", arguments: arguments)
  }

  /// Whether the text has a dot command where one could be typed: not in a text of several lines, for example.
  private func hasCommand(_ text: String) -> Bool {
    let names = Set(commands.map(\.name))
    func isCommand(_ line: some StringProtocol) -> Bool {
      line.first == "." && names.contains(String(line.dropFirst().prefix { !$0.isWhitespace }))
    }
    let mayBe = text.utf8.split(separator: UInt8(ascii: "\n")).contains {
      $0.first == UInt8(ascii: ".") && isCommand(Substring($0))
    }
    guard mayBe else { return false }
    let lines = PipedEditor(text: text)
    let request = BlockRequest(
      prompt: "", completeness: { ShellInput($0).completeness(self.completeness) })
    while case .block(let block, _) = lines.readBlock(request) {
      if isCommand(block) { return true }
    }
    return false
  }

  /// The model that a file describes, in a version of those that have several.
  func loadModel(_ path: String, version: String? = nil) throws -> Model {
    guard path.hasSuffix(".lua") else { return try engine.loadAppleModel(path, version: version) }
    sources.add(file: path)
    let values = try engine.run(try readFile(path), name: "@" + path)
    if let model = values.first.flatMap({ engine.model($0) }) ?? engine.model(global: "model") { return model }
    throw ModelMissing(path: path)
  }

  /// Runs `body` so that Ctrl-C stops it, reports its error, and returns the status.
  ///
  /// It is a turn of its own, unless a script calls it within one, as through `perilune.sql`.
  func guarding(_ body: () throws -> Void) -> Int32 {
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
  func typing(_ body: () -> Void) {
    let (depth, wasAtPrompt, input) = (guardDepth, isAtPrompt, currentInput)
    (guardDepth, isAtPrompt) = (0, true)
    engine.lua.uninstallSignalHandler()
    try? engine.lua.setTimeLimit(seconds: nil)
    let approval = engine.approval
    defer {
      (guardDepth, isAtPrompt, currentInput) = (depth, wasAtPrompt, input)
      engine.approval = approval
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
    let errors = engine.endTurn(failed: status != 0 && requestedExit == nil, tellsObservers: !isStopped)
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
