internal import LuaBindings
internal import LuaRuntime

// The turns of the loop: timers and changes that come while a line is typed, or while a script waits in `runLoop`.
extension EngineSession {
  /// Tells of what goes wrong in callbacks as soon as it does, and shows what was printed while the loop waits.
  func attendToLoop() {
    engine.onCallbackErrors = { [unowned self] errors in
      for status in errors.map({ finish($0, after: 0) }) where callbackStatus == 0 { callbackStatus = status }
    }
    engine.willWait = { [surroundings] in surroundings.flushOutput() }
  }

  /// Runs what is due while a line is typed; Ctrl-C stops it.
  func runLoopTurn(_ ready: [Int32]) {
    _ = guarding {
      engine.runLoopTurn(ready: ready)
      try engine.lua.checkInterrupt()
    }
    surroundings.flushOutput()
  }
}
