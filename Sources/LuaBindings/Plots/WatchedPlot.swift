public import LuaRuntime
public import Plots
public import Reactive

/// A live plot on a program's own screen.
public struct WatchedPlot {
  private let live: LivePlot
  private let isOwn: Bool

  init(_ live: LivePlot, isOwn: Bool) {
    self.live = live
    self.isOwn = isOwn
  }

  /// The plot in its current state.
  ///
  /// - Throws: PredicateError, StoreError.
  public func plot() throws -> Plot { try live.plot() }

  /// Whether it no longer follows the store, which may be closed.
  public var isClosed: Bool { live.isClosed }

  /// Calls `body` after each change.
  public func onChange(_ body: @escaping () -> Void) -> ObservationToken { live.onChange(body) }

  /// Closes a plot that was created for the screen; a plot of a script stays open.
  public func close() {
    if isOwn { live.close() }
  }
}

extension WatchedPlot {
  /// A live plot of the plot at `index`; nil for other values.
  ///
  /// - Throws: ScriptError for a plot of a list; PredicateError, StoreError.
  public init?(at index: Int32, on stack: LuaStack, in engine: Engine) throws {
    guard let plot = engine.classes.object(BoundPlot.self, at: index, on: stack) else { return nil }
    if let live = plot.live {
      self.init(live, isOwn: false)
    } else {
      self.init(try plot.followed("watch"), isOwn: true)
    }
  }
}
