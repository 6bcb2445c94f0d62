internal import LuaBindings
internal import LuaRuntime
internal import Terminal

// Ctrl-C, Ctrl-Z, another size of the window, and the signals that end the program.
extension WatchScreen {
  func attendToSignals() throws {
    let wasPressed = TerminalSignals.take(.interrupt)
    switch engine.lua.interruption {
    case .interrupted:
      engine.lua.clearInterrupt()
      interrupt()
    case .timedOut, .exited: try engine.lua.checkInterrupt()
    case nil: if wasPressed { interrupt() }
    }
    if TerminalSignals.take(.resize) {
      wasResized = true
      measure()
    }
    if TerminalSignals.take(.suspend) {
      terminal.leave()
      TerminalSignals.perform(.suspend)
      // Here the program goes on after `fg`.
      TerminalSignals.install([.suspend])
      measure()
    }
    for kind in [TerminalSignals.Kind.terminate, .hangup] where TerminalSignals.take(kind) { terminated = kind }
  }

  /// Ctrl-C: stops a callback that runs, and leaves otherwise.
  private func interrupt() {
    keys.reset()
    guard let stopped = engine.takeStoppedCallback() else {
      isEnding = true
      return
    }
    let place = Diagnostic.innermostCall(engine.report(stopped)).map { " in \($0)" } ?? ""
    remark = ("stopped\(place)", .warning)
  }

  /// Takes notice of how large the window is now.
  func measure() {
    size = TerminalSize.current(1) ?? size
    terminal.forgetScreen()
  }
}
