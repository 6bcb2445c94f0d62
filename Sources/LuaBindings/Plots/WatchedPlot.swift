public import LuaRuntime
public import Plots
public import Reactive

/// A plot that a program shows on a screen of its own, and that follows the store.
public struct WatchedPlot {
  private let live: LivePlot
  private let isOwn: Bool

  init(_ live: LivePlot, isOwn: Bool) {
    self.live = live
    self.isOwn = isOwn
  }

  /// The plot as it is now.
  ///
  /// - Throws: PredicateError, StoreError.
  public func plot() throws -> Plot { try live.plot() }

  /// Whether it no longer follows the store, which may have been closed.
  public var isClosed: Bool { live.isClosed }

  /// Has `body` called after each change.
  public func onChange(_ body: @escaping () -> Void) -> ObservationToken { live.onChange(body) }

  /// Closes a plot that was made live to be watched; one that a script made live stays open.
  public func close() {
    if isOwn { live.close() }
  }
}

extension Engine {
  /// The plot that the value at `index` is, following the store; nil for anything else.
  ///
  /// - Throws: ScriptError for a plot of a list; PredicateError, StoreError.
  public func watchedPlot(at index: Int32, on stack: LuaStack) throws -> WatchedPlot? {
    guard let plot = plots.object(at: index, on: stack) else { return nil }
    if let live = plot.live { return WatchedPlot(live, isOwn: false) }
    return WatchedPlot(try plot.followed("watch"), isOwn: true)
  }
}
