internal import LuaBindings
internal import LuaRuntime
internal import Modeling
internal import Page
internal import Presentation
internal import Session
internal import Terminal

/// The client of a session at a terminal and in batch runs: it writes values, errors and remarks to standard output and standard
/// error, asks questions, and shows full screens.
final class EngineSession: SessionClient {
  let options: RunOptions
  let surroundings: Surroundings
  /// Set once, when this is made.
  private(set) var session: Session!
  /// Lua's `os.exit`.
  private(set) var osExit: LuaReference!
  /// What the terminal said about pictures; nil before it was asked.
  var graphics: TerminalGraphics?
  /// How plots are drawn at the prompt.
  var plotForm = PlotForm.auto
  /// Whether the prompt is readline's own, without colours and a line at a time.
  var usesPlainEditor = false
  /// What lines are typed into at the prompt.
  var editor: ReadlineEditor?
  /// The blocks that were entered before, while a command runs that was entered.
  var commandHistory: History?
  /// What shows text that is longer than the window, where `.pager` has chosen.
  var chosenPager: Pager?
  /// Where what is shown goes instead of standard output.
  var outputTarget: OutputTarget? { didSet { outputChangeCount += 1 } }
  /// How often it was chosen.
  private(set) var outputChangeCount = 0
  /// What shows the store of the prompt in browsers.
  var pageServer: PageServer?
  /// The lines of what runs.
  private var progressLines: [ObjectIdentifier: Progress] = [:]

  init(_ options: RunOptions, _ surroundings: Surroundings, store: StoreAccess = StoreAccess()) throws {
    self.options = options
    self.surroundings = surroundings
    session = try Session(options.session(store, surroundings), self, screens: screens) { [unowned self] in
      SessionCommands.list($0, client: commands)
    }
    ServeFunction.install(in: session) { [unowned self] in try serveApplication($0, port: $1) }
    osExit = ReplFunction.exitFunction(engine.lua.stack)
    LastResort.prepare()
    engine.lua.setLastResort { LastResort.end($0) }
  }

  // MARK: The session

  var engine: Engine { session.engine }
  var settings: ShellSettings { session.settings }
  var isAtPrompt: Bool {
    get { session.isAtPrompt }
    set { session.isAtPrompt = newValue }
  }

  /// The commands that need a terminal.
  private var commands: [Command] {
    [
      outputCommand, onceCommand, teeCommand, pagerCommand, plotsCommand, predicateCommand,
      serveCommand,
      .history { [unowned self] in commandHistory ?? History() },
    ]
  }

  func guarding(_ body: () throws -> Void) -> Int32 { session.guarding(body) }

  func presenter() -> ValuePresenter {
    var presenter = session.parts.console.presenter()
    presenter.picture = { [unowned self] in picture(of: $0) }
    return presenter
  }

  /// Runs the body of a command; an error in it is reported before the command fails.
  func perform(_ body: () throws -> Void) throws(CommandFailure) { try session.parts.tools.perform(body) }

  func printText(_ text: String) { session.parts.console.printText(text) }

  /// The surroundings of commands.
  var commandContext: ShellContext {
    var context = session.context()
    context.paging = { [unowned self] in paging($0) }
    return context
  }

  // MARK: The client

  var layout: Layout { surroundings.layout }
  var output: OutputSink { surroundings.output }
  var answersQuestions: Bool { surroundings.isInteractive }
  var isGone: Bool { BrokenPipe.hasHappened }

  func flush() { surroundings.flushOutput() }

  func receive(_ event: SessionEvent) throws {
    switch event {
    case .value(let answer): try answer.write(to: surroundings.output) { [unowned self] in picture(of: $0) }
    case .diagnostic(let diagnostic): show(diagnostic)
    case .remark(let remark): surroundings.show(remark, isAtPrompt: session?.isAtPrompt == true)
    case .progress(let report): show(report)
    // Scripts print to C's streams, and `watch` observes.
    case .printed, .change: break
    }
  }

  private func show(_ diagnostic: Diagnostic) {
    if diagnostic.severity == .warning { return surroundings.warn(diagnostic) }
    let text = surroundings.diagnosticText
    if session.isAtPrompt {
      return surroundings.say((surroundings.isAtLineStart ? "" : "\n") + text.terminal(diagnostic))
    }
    var diagnostic = diagnostic
    diagnostic.file = diagnostic.file ?? "perilune"
    surroundings.say(text.batch(diagnostic))
  }

  private func show(_ report: ProgressReport) {
    let key = ObjectIdentifier(report)
    if report.isFinished {
      progressLines.removeValue(forKey: key)?.finish()
      return
    }
    let line = progressLines[key] ?? Progress(report, surroundings.progressOptions)
    progressLines[key] = line
    line.update(report.done)
  }

  /// Asks, and reads the line that is typed in answer; no after Ctrl-C or at the end of the input.
  func confirms(_ question: String) -> Bool {
    surroundings.say(surroundings.wrapped(surroundings.messageStyle(.warning, question) + "; go on? [y/N] "))
    let answer = surroundings.answer { [engine] in engine.lua.isInterrupted }
    return ["y", "yes"].contains(answer.lowercased())
  }
}

extension Progress {
  fileprivate convenience init(_ report: ProgressReport, _ options: Options) {
    if let label = report.label {
      self.init(label, total: report.total, unit: report.unit, options: options)
      findTotal = { [weak report] in report.flatMap { $0.findTotal?() ?? $0.total } }
    } else {
      self.init(waiting: "working, Ctrl-C stops", options: options)
    }
  }
}
