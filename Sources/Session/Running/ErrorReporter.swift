internal import LuaBindings
internal import LuaRuntime
internal import Modeling
package import Presentation

/// Reports what went wrong, with its place in the texts that ran.
package final class ErrorReporter {
  private let engine: Engine
  private let console: Console
  /// Whether every error is followed by the calls that led to it.
  private let showsTraces: Bool
  package var sources = SourceTexts()
  /// The name of the last typed line in messages.
  var currentInput = ""
  /// The traceback of the last error at the prompt.
  private(set) var lastTraceback: [String]?
  /// The status that a script gave to `os.exit`.
  package var requestedExit: Int32?

  init(_ console: Console, showsTraces: Bool) {
    (engine, self.console, self.showsTraces) = (console.engine, console, showsTraces)
  }

  /// The names that are known, as hints to unknown ones.
  var hints: LuaHints { LuaHints(engine: engine, sources: sources) }

  /// What went wrong, in words with their places, without reporting it.
  package func diagnostics(for error: any Error) -> [Diagnostic] { diagnostics(for: engine.report(error)) }

  private func diagnostics(for report: ErrorReport) -> [Diagnostic] {
    Diagnostic.diagnostics(for: report, sources, hints)
  }

  /// Reports an error, and returns the status with which it ends a run.
  ///
  /// Where the calls are that led to it, people want to see of callbacks and of libraries; `--trace` shows it of all.
  func finish(_ error: any Error, after seconds: Double, isInCallback: Bool = true) -> Int32 {
    if console.client.isGone { return ExitStatus.brokenPipe }
    if let error = error as? LuaError {
      switch error.kind {
      case .exit(let status):
        requestedExit = status
        return status
      case .interrupted, .timedOut: return reportStop(error, after: seconds)
      default: break
      }
    }
    var report = engine.report(error)
    if engine.lua.isCrowded, engine.lua.interruption == nil {
      report = engine.report(LuaError(engine.lua.memoryMessage, kind: .memory))
    }
    if report.kind == "interrupted" || engine.lua.interruption != nil { return reportStop(error, after: seconds) }
    if report.isUnreadable, let value = (error as? LuaError)?.value { report.message = describeErrorValue(value) }
    var diagnostics = diagnostics(for: report)
    lastTraceback = diagnostics.last?.traceback ?? []
    if console.isAtPrompt || !(showsTraces || isInCallback || isInLibrary(report)) {
      diagnostics[diagnostics.count - 1].traceback = []
    }
    for diagnostic in diagnostics {
      console.report(console.isAtPrompt ? diagnostic.atPrompt(currentInput) : diagnostic)
    }
    return report.exitStatus
  }

  /// Whether the innermost function that failed is in a file that a script has loaded.
  private func isInLibrary(_ report: ErrorReport) -> Bool {
    guard let line = report.tracebackLines.first(where: { !$0.hasPrefix("[C]") }),
      let colon = line.firstIndex(of: ":")
    else { return false }
    return !sources.hasRun(sources.resolve(String(line[..<colon])))
  }

  /// The text of an error value that is no string, as Lua's `tostring` gives it.
  private func describeErrorValue(_ value: LuaReference) -> String {
    let stack = engine.lua.stack
    stack.push(value)
    defer { stack.pop() }
    var builder = NodeBuilder(stack)
    guard let node = try? builder.node(at: -1) else { return "an error without a message" }
    return NodePrinter(charset: console.layout.charset, width: 200).text(node)
  }

  /// Reports the code that Ctrl-C or the time limit stopped.
  private func reportStop(_ error: any Error, after seconds: Double) -> Int32 {
    let isTimeOut = engine.lua.interruption == .timedOut
    engine.lua.clearInterrupt()
    let innermost = engine.turns.takeStoppedCallback() ?? error
    let outside = engine.dataFile(of: innermost).map { "the rows of \($0)" } ?? "a statement of the store"
    var place = innermost is LuaError ? Diagnostic.innermostCall(engine.report(innermost)) : outside
    if console.isAtPrompt { place = place?.replacing("\(currentInput):", with: "line ") }
    let what = place.map { " in \($0)" } ?? ""
    let reason = isTimeOut ? "the time limit stopped it" : "stopped"
    console.tell(Remark(.stopped, "\(reason) after \(Quantity.duration(seconds))\(what)"))
    return isTimeOut ? ExitStatus.timeLimit : ExitStatus.interrupted
  }
}
