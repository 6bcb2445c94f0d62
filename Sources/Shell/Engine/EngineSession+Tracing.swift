internal import LuaBindings
internal import Modeling
internal import Storage
internal import Terminal

extension EngineSession {
  /// With `.sql on`, prints each statement of the store for the lifetime of the returned trace.
  func traceStatements() -> StatementTrace? {
    guard settings.showsSQL, let store = engine.store else { return nil }
    let surroundings = surroundings
    return StatementTrace(store) { sql, seconds in
      // Statements of the engine's own bookkeeping are of no interest to users.
      if sql.hasPrefix("PRAGMA data_version") || sql.hasPrefix("PRAGMA schema_version") || sql.contains("_perilune") {
        return
      }
      let text = DisplayText.picturingControls(in: sql, surroundings.charset, keepingLines: true)
      let time = " \(surroundings.charset.dot) " + Quantity.duration(seconds)
      surroundings.say("  " + surroundings.messageStyle(.note, text + time) + "\n")
    }
  }
}
