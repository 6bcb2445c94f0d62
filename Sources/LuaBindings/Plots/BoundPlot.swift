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
    }
  ]
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
