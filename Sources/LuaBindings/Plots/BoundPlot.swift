internal import LuaRuntime
internal import Modeling
internal import Plots

/// A plot in Lua: a value that the prompt draws and `tostring` writes as text.
final class BoundPlot: Bound {
  static let luaName = "Plot"
  var place: String { "plot" }

  let plot: Plot
  private unowned let engine: Engine

  init(_ plot: Plot, _ engine: Engine) {
    self.plot = plot
    self.engine = engine
  }

  func summary() -> String { text().text(plot) }

  /// How the plot is written without a terminal.
  private func text() -> TextPlot {
    var text = TextPlot(fit: engine.fitsText ?? { (String($0.prefix($1)), min($0.count, $1)) })
    text.isASCII = engine.options.usesASCII
    return text
  }

  static let members: [Member<BoundPlot>] = [
    .method(
      "text", "plot:text([{ width = , height = }]) -> string", "The plot as lines of text, 80 columns wide by default."
    ) { call, bound in
      let options = try call.options(1, ["width", "height"])
      var plot = bound.plot
      if let width = try options.size("width") { plot.description.width = width }
      if let height = try options.size("height") { plot.description.height = height }
      call.stack.push(bound.text().text(plot))
      return 1
    },
    .property("svg", "plot.svg -> string", "The plot as an SVG document, 640 pixels wide.") { call, bound in
      call.stack.push(SVGPlot().text(bound.plot))
      return 1
    },
    .property(
      "vegaLite", "plot.vegaLite -> string", "The plot as a specification of Vega-Lite 5, which is JSON."
    ) { call, bound in
      call.stack.push(bound.plot.vegaLite.text + "\n")
      return 1
    },
    .method(
      "save", "plot:save(file [, { width = , height = , theme = , scale = }])",
      "Writes the plot to a file: svg and png in pixels, txt in columns and lines, json for Vega-Lite, by the file's name."
    ) { call, bound in
      let path = try call.fileName(1, "the name of a file")
      let bytes = try bound.file(call, path, try call.options(2, ["width", "height", "theme", "scale"]))
      guard let write = call.engine.writesFile else { throw call.fail("the program that runs this writes no files") }
      try write(path, bytes)
      return 0
    },
  ]

  /// What a file of that name holds.
  private func file(_ call: Call, _ path: String, _ options: Options) throws -> [UInt8] {
    let name = path.lowercased()
    let (width, height) = (try options.size("width"), try options.size("height"))
    let (theme, scale) = (try options.choice("theme", SVGPlot.Theme.self), try options.scale())
    var picture = SVGPlot()
    picture.width = width ?? picture.width
    picture.height = height
    picture.theme = theme
    if name.hasSuffix(".png") { return try png(call, picture, scale ?? 1) }
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

  private func png(_ call: Call, _ picture: SVGPlot, _ scale: Double) throws -> [UInt8] {
    var picture = picture
    // A file of pixels cannot follow the surroundings.
    picture.theme = picture.theme ?? .light
    do { return try Raster(picture.picture(plot), scale: scale).png() } catch let failure as Raster.Failure {
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

  /// How many pixels there are to one of the document.
  fileprivate func scale() throws -> Double? {
    guard let scale = try number("scale") else { return nil }
    guard (0.25...16).contains(scale) else {
      throw ScriptError("\(call.place): scale", .expected("a number from 0.25 to 16", found: "\(scale)"))
    }
    return scale
  }
}
