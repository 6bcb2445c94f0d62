internal import LuaRuntime
internal import Modeling
internal import Plots

/// A plot in Lua: a value that the prompt draws and `tostring` formats as text.
final class BoundPlot: Bound {
  static let luaName = "Plot"
  var place: String { "plot" }
  var display: EngineValue? { get throws { .plot(try plot()) } }

  private enum Content {
    case fixed(Plot)
    case live(LivePlot)
  }

  private let content: Content
  /// The plotted rows; nil for a list.
  private let source: PlotSource?
  private unowned let engine: Engine

  init(_ plot: Plot, _ source: PlotSource?, _ engine: Engine) {
    content = .fixed(plot)
    self.source = source
    self.engine = engine
  }

  /// Creates a plot that follows the store.
  init(_ live: LivePlot) {
    content = .live(live)
    source = live.source
    engine = live.context.engine
  }

  /// The plot in its current state.
  func plot() throws -> Plot {
    switch content {
    case .fixed(let plot): plot
    case .live(let live): try live.plot()
    }
  }

  /// The live plot; nil for one that does not change.
  var live: LivePlot? {
    if case .live(let live) = content { live } else { nil }
  }

  /// Returns a live plot of the same rows.
  func followed(_ place: String) throws -> LivePlot {
    guard let source else { throw ScriptError(place, .other("a plot of a list follows no store")) }
    try source.context.checkOpen(place)
    return try LivePlot(source)
  }

  func summary() throws -> String { text().text(try plot()) }

  /// The plot as text, for output without a terminal.
  private func text() -> TextPlot {
    var text = TextPlot(fit: engine.host.fitsText ?? { (String($0.prefix($1)), min($0.count, $1)) })
    text.isASCII = engine.options.usesASCII
    return text
  }

  static let members: [Member<BoundPlot>] = drawing + following

  private static let drawing: [Member<BoundPlot>] = [
    .method(
      "text", "plot:text([{ width = , height = }]) -> string", "The plot as lines of text, 80 columns wide by default.",
      sandbox: .allowed, example: "({ width = 40 })"
    ) { call, bound in
      let options = try call.options(1, ["width", "height"])
      var plot = try bound.plot()
      if let width = try options.size("width") { plot.description.width = width }
      if let height = try options.size("height") { plot.description.height = height }
      return .text(bound.text().text(plot))
    },
    .property("svg", "plot.svg -> string", "The plot as an SVG document, 640 pixels wide.", sandbox: .allowed) {
      call, bound in
      .text(SVGPlot().text(try bound.plot()))
    },
    .property(
      "vegaLite", "plot.vegaLite -> string", "The plot as a specification of Vega-Lite 5, which is JSON.",
      sandbox: .allowed
    ) { call, bound in
      .text(try bound.plot().vegaLite.text + "\n")
    },
    .method(
      "save", "plot:save(file [, { width = , height = , theme = , scale = , force = }])",
      "Writes the plot to a file: svg and png in pixels, txt in columns and lines, json for Vega-Lite, by the file's name.",
      sandbox: .noFiles, example: #"("magnitudes.svg")"#
    ) { call, bound in
      let path = try call.fileName(1, "the name of a file")
      let options = try call.options(2, ["width", "height", "theme", "scale", "force"])
      let bytes = try bound.file(call, path, options)
      guard let write = call.engine.host.writesFile else {
        throw call.fail("the program that runs this writes no files")
      }
      try write(path, try options.bool("force") ?? false, bytes)
      return .nothing
    },
  ]

  private static let following: [Member<BoundPlot>] = [
    .method(
      "live", "plot:live() -> plot", "The same plot kept up to date: each look at it shows the current data.",
      sandbox: .allowed, example: "()"
    ) {
      call, bound in
      .object(BoundPlot(try bound.followed(call.place)))
    },
    .property("isLive", "plot.isLive -> boolean", "Whether the plot follows the store.", sandbox: .allowed) {
      call, bound in
      .boolean(bound.live.map { !$0.isClosed } ?? false)
    },
    .method(
      "onChange", "plot:onChange(function() ... end) -> token",
      "Calls a function after each change of a live plot; cancel the token to end it.", sandbox: .allowed,
      example:
        #"plot(Quake, { x = "magnitude" }):live():onChange(function() print("drawn anew") end) Quake:first().magnitude = 9 save()"#
    ) { call, bound in
      guard let live = bound.live else {
        throw call.fail("the plot stays as it is; plot:live() gives one that follows")
      }
      if live.isClosed { throw call.fail(.closed("live plot")) }
      let function = call.stack.reference(at: try call.function(1))
      let context = live.context
      let token = live.onChange { context.notify(function) { _ in 0 } }
      return .object(BoundObservationToken(token))
    },
    .method("close", "plot:close()", "Stops updates from the store.", sandbox: .allowed, example: "()") { _, bound in
      bound.live?.close()
      return .nothing
    },
  ]

  /// The content of a file with this name.
  private func file(_ call: Call, _ path: String, _ options: Options) throws -> [UInt8] {
    let name = path.lowercased()
    let plot = try plot()
    let (width, height) = (try options.size("width"), try options.size("height"))
    let (theme, scale) = (try options.choice("theme", SVGPlot.Theme.self), try options.scale())
    var picture = SVGPlot()
    picture.width = width ?? picture.width
    picture.height = height
    // A PNG file cannot adapt to its surroundings.
    picture.theme = theme ?? (name.hasSuffix(".png") ? .light : nil)
    if name.hasSuffix(".png") { return try png(call, picture.picture(plot), scale ?? 1) }
    if scale != nil { throw call.fail("scale is for pixels; '\(path)' is no .png") }
    if name.hasSuffix(".svg") { return Array(picture.text(plot).utf8) }
    if theme != nil { throw call.fail("theme is for pictures; '\(path)' is no .svg or .png") }
    if name.hasSuffix(".txt") {
      var plot = plot
      plot.description.width = width ?? plot.description.width
      plot.description.height = height ?? plot.description.height
      return Array((text().text(plot) + "\n").utf8)
    }
    if name.hasSuffix(".json") { return Array((plot.vegaLite.text + "\n").utf8) }
    throw call.fail("'\(path)' does not say its format; end it in .svg, .png, .txt or .json")
  }

  private func png(_ call: Call, _ picture: SVGPicture, _ scale: Double) throws -> [UInt8] {
    do { return try Raster(picture, scale: scale).png() } catch let failure as Raster.Failure {
      switch failure {
      case .noLibrary: throw call.fail("a .png needs librsvg; install it (Debian: librsvg2-2), or end the name in .svg")
      case .tooLarge(let pixels):
        throw call.fail(
          "the picture would have \(Quantity.grouped(pixels)) pixels; \(Quantity.grouped(Raster.mostPixels)) are the most"
        )
      case .noMemory: throw call.fail("there is not enough memory for the picture")
      case .refused: throw call.fail("librsvg did not draw the picture")
      }
    }
  }
}

extension Options {
  /// A number of columns, lines or bars.
  func size(_ name: String) throws -> Int? {
    guard let size = try integer(name) else { return nil }
    guard (1...10_000).contains(size) else {
      throw ScriptError("\(call.place): \(name)", .expected("a number from 1 to 10000", found: "\(size)"))
    }
    return size
  }

  /// The number of pixels for each pixel of the document.
  fileprivate func scale() throws -> Double? {
    guard let scale = try number("scale") else { return nil }
    guard (0.25...16).contains(scale) else {
      throw ScriptError("\(call.place): scale", .expected("a number from 0.25 to 16", found: "\(scale)"))
    }
    return scale
  }
}
