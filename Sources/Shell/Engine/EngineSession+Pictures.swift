internal import Modeling
internal import Plots
internal import Presentation
internal import Session
internal import Terminal

/// How plots are drawn at the prompt.
enum PlotForm: String, CaseIterable {
  case auto, text, sixel, kitty
}

// Plots as pixels, where the terminal draws them.
extension EngineSession {
  /// The pixels of a picture for a column and a line of text, at the usual size of letters.
  private static let (columnWidth, lineHeight) = (8, 16)
  /// The widest picture, in columns.
  private static let mostColumns = 100

  /// Returns the sequence that draws a plot as a picture; nil where it is drawn as text.
  func picture(of plot: Plot) -> String? {
    guard isAtPrompt, surroundings.isInteractive, let window = surroundings.window, outputTarget == nil,
      // A pager shows text alone.
      surroundings.heldWindow == nil, let graphics = graphicsForPlots, let form = graphics.form
    else { return nil }
    let columns = min(plot.description.width ?? Self.mostColumns, window.columns)
    var document = SVGPlot()
    document.width = columns * Self.columnWidth
    document.theme = graphics.isDark ? .dark : .light
    if let height = plot.description.height { document.height = height * Self.lineHeight }
    var drawn = document.picture(plot)
    // The prompt and the line that asked are to stay on the screen.
    let room = max(window.rows - 3, 5) * Self.lineHeight
    if drawn.height > Double(room) {
      document.height = room
      drawn = document.picture(plot)
    }
    let scale = Double(columns * graphics.cellWidth) / drawn.width
    guard let raster = try? Raster(drawn, scale: scale) else { return nil }
    switch form {
    case .kitty: return (try? raster.png()).map { KittyPicture(png: $0, columns: columns).text }
    case .sixel:
      return SixelWriter(PixelPicture(columns: raster.columns, rows: raster.rows, pixels: raster.pixels)).text
    }
  }

  /// The graphics with which the terminal draws plots; nil if plots are text.
  private var graphicsForPlots: TerminalGraphics? {
    var chosen: TerminalGraphics?
    switch plotForm {
    case .text: return nil
    case .auto:
      guard surroundings.outputStyle.isEnabled, let answered = askForGraphics(), answered.form != nil else {
        return nil
      }
      chosen = answered
    case .sixel: chosen = askForGraphics() ?? TerminalGraphics()
    case .kitty: chosen = askForGraphics() ?? TerminalGraphics()
    }
    if let form = TerminalGraphics.Form(rawValue: plotForm.rawValue) { chosen?.form = form }
    chosen?.measure(1)
    return chosen
  }

  /// The replies of the terminal, which is asked once, when the first plot is drawn.
  private func askForGraphics() -> TerminalGraphics? {
    if let graphics { return graphics }
    guard TerminalGraphics.canAsk(surroundings.environment) else { return nil }
    surroundings.flushOutput()
    let answered = TerminalGraphics.ask { UnreadInput.giveBack($0) }
    // One that does not answer is not waited for again.
    graphics = answered ?? TerminalGraphics()
    return graphics
  }

  /// `.plots [auto|text|sixel|kitty]`
  var plotsCommand: Command {
    Command(
      name: "plots", arguments: "[auto|text|sixel|kitty]",
      summary: "draw plots as pixels where the terminal can, as text, or by one protocol",
      parameters: [.words { PlotForm.allCases.map { Completions.Candidate($0.rawValue) } }],
      inSandbox: .allowed
    ) { [unowned self] (invocation) throws(CommandFailure) in
      guard let name = try invocation.optionalArgument() else { return printText(".plots \(plotsState)\n") }
      let names = PlotForm.allCases.map(\.rawValue)
      guard let form = PlotForm(rawValue: name) else {
        throw .invalidArgument(name, expected: names, nearest: nearestName(to: name, in: names))
      }
      plotForm = form
    }
  }

  /// `auto (sixel)`
  private var plotsState: String {
    let form = plotForm
    guard form != .text else { return form.rawValue }
    guard surroundings.isInteractive, let form = graphicsForPlots?.form?.rawValue else {
      return "\(plotForm.rawValue) (text: the terminal draws no pictures)"
    }
    guard Raster.isAvailable else {
      return "\(plotForm.rawValue) (text: \(form) needs librsvg; Debian: librsvg2-2)"
    }
    return plotForm == .auto ? "auto (\(form))" : form
  }
}
