internal import LuaBindings
internal import Presentation
internal import Session
internal import Terminal

/// The read-eval-print loop over an engine: prompts, completion, the questions at the end.
final class InteractiveRun {
  private let session: EngineSession
  private var surroundings: Surroundings { session.surroundings }

  init(_ session: EngineSession) { self.session = session }

  /// Runs until the session ends, and returns the exit status. `status` is that of the scripts before it.
  func run(after status: Int32, runsInit: Bool) -> Int32 {
    guard surroundings.isInteractive else { return loop(PipedEditor()) }
    session.isAtPrompt = true
    session.engine.reads.slowLimit = SlowReadReport.usualLimit
    session.session.parts.runs.slowReads.announceLargeResults()
    try? session.engine.lua.setTimeLimit(seconds: nil)
    if runsInit { runInitFile() }
    tellBanner()
    session.session.parts.console.tellNotes()
    return loop(newEditor())
  }

  /// Runs in the middle of a script, until the user ends it with Ctrl-D or `.quit`.
  func run(inside place: String, locals: [String]) {
    session.session.parts.runs.typing {
      let names = locals.isEmpty ? [] : ["locals " + locals.joined(separator: ", ")]
      let parts = (place.isEmpty ? ["repl"] : ["repl at \(place)"]) + names + ["Ctrl-D goes on"]
      surroundings.say(
        surroundings.messageStyle(.note, parts.joined(separator: " \(surroundings.charset.dot) ")) + "\n")
      _ = loop(session.editor ?? newEditor(), isInner: true)
    }
  }

  private func newEditor() -> ReadlineEditor {
    ReadlineEditor(
      history: openHistory(), sources: sources, environment: surroundings.environment,
      style: surroundings.outputStyle, isPlain: session.usesPlainEditor,
      isAtLineStart: { [surroundings] in surroundings.isAtLineStart })
  }

  /// The history for the open store; one that only this session has where the file cannot be opened.
  private func openHistory() -> History {
    guard let folder = HistoryStore.standardFolder(surroundings.environment) else { return History() }
    do {
      let store = try HistoryStore(folder: folder)
      store.onFailure = { [unowned self] in warnOfHistory($0) }
      return History(keeper: store.keeper { [session] in session.session.parts.title.historyPlace })
    } catch {
      warnOfHistory(error)
      return History()
    }
  }

  private func warnOfHistory(_ error: any Error) {
    surroundings.warn("the history is kept for this session only: " + session.engine.report(error).message)
  }

  /// The loop sources that are served while a line is typed.
  private var sources: EventSources {
    let session = session
    return EventSources(
      descriptors: { session.engine.loop.descriptors }, secondsToNextTimer: { session.engine.loop.secondsToNextTimer },
      runTurn: { session.session.parts.runs.runLoopTurn($0) })
  }

  /// Runs lines as if they were typed, to the first error.
  func run(lines: String) -> Int32 { loop(PipedEditor(text: lines)) }

  private func loop(_ editor: ReadlineEditor, isInner: Bool = false) -> Int32 {
    let (outer, willPrint) = (session.editor, surroundings.willPrint)
    session.editor = editor
    surroundings.willPrint = { editor.hidePrompt() }
    defer { (session.editor, surroundings.willPrint) = (outer, willPrint) }
    return loop(editor as any LineEditor, isInner: isInner)
  }

  private func loop(_ editor: any LineEditor, isInner: Bool = false) -> Int32 {
    let registry = session.session.registry
    let context = session.commandContext
    var loopSession = loopSession(editor)
    // The script continues, and so do its changes.
    if isInner { loopSession.unsavedChangeCount = { 0 } }
    let loop = ReadEvalPrintLoop(editor: editor, session: loopSession, registry: registry, context: context)
    let status = loop.run()
    return editor.isInteractive ? 0 : status
  }

  private func loopSession(_ editor: any LineEditor) -> ReadEvalPrintLoop.Actions {
    let (client, session) = (session, session.session!)
    let (parts, evaluator) = (session.parts, session.parts.evaluator)
    func evaluateInput(_ text: String) -> Int32 {
      session.evaluateInput { evaluator.evaluate(text, chunk: $0) }
    }
    return ReadEvalPrintLoop.Actions(
      prompt: { client.prompt },
      continuationPrompt: { client.continuationPrompt(line: $0) },
      completeness: { evaluator.completeness(of: $0) },
      completions: { session.complete($0, at: $1) },
      marks: { [engine = session.engine] in
        let colours = LuaColours(engine)
        return { colours.marks(of: $0, at: $1) }
      },
      arguments: { [engine = session.engine] in ArgumentHint(engine).text(behind: $0) },
      evaluate: { source, line in
        if editor.isInteractive, let pipeline = client.pipeline(source) {
          return client.piping(into: pipeline.command) { evaluateInput(pipeline.code) }
        }
        return client.redirecting {
          editor.isInteractive
            ? evaluateInput(source) : evaluator.evaluate(source, chunk: "=stdin", firstLine: line)
        }
      },
      evaluateSwift: { block, line in
        client.redirecting {
          editor.isInteractive
            ? session.evaluateInput { evaluator.evaluate(block, chunk: $0) }
            : evaluator.evaluate(block, chunk: "=stdin", firstLine: line)
        }
      },
      inputs: { session.inputs(of: $0) },
      perform: { line, body in
        client.commandHistory = editor.history
        defer { client.commandHistory = nil }
        guard editor.isInteractive, let pipeline = client.pipeline(command: line) else {
          return client.redirecting { session.approving { body(line) } }
        }
        return client.piping(into: pipeline.command) { session.approving { body(pipeline.code) } }
      },
      help: { name in client.paging { parts.help.show(name) } },
      unsavedChangeCount: { session.engine.stores.unsavedChangeCount },
      save: { session.guarding { try session.engine.save() } == 0 },
      report: { parts.console.report($0) },
      hasExited: { session.requestedExit != nil },
      stay: { session.requestedExit = nil },
      takeAnsweredRows: {
        defer { parts.console.answeredRows = nil }
        return parts.console.answeredRows
      },
      remark: { client.surroundings.say($0) })
  }

  /// `${XDG_CONFIG_HOME:-~/.config}/perilune/init.lua`, if there is one.
  private func runInitFile() {
    let environment = surroundings.environment
    let folder =
      environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      ?? environment["HOME"].map { $0 + "/.config" }
    guard let path = folder.map({ $0 + "/perilune/init.lua" }), isReadable(path) else { return }
    _ = session.runScript(path, [])
  }

  private func tellBanner() {
    guard !session.options.isQuiet else { return }
    var parts = ["perilune \(PeriluneVersion.text)"]
    if let store = session.session.parts.title.summary { parts.append(store) }
    parts.append(".help for help")
    surroundings.say(surroundings.messageStyle(.note, banner(parts)) + "\n")
  }

  /// The parts of the banner, each on one line where the window has room for it.
  private func banner(_ parts: [String]) -> String {
    let dot = " \(surroundings.charset.dot) "
    let width = surroundings.window?.columns ?? .max
    var lines: [String] = []
    for part in parts {
      if let last = lines.last, (last + dot + part).terminalWidth <= width {
        lines[lines.count - 1] = last + dot + part
      } else {
        lines.append(lines.isEmpty ? part : "  " + part)
      }
    }
    return surroundings.wrapped(lines.joined(separator: "\n"))
  }
}
