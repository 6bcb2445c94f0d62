internal import LuaBindings
internal import Modeling
internal import Presentation
internal import Stores

extension Session {
  /// With `.sql on`, prints each statement of the store for the lifetime of the returned trace.
  func traceStatements() -> StatementTrace? {
    guard settings.showsSQL, let store = engine.store else { return nil }
    return store.trace { [unowned self] sql, seconds in
      if StatementTrace.isBookkeeping(sql) { return }
      tell(Remark(.statement, "\(sql) \(layout.charset.dot) \(Quantity.duration(seconds))"))
    }
  }
}
