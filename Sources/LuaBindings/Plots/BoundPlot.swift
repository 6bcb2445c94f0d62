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
      "save", "plot:save(file [, { width = , height = }])",
      "Writes the plot to a file: svg in pixels, txt in columns and lines, json for Vega-Lite, by the name of the file."
    ) { call, bound in
      let path = try call.fileName(1, "the name of a file")
      let options = try call.options(2, ["width", "height"])
      let text = try bound.file(call, path, width: try options.size("width"), height: try options.size("height"))
      guard let write = call.engine.writesFile else { throw call.fail("the program that runs this writes no files") }
      try write(path, text)
      return 0
    },
  ]

  /// What a file of that name holds.
  private func file(_ call: Call, _ path: String, width: Int?, height: Int?) throws -> String {
    let name = path.lowercased()
    if name.hasSuffix(".svg") {
      var picture = SVGPlot()
      picture.width = width ?? picture.width
      picture.height = height
      return picture.text(plot)
    }
    if name.hasSuffix(".txt") {
      var plot = plot
      plot.description.width = width ?? plot.description.width
      plot.description.height = height ?? plot.description.height
      return text().text(plot) + "\n"
    }
    if name.hasSuffix(".json") { return plot.vegaLite.text + "\n" }
    throw call.fail("'\(path)' does not say its format; end it in .svg, .txt or .json")
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
}
