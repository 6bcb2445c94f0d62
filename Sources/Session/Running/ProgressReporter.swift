internal import LuaBindings

/// Reports how far the engine is where a line takes long.
final class ProgressReporter {
  private let console: Console
  private var engine: Engine { console.engine }
  /// The import or summary that runs.
  private var current: ProgressReport?

  init(_ console: Console) {
    self.console = console
    engine.host.onProgress = { [unowned self, unowned console] progress in
      if progress.isFinished {
        current?.finish()
        current = nil
        return
      }
      if current?.label != progress.label {
        // An import does not know how many rows there are, but how many bytes.
        current = console.beginProgress(
          progress.label, total: progress.totalRows ?? progress.totalBytes,
          unit: progress.totalRows == nil ? "bytes" : "rows")
      }
      current?.update(progress.totalRows == nil ? progress.bytes : progress.rows)
    }
  }

  /// Runs a turn; what of it asks whether it shall stop is reported, and how far it is where that is known.
  func showingWait<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard console.isAtPrompt else { return try body() }
    let waiting = console.beginProgress(nil, total: nil, unit: "")
    let outer = engine.host.onWait
    var writing: ProgressReport?
    engine.host.onWait = { [engine, console] in
      guard let work = engine.stores.workInProgress, work.expected > 0 else {
        writing?.finish()
        writing = nil
        return waiting.update(0)
      }
      if writing?.total != work.expected {
        writing?.finish()
        writing = console.beginProgress("writing, Ctrl-C stops", total: work.expected, unit: "rows")
      }
      writing?.update(work.rows)
    }
    defer {
      engine.host.onWait = outer
      writing?.finish()
      waiting.finish()
    }
    return try body()
  }
}
