internal import LuaBindings
internal import LuaRuntime
internal import Modeling
internal import Plots
internal import Presentation
internal import Reactive
internal import Session

/// A full screen for a plot that follows the store.
final class PlotScreen: FullScreen {
  private let watched: WatchedPlot
  private static let smallest = TerminalSize(columns: 24, rows: 8)

  /// Whether the plot has changed since it was drawn.
  private var isDirty = true
  private var lastDrawing = 0.0
  private var isPaused = false
  /// The number of changes that were reported since the screen was drawn first.
  private var changes = 0
  /// How many there were when the pause began.
  private var changesAtPause = 0
  private var lines: [ScreenLine] = []
  private var drawnSize: TerminalSize?

  init(_ session: Session, _ watched: WatchedPlot, _ terminal: any ScreenTerminal) {
    self.watched = watched
    super.init(session, terminal)
  }

  /// Shows the plot until the user leaves.
  func watch() throws {
    let token = watched.onChange { [unowned self] in
      changes += 1
      isDirty = true
    }
    defer { token.cancel() }
    try run()
  }

  override var dueTime: Double? { isDirty && !isPaused ? lastDrawing + Self.interval : nil }

  override func draw() throws {
    if watched.isClosed { isEnding = true }
    let now = monotonicSeconds()
    let isDue = isDirty && !isPaused && now >= lastDrawing + Self.interval
    if isDue || drawnSize != size {
      if isDue || drawnSize == nil {
        isDirty = false
        lastDrawing = now
      }
      drawnSize = size
      drawLines()
    }
    var frame = ScreenFrame(size)
    guard size.columns >= Self.smallest.columns, size.rows >= Self.smallest.rows else {
      frame.lines = [ScreenLine("the window is too small", in: size.columns, style, charset)]
      return show(frame)
    }
    frame.lines = Array(lines.prefix(size.rows - 2))
    while frame.lines.count < size.rows - 2 { frame.lines.append(ScreenLine(style)) }
    frame.lines.append(ScreenLine(remark?.text ?? news, remark?.role ?? .note, in: size.columns, style, charset))
    let keys = isPaused ? "q leave  Space go on" : "q leave  Space pause"
    frame.lines.append(ScreenLine(keys, .note, in: size.columns, style, charset))
    show(frame)
  }

  /// The number of changes of the plot.
  private var news: String {
    if isPaused { return "paused, \(Quantity.count(changes - changesAtPause, "change")) waiting" }
    return changes == 0 ? "" : Quantity.count(changes, "change")
  }

  /// The plot in the room that there is, which is not asked for again until something has changed.
  private func drawLines() {
    do {
      var plot = try watched.plot()
      // The screen is what there is room for.
      (plot.description.width, plot.description.height) = (nil, nil)
      lines = ScreenPlot(style, charset).lines(plot, columns: size.columns, rows: size.rows - 2)
    } catch {
      remark = (engine.report(error).message, .error)
    }
  }

  override func handle(_ key: Key) {
    switch key {
    case .text(" "):
      isPaused.toggle()
      changesAtPause = changes
    case .control("l"): terminal.forgetScreen()
    case .text("q"), .escape, .control("d"): isEnding = true
    default: break
    }
  }
}
