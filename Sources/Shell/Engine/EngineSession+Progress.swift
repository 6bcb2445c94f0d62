internal import LuaBindings
internal import Terminal

extension EngineSession {
  /// Draws a line while a long import or summary runs.
  func showProgress() {
    var line: (label: String, progress: Progress)?
    let environment = surroundings.environment
    engine.onProgress = { progress in
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
          unit: progress.totalRows == nil ? "bytes" : "rows", options: .standardError(environment))
        line = (progress.label, current)
      }
      current.update(progress.totalRows == nil ? progress.bytes : progress.rows)
    }
  }
}
