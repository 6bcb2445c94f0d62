internal import LuaBindings
internal import LuaRuntime
internal import Modeling

/// A Lua with the engine in it, and how its values, errors and remarks reach whoever asked.
///
/// At the prompt an error points into the line; in a batch run it begins with `file:line: error:` and ends with the calls
/// that led to it.
final class EngineSession {
  let engine: Engine
  let surroundings: Surroundings
  let settings: ShellSettings
  /// The status that a script gave to `os.exit`.
  private(set) var requestedExit: Int32?
  /// Whether a person types the lines.
  var isAtPrompt = false
  /// The traceback of the last error at the prompt.
  private(set) var lastTraceback: [String] = []
  private(set) var sources = SourceTexts()
  private(set) var presenterStart = monotonicSeconds()
  /// What was written that will not be kept, where nothing is.
  var dryRun: DryRun?
  private let launch: Launch
  /// How much of the engine's notes was told.
  private var toldNotes = 0

  init(_ launch: Launch, _ surroundings: Surroundings) throws {
    self.launch = launch
    self.surroundings = surroundings
    settings = ShellSettings(
      mode: launch.mode.flatMap(OutputMode.init(rawValue:)) ?? (surroundings.outputIsTerminal ? .table : .tsv))
    var options = Engine.Options()
    if let limit = launch.memoryLimit { options.memoryLimit = limit }
    options.isSandboxed = launch.isSandboxed
    options.opensReadOnly = launch.isReadOnly
    options.isDryRun = launch.isDryRun
    engine = try Engine(options)
    engine.lua.setModulePaths()
    ShellFunctions(self).install()
    try engine.lua.setTimeLimit(seconds: launch.timeout)
    if launch.isDryRun { beginDryRun() }
    showProgress()
  }

  func close() { engine.close() }

  // MARK: Running

