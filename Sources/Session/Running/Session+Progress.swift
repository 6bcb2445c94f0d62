internal import LuaBindings

extension Session {
  /// Returns a function that reports how far a long import or summary is.
  func progressReports() -> (TransferProgress) -> Void {
    var current: ProgressReport?
    return { [unowned self] progress in
      if progress.isFinished {
        current?.finish()
        current = nil
        return
      }
      if current?.label != progress.label {
        // An import does not know how many rows there are, but how many bytes.
        current = ProgressReport(
          progress.label, total: progress.totalRows ?? progress.totalBytes,
          unit: progress.totalRows == nil ? "bytes" : "rows", client)
      }
      current?.update(progress.totalRows == nil ? progress.bytes : progress.rows)
    }
  }

  /// Runs a turn; what of it asks whether it shall stop is reported, and how far it is where that is known.
  func showingWait<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard isAtPrompt else { return try body() }
    let waiting = ProgressReport(nil, total: nil, unit: "", client)
    let outer = engine.host.onWait
    var writing: ProgressReport?
    engine.host.onWait = { [engine, client] in
      guard let work = engine.stores.workInProgress, work.expected > 0 else {
        writing?.finish()
        writing = nil
        return waiting.update(0)
      }
      if writing?.total != work.expected {
        writing?.finish()
        writing = ProgressReport("writing, Ctrl-C stops", total: work.expected, unit: "rows", client)
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
