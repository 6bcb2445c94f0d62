package import LuaBindings
package import LuaRuntime
internal import Modeling
package import Presentation
internal import SQLite
internal import Stores

/// The engine with what a person or a program does with it: blocks of Lua, Swift and commands, completion, help. Values, errors
/// and remarks go to its client.
///
///     let session = try Session(SessionOptions(), client)
///     session.evaluate(block: "Quake:count()")         the client receives the value
///
/// At the prompt an error points into the line; in a batch run it begins with `file:line: error:` and ends with a
/// traceback.
package final class Session {
  package let options: SessionOptions
  package let parts: SessionParts
  /// The commands, in the order of help.
  package private(set) var registry = CommandRegistry(commands: [])
  /// What `--param` gives to scripts.
  package var parameters: ScriptParameters?
  private var inputCount = 0

  package var engine: Engine { parts.engine }
  package var settings: ShellSettings { parts.console.settings }
  /// Whether a person enters each block and reads its answers.
  package var isAtPrompt: Bool {
    get { parts.console.isAtPrompt }
    set { parts.console.isAtPrompt = newValue }
  }
  /// The status that a script gave to `os.exit`.
  package var requestedExit: Int32? {
    get { parts.errors.requestedExit }
    set { parts.errors.requestedExit = newValue }
  }

  /// The source texts that ran, from which messages show lines.
  package var sources: SourceTexts {
    get { parts.errors.sources }
    set { parts.errors.sources = newValue }
  }
  /// The record of changes during a dry run; nil outside one.
  package var dryRun: DryRun? { parts.dryRuns.dryRun }

  /// Makes a session with the commands that `commands` makes of its parts. Its client outlives it.
  package init(
    _ options: SessionOptions, _ client: any SessionClient, screens: Screens? = nil,
    commands: (SessionParts) -> [Command] = { SessionCommands.list($0) }
  ) throws {
    self.options = options
    parts = try SessionParts(options, client)
    registry = CommandRegistry(commands: commands(parts))
    parts.help.commands = { [unowned self] in registry.commands }
    parts.evaluator.isCommand = { [unowned self] name in registry.has(name) }
    engine.lua.setModulePaths()
    let functions = ShellFunctions(parts: parts, screens: screens)
    functions.install()
    functions.install(registry.commands) { [unowned self] (name, words) throws(CommandFailure) in
      try registry.run(name, words, context())
    }
    if options.takesScriptOutput { try ScriptOutput.take(parts.console) }
    try limit()
  }

  /// Sets the time and memory limits.
  private func limit() throws {
    if let bytes = options.processMemoryLimit {
      SQLiteMemory.limit = bytes
      if !engine.lua.setProcessMemoryLimit(bytes) {
        parts.console.warn("this system does not tell what a process takes: --memory-limit counts Lua and SQLite alone")
      }
    } else if options.engine.isSandboxed, !options.isEmbedded {
      // The limit applies to SQL as well.
      SQLiteMemory.limit = engine.options.memoryLimit
    }
    try engine.lua.setTimeLimit(seconds: options.timeout)
  }

  package func close() { engine.close() }

  // MARK: Blocks

  /// Evaluates a block as it would be typed, and returns its exit status: 0 for success. Its client receives what comes of it.
  package func evaluate(block: String) -> Int32 {
    switch ShellInput(block) {
    case .empty, .quit: 0
    case .code(let text): evaluateInput { parts.evaluator.evaluate(text, chunk: $0) }
    case .swift(let swift): evaluateInput { parts.evaluator.evaluate(swift, chunk: $0) }
    case .command(let line): approving { run(command: line) }
    case .help(let name): showHelp(on: name)
    }
  }

  /// Evaluates a line of a run as the prompt does, under the name of its chunk: Lua, a dot command, or a help query.
  package func enter(_ line: String, chunk: String) -> Int32 {
    switch ShellInput(line) {
    case .empty, .quit: 0
    case .code(let text): parts.evaluator.evaluate(text, chunk: chunk)
    case .swift(let block): parts.evaluator.evaluate(block, chunk: chunk)
    case .help(let name): showHelp(on: name)
    case .command(let text): run(command: text)
    }
  }

  private func showHelp(on name: String) -> Int32 {
    parts.help.show(name)
    return 0
  }

  /// Evaluates typed text by `body`, which receives the name of its chunk: one of its own, because its functions may fail much later.
  package func evaluateInput(_ body: (String) -> Int32) -> Int32 {
    inputCount += 1
    parts.errors.currentInput = "input \(inputCount)"
    let outcome = InputOutcome(parts.console)
    let status = approving { body("=" + parts.errors.currentInput) }
    outcome.tell(isDryRun: dryRun != nil)
    if status == 0 { parts.tutorial.advance() }
    return status
  }

  /// Runs what a person entered, who is asked before it writes much.
  package func approving(_ body: () -> Int32) -> Int32 { ConfirmCommand(tools: parts.tools).approving(body) }

  /// Runs what a person asked a client for in another way than by a block; `asks` asks before it writes much.
  package func approving<Result>(asking asks: @escaping (String) -> Bool, _ body: () throws -> Result) rethrows
    -> Result
  {
    try ConfirmCommand(tools: parts.tools).approving(asking: asks, body)
  }

  /// Runs a line that begins with a point, and returns its status.
  private func run(command line: String) -> Int32 {
    do throws(CommandFailure) {
      try registry.run(line, context())
      return 0
    } catch {
      if let diagnostic = error.diagnostic { parts.console.report(diagnostic) }
      return error.status
    }
  }

  /// The surroundings of commands.
  package func context() -> ShellContext {
    let layout = parts.console.layout
    return ShellContext(
      settings: settings, print: { [console = parts.console] in console.printText($0) },
      readScript: { [unowned self] (path) throws(CommandFailure) in
        let status = runScript(path, [])
        if status != 0 { throw .failed(status: status) }
      },
      wrapped: { layout.wrapped($0) }, style: layout.style, charset: layout.charset,
      isSandboxed: engine.options.isSandboxed)
  }

  /// The candidates at a byte of a block, of its Lua or its command.
  package func complete(_ block: String, at offset: Int) -> Completions {
    block.first == "."
      ? registry.completions(block, at: offset) : LuaCompleter(engine: engine).completions(block, at: offset)
  }

  /// Whether a block can be evaluated as it is.
  package func isComplete(_ block: String) -> Completeness {
    ShellInput(block).completeness { [evaluator = parts.evaluator] in evaluator.completeness(of: $0) }
  }

  /// The inputs of a block that was typed or pasted.
  package func inputs(of block: String) -> [String] {
    PastedBlock(storeName: parts.title.name, registry.commands, parts.errors.hints).inputs(of: block)
  }

  /// Help on the name at a byte of a text, and the type of its value. No code of scripts runs.
  package func inspect(_ text: String, at offset: Int) -> Inspection? { Inspection(text, at: offset, engine) }

  /// Stops what runs; it may be called from another thread.
  package func interrupt() { engine.interrupt() }

  /// Observes the rows of an answer, whose changes the client receives; nil for an answer that cannot be live.
  package func observe(_ answer: Answer) throws -> LiveObservation? {
    try LiveObservation(answer, engine) { [unowned console = parts.console] in
      try? console.client.receive(.change($0))
    }
  }

  // MARK: Runs

  /// Runs `body` so that Ctrl-C stops it, reports its error, and returns the status.
  package func guarding(_ body: () throws -> Void) -> Int32 { parts.runs.guarding(body) }

  /// Runs a script file.
  package func runScript(_ path: String, _ arguments: [String]) -> Int32 { parts.evaluator.runScript(path, arguments) }

  /// Shows a value in its own way.
  package func show(_ value: LuaReference, _ options: ShowOptions = ShowOptions()) throws {
    try parts.console.show(value, options)
  }

  /// The types of the open store and of all functions, for editors of Lua.
  package var annotations: String {
    SessionAnnotations(annotations: engine.annotations, commands: registry.commands).text
  }

  /// The annotations with the values of texts that take few, with counts and ranges, or with both.
  ///
  /// - Throws: PredicateError, StoreError.
  package func annotations(values: Bool, statistics: Bool) throws -> String {
    let own = try engine.annotations(values: values, statistics: statistics)
    return SessionAnnotations(annotations: own, commands: registry.commands).text
  }

  /// The globals of scripts for luacheck, a linter of Lua.
  package var luacheckSettings: String { LuacheckSettings(engine: engine).text }

  /// Warns of unsaved changes, which fail a run that `requiresClean`, and returns the exit status.
  package func finish(_ status: Int32, requiresClean: Bool = false) -> Int32 {
    let console = parts.console
    if status == 0, let dryRun { console.printText(dryRun.text(isOver: true)) }
    for name in parameters?.unreadNames(of: engine) ?? [] {
      console.warn("nothing has read the parameter '\(name)' (--param)")
    }
    defer { console.client.flush() }
    let count = engine.stores.unsavedChangeCount
    let end = requestedExit ?? status
    guard count > 0, !console.client.isGone else { return end }
    let message = "\(count == 1 ? "1 change was" : "\(Quantity.grouped(count)) changes were") not saved"
    guard requiresClean, end == 0 else {
      console.warn(message)
      return end
    }
    isAtPrompt = false
    console.refuse(message)
    return ExitStatus.failed
  }
}
