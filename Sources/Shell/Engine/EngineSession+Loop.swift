internal import LuaBindings
internal import LuaRuntime

// Turns of the event loop: timers and changes that arrive while a line is typed or a script waits in `runLoop`.
extension EngineSession {
  /// Reports errors of callbacks as they happen, and shows printed output while the loop waits.
  func attendToLoop() {
    engine.onCallbackErrors = { [unowned self] errors in
      for status in errors.map({ finish($0, after: 0) }) where callbackStatus == 0 { callbackStatus = status }
    }
    engine.willWait = { [surroundings] in surroundings.flushOutput() }
  }

  /// Runs due callbacks while a line is typed; Ctrl-C stops them.
  func runLoopTurn(_ ready: [Int32]) {
    _ = guarding {
      engine.runLoopTurn(ready: ready)
      try engine.lua.checkInterrupt()
    }
    surroundings.flushOutput()
  }
}
