internal import LuaBindings
internal import Modeling
internal import Presentation
internal import Stores

extension EngineSession {
  /// With `.sql on`, prints each statement of the store for the lifetime of the returned trace.
  func traceStatements() -> StatementTrace? {
    guard settings.showsSQL, let store = engine.store else { return nil }
    let surroundings = surroundings
    return store.trace { sql, seconds in
      if StatementTrace.isBookkeeping(sql) { return }
      let text = DisplayText.picturingControls(in: sql, surroundings.charset, keepingLines: true)
      let time = " \(surroundings.charset.dot) " + Quantity.duration(seconds)
      surroundings.say("  " + surroundings.messageStyle(.note, text + time) + "\n")
    }
  }
}
