internal import LuaBindings
internal import LuaRuntime
internal import Terminal

// Ctrl-C, Ctrl-Z, another size of the window, and the signals that end the program.
extension PredicateScreen {
  func attendToSignals() throws {
    let lua = inquiry.engine.lua
    if TerminalSignals.take(.interrupt) { interrupt() }
    switch lua.interruption {
    case .interrupted:
      lua.clearInterrupt()
      interrupt()
    case .timedOut, .exited:
      // A script whose time limit has passed may have opened the screen.
      try lua.checkInterrupt()
    case nil: break
    }
    if TerminalSignals.take(.resize) {
      wasResized = true
      measure()
    }
    if TerminalSignals.take(.suspend) {
      terminal.leave()
      TerminalSignals.perform(.suspend)
      // The program continues here after `fg`.
      TerminalSignals.install([.suspend])
      _ = terminal.enter()
      measure()
    }
    for kind in [TerminalSignals.Kind.terminate, .hangup] where TerminalSignals.take(kind) {
      ending = .terminated(kind)
    }
  }

  /// Ctrl-C.
  private func interrupt() {
    keys.reset()
    if menu != nil {
      menu = nil
    } else if isCounting {
      // Between two questions no query runs, and what is shown says that one does.
      questions = []
      remark = ("stopped", .warning)
    } else if !editor.isEmpty {
      editor.replaceAll(with: "")
      isInPane = false
      textChanged()
    } else {
      ending = .abandoned
    }
  }

  /// Takes notice of how large the window is now.
  func measure() {
    let new = TerminalSize.current(1) ?? size
    terminal.forgetScreen()
    guard new != size || answer == nil else { return }
    size = new
    guard answer != nil, questions.isEmpty || !questions.contains(.meaning) else { return }
    questions.formUnion(pane.asks ? [.rows, .pane] : .rows)
  }
}
