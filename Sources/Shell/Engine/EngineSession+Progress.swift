internal import LuaBindings
internal import Terminal

extension EngineSession {
  /// Draws a line while a long import or summary runs, and at the prompt while anything does.
  func showProgress() {
    var line: (label: String, progress: Progress)?
    engine.onProgress = { [surroundings] progress in
      if progress.isFinished {
        line?.progress.finish()
        line = nil
        return
      }
      let current: Progress
      if let line, line.label == progress.label {
        current = line.progress
      } else {
        // An import does not know how many rows there are, but how many bytes.
        current = Progress(
          progress.label, total: progress.totalRows ?? progress.totalBytes,
          unit: progress.totalRows == nil ? "bytes" : "rows", options: surroundings.progressOptions)
        line = (progress.label, current)
      }
      current.update(progress.totalRows == nil ? progress.bytes : progress.rows)
    }
  }

  /// Runs a turn. Work that takes longer than a second, and checks for interruption, gets a line that says so, with its
  /// progress if that is known.
  func showingWait<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard isAtPrompt else { return try body() }
    let line = Progress(waiting: "working, Ctrl-C stops", options: surroundings.progressOptions)
    let outer = engine.onWait
    var bar: (expected: Int, progress: Progress)?
    engine.onWait = { [engine, surroundings] in
      guard let work = engine.workInProgress, work.expected > 0 else {
        bar?.progress.finish()
        bar = nil
        return line.update(0)
      }
      if bar?.expected != work.expected {
        bar?.progress.finish()
        bar = (
          work.expected,
          Progress("writing, Ctrl-C stops", total: work.expected, unit: "rows", options: surroundings.progressOptions)
        )
      }
      bar?.progress.update(work.rows)
    }
    defer {
      engine.onWait = outer
      bar?.progress.finish()
      line.finish()
    }
    return try body()
  }
}
