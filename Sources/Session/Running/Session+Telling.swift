internal import LuaBindings
internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
package import Presentation

extension Session {
  /// Prints the engine's notes since the last call: entities without a global, how a file was read.
  package func tellNotes() {
    let notes = engine.notes.dropFirst(toldNotes)
    toldNotes = engine.notes.count
    // A scheduled run may read less than its author expects; the notes in its log say why.
    guard !options.isQuiet else { return }
    for note in notes {
      tell(Remark(.note, note, heading: "note: "))
    }
  }

  /// Says at the prompt what the saves of this input have written: `saved: 1 inserted, 2 updated`.
  func tellSaves() {
    let counts = engine.savedCounts
    guard isAtPrompt, !options.isQuiet, dryRun == nil, !counts.isEmpty else { return }
    tell("saved: \(counts.text)")
  }

  /// Reports an undo, a redo or a rollback at the prompt: `undone: 3 updated, 1 inserted`.
  func tellTakenBack() {
    guard isAtPrompt, !options.isQuiet else { return }
    for work in engine.takenBack { tell("\(work.way.rawValue): \(work.counts.text)") }
    engine.takenBack = []
  }

  /// Reports unsaved deletions at the prompt: `deleted, not saved yet: 1 Quake, 37 Report`.
  func tellDeletions(since before: [Entity: Int]) {
    guard isAtPrompt, !options.isQuiet else { return }
    let new = unsavedDeletions.compactMap { entity, count -> (String, Int)? in
      let more = count - (before[entity] ?? 0)
      return more > 0 ? (entity.name, more) : nil
    }
    if !new.isEmpty { tell("deleted, not saved yet: \(Self.listed(new))") }
  }

  /// How many objects of each entity are deleted and not saved.
  var unsavedDeletions: [Entity: Int] {
    guard isAtPrompt, let context = engine.mainContext, context.hasChanges else { return [:] }
    return context.unsavedCounts.mapValues(\.deleted).filter { $0.value > 0 }
  }

  /// `335 Quake, 601 Report`, the most first.
  static func listed(_ counts: [(name: String, count: Int)]) -> String {
    counts.sorted { ($1.count, $0.name) < ($0.count, $1.name) }
      .map { "\(Quantity.grouped($0.count)) \($0.name)" }.joined(separator: ", ")
  }

  private func tell(_ text: String) { tell(Remark(.outcome, text)) }

  package func tell(_ remark: Remark) { try? client.receive(.remark(remark)) }

  package func report(_ diagnostic: Diagnostic) { try? client.receive(.diagnostic(diagnostic)) }

  /// Tells a warning, which fails nothing.
  package func warn(_ message: String) {
    var diagnostic = Diagnostic(message)
    diagnostic.severity = .warning
    report(diagnostic)
  }

  /// Tells a mistake that has no place in a text.
  func refuse(_ message: String) { report(Diagnostic(message)) }

  /// Reports an error, and returns the status with which it ends a run.
  ///
  /// Where the calls are that led to it, people want to see of callbacks and of libraries; `--trace` shows it of all.
  package func finish(_ error: any Error, after seconds: Double, isInCallback: Bool = true) -> Int32 {
    if client.isGone { return ExitStatus.brokenPipe }
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
    if engine.lua.isCrowded, engine.lua.interruption == nil {
      report = engine.report(LuaError(engine.lua.memoryMessage, kind: .memory))
    }
    if report.kind == "interrupted" || engine.lua.interruption != nil { return stopped(error, after: seconds) }
    if report.isUnreadable, let value = (error as? LuaError)?.value { report.message = describeErrorValue(value) }
    var diagnostics = Diagnostic.diagnostics(for: report, sources, LuaHints(engine: engine, sources: sources))
    lastTraceback = diagnostics.last?.traceback ?? []
    if isAtPrompt || !(options.showsTraces || isInCallback || isInLibrary(report)) {
      diagnostics[diagnostics.count - 1].traceback = []
    }
    for diagnostic in diagnostics { self.report(isAtPrompt ? diagnostic.atPrompt(currentInput) : diagnostic) }
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
    return NodePrinter(charset: layout.charset, width: 200).text(node)
  }

  /// Reports the code that Ctrl-C or the time limit stopped.
  private func stopped(_ error: any Error, after seconds: Double) -> Int32 {
    let isTimeOut = engine.lua.interruption == .timedOut
    engine.lua.clearInterrupt()
    let innermost = engine.turns.takeStoppedCallback() ?? error
    var place = innermost is LuaError ? Diagnostic.innermostCall(engine.report(innermost)) : "a statement of the store"
    if isAtPrompt { place = place?.replacing("\(currentInput):", with: "line ") }
    let what = place.map { " in \($0)" } ?? ""
    let reason = isTimeOut ? "the time limit stopped it" : "stopped"
    tell(Remark(.stopped, "\(reason) after \(Quantity.duration(seconds))\(what)"))
    return isTimeOut ? ExitStatus.timeLimit : ExitStatus.interrupted
  }

  /// What went wrong, in words with their places, without reporting it.
  package func diagnostics(for error: any Error) -> [Diagnostic] {
    Diagnostic.diagnostics(for: engine.report(error), sources, LuaHints(engine: engine, sources: sources))
  }

  /// Warns of unsaved changes, which fail a run that `requiresClean`, and returns the exit status.
  package func finish(_ status: Int32, requiresClean: Bool = false) -> Int32 {
    if status == 0, let dryRun { printText(dryRun.text(isOver: true)) }
    for name in parameters?.unreadNames(of: engine) ?? [] {
      warn("nothing has read the parameter '\(name)' (--param)")
    }
    let count = engine.stores.unsavedChangeCount
    let end = requestedExit ?? status
    guard count > 0, !client.isGone else {
      client.flush()
      return end
    }
    let message = "\(count == 1 ? "1 change was" : "\(Quantity.grouped(count)) changes were") not saved"
    if requiresClean, end == 0 {
      isAtPrompt = false
      refuse(message)
      return ExitStatus.failed
    }
    warn(message)
    client.flush()
    return end
  }
}

extension WorkCounts {
  /// `1 inserted, 2 updated`
  fileprivate var text: String {
    [(inserted, "inserted"), (updated, "updated"), (deleted, "deleted")].filter { $0.0 > 0 }
      .map { "\(Quantity.grouped($0.0)) \($0.1)" }.joined(separator: ", ")
  }
}
