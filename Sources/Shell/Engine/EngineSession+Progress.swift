internal import LuaBindings
internal import Terminal

extension EngineSession {
  /// Draws a line while a long import runs.
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
        // How many rows there are is not known, how many bytes is.
        current = Progress(
          progress.label, total: progress.totalBytes, unit: "bytes", options: .standardError(environment))
        line = (progress.label, current)
      }
      current.update(progress.bytes)
    }
  }
}
