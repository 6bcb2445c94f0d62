package import Comparison
package import LuaBindings
package import LuaRuntime
package import ObjectGraph
package import Queries

/// The full screens of a client that has a terminal, and its prompt.
package struct Screens {
  /// Whether a full screen can be shown now.
  package var canBeShown: () -> Bool
  /// Shows live rows until the person leaves them; the function of a script decides which rows a text is searched for.
  package var watchRows: (WatchedQuery, LiveRows, _ search: LuaReference?) throws -> Void
  package var watchPlot: (WatchedPlot) throws -> Void
  package var browse: (FetchRequest, ObjectContext) throws -> Void
  /// Shows the differences of two stores, which are in `_` afterwards.
  package var browseDifferences: (StoreComparison) throws -> Void
  /// The body of `repl`.
  package var repl: (LuaStack) throws -> Int32

  /// The screens, if one can be shown now.
  var shown: Screens? { canBeShown() ? self : nil }

  package init(
    canBeShown: @escaping () -> Bool, watchRows: @escaping (WatchedQuery, LiveRows, LuaReference?) throws -> Void,
    watchPlot: @escaping (WatchedPlot) throws -> Void, browse: @escaping (FetchRequest, ObjectContext) throws -> Void,
    browseDifferences: @escaping (StoreComparison) throws -> Void, repl: @escaping (LuaStack) throws -> Int32
  ) {
    (self.canBeShown, self.watchRows, self.watchPlot) = (canBeShown, watchRows, watchPlot)
    (self.browse, self.browseDifferences, self.repl) = (browse, browseDifferences, repl)
  }
}