  /// Takes a line as the prompt does: Lua, a dot command, or a question for help.
  func enter(_ line: String, chunk: String) -> Int32 {
    switch ShellInput(line) {
    case .empty, .quit: return 0
    case .code(let text): return evaluate(text, chunk: chunk)
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

  /// Evaluates a line or block as it would be typed, and shows its values.
  func evaluate(_ source: String, chunk: String, firstLine: Int = 1) -> Int32 {
    sources.add(source, chunk: chunk)
    if isAtPrompt, SQLHabit.matches(source), !engine.isExpression(source) {
      report(SQLHabit(source, model: engine.store?.model).diagnostic)
      return ExitStatus.failed
    }
    return guarding {
      let padded = String(repeating: "\n", count: firstLine - 1) + source
      let values = try engine.evaluate(padded, name: chunk)
      try show(values)
      engine.remember(values)
    }
  }

  /// Runs a script file.
  func runScript(_ path: String, _ arguments: [String]) -> Int32 {
    sources.add(file: path)
    return guarding { _ = try engine.run(try readFile(path), name: "@" + path, arguments: arguments) }
  }

  /// Runs standard input as a script; a text that is one expression shows its value.
  func runStandardInput(_ arguments: [String]) -> Int32 {
    let editor = PipedEditor()
    let source = editor.readRest()
    let text = String(decoding: source, as: UTF8.self)
    sources.add(text, chunk: "=stdin")
    if text.drop(while: \.isWhitespace).first == "." { return InteractiveRun(self, launch).run(lines: text) }
    return guarding {
      if arguments.isEmpty, engine.isExpression(text) {
        try show(try engine.evaluate(text, name: "=stdin"))
      } else {
        _ = try engine.run(source, name: "=stdin", arguments: arguments)
      }
    }
  }

  /// The model that a file describes.
  func loadModel(_ path: String) throws -> Model {
    guard path.hasSuffix(".lua") else {
      _ = try readFile(path)
      throw NotYetRead(path: path)
    }
    sources.add(file: path)
    let values = try engine.run(try readFile(path), name: "@" + path)
    if let model = values.first.flatMap({ engine.model($0) }) ?? engine.model(global: "model") { return model }
    throw ModelMissing(path: path)
  }

  /// Runs `body` so that Ctrl-C stops it, tells of what it throws, and returns the status.
  func guarding(_ body: () throws -> Void) -> Int32 {
    let start = monotonicSeconds()
    presenterStart = start
    engine.lua.installSignalHandler()
    defer { engine.lua.uninstallSignalHandler() }
    let trace = traceStatements()
    defer { withExtendedLifetime(trace) {} }
    do {
      try body()
      tellNotes()
      return 0
    } catch {
      tellNotes()
      return finish(error, after: monotonicSeconds() - start)
    }
  }

  // MARK: Showing

  /// Shows values, one after the other.
  func show(_ values: [LuaReference]) throws {
    let stack = engine.lua.stack
    for value in values {
      stack.push(value)
      defer { stack.pop() }
      try presenter().show(at: -1, on: stack, to: surroundings.output)
    }
  }

  /// How values are shown now.
  func presenter(_ show: ShowOptions = ShowOptions()) -> ValuePresenter {
    var options = RenderOptions(width: surroundings.window?.columns)
    options.style = surroundings.outputStyle
    options.charset = surroundings.charset
    options.isTerminal = surroundings.outputIsTerminal
    options.maximumColumnWidth = show.maximumWidth
    options.limit = show.limit
    if !surroundings.outputIsTerminal { options.rows = .all }
    options.elapsed = { [presenterStart] in monotonicSeconds() - presenterStart }
    return ValuePresenter(
      engine: engine, mode: show.mode ?? settings.mode, options: options,
      quotesStrings: surroundings.outputIsTerminal)
  }

  // MARK: Telling

  /// Says what the engine has noted since the last time: entities without a global, how a file was read.
  func tellNotes() {
    let notes = engine.notes.dropFirst(toldNotes)
    toldNotes = engine.notes.count
    guard !launch.isQuiet else { return }
    for note in notes { surroundings.say(surroundings.messageStyle(.note, "note: ") + note + "\n") }
  }

  func report(_ diagnostic: Diagnostic) {
    let text = surroundings.diagnosticText
    if isAtPrompt { return surroundings.say(text.terminal(diagnostic)) }
    var diagnostic = diagnostic
    diagnostic.file = diagnostic.file ?? "perilune"
    surroundings.say(text.batch(diagnostic))
  }

  /// Tells of an error, and returns the status that it ends a run with.
  private func finish(_ error: any Error, after seconds: Double) -> Int32 {
    if BrokenPipe.hasHappened { return ExitStatus.brokenPipe }
    if let error = error as? LuaError {
      switch error.kind {
      case .exit(let status):
        requestedExit = status
        return status
      case .interrupted, .timedOut: return stopped(error, after: seconds)
      default: break
      }
    }
    var report = engine.report(error)
    if report.kind == "interrupted" || engine.lua.interruption != nil { return stopped(error, after: seconds) }
    if report.isUnreadable, let value = (error as? LuaError)?.value { report.message = describeErrorValue(value) }
    var diagnostics = Diagnostic.diagnostics(for: report, sources, LuaHints(engine: engine, sources: sources))
    lastTraceback = diagnostics.last?.traceback ?? []
    if isAtPrompt { diagnostics[diagnostics.count - 1].traceback = [] }
    for diagnostic in diagnostics { self.report(isAtPrompt ? diagnostic.atPrompt : diagnostic) }
    return report.exitStatus
  }

  /// An error value that is no text and has none, as Lua would write it.
  private func describeErrorValue(_ value: LuaReference) -> String {
    let stack = engine.lua.stack
    stack.push(value)
    defer { stack.pop() }
    var builder = NodeBuilder(stack)
    guard let node = try? builder.node(at: -1) else { return "an error without a message" }
    return NodePrinter(charset: surroundings.charset, width: 200).text(node)
  }

  /// Says what Ctrl-C or the time limit stopped.
  private func stopped(_ error: any Error, after seconds: Double) -> Int32 {
    let isTimeOut = engine.lua.interruption == .timedOut
    engine.lua.clearInterrupt()
    let place = error is LuaError ? Diagnostic.innermostCall(engine.report(error)) : "a statement of the store"
    let what = place.map { " in \($0)" } ?? ""
    let reason = isTimeOut ? "the time limit stopped it" : "stopped"
    let prefix = isAtPrompt ? "" : "perilune: "
    surroundings.say("\(prefix)\(reason) after \(Quantity.duration(seconds))\(what)\n")
    return isTimeOut ? ExitStatus.timeLimit : ExitStatus.interrupted
  }

  /// Warns of changes that nobody saved, and returns the status to exit with.
  func finish(_ status: Int32) -> Int32 {
    if status == 0, let dryRun { printText(dryRun.text) }
    let count = engine.unsavedChangeCount
    if count > 0, !BrokenPipe.hasHappened {
      surroundings.warn("\(count == 1 ? "1 change was" : "\(Quantity.grouped(count)) changes were") not saved")
    }
    surroundings.flushOutput()
    return requestedExit ?? status
  }
}

/// A file that was to describe a model, and does not.
private struct ModelMissing: ReportedError {
  var path: String

  var report: ErrorReport {
    ErrorReport(
      "model", "'\(path)' gives no model: it must return a Model, or make it the global 'model'",
      exitStatus: ExitStatus.unavailable)
  }
}
