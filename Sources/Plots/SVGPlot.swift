internal import Modeling

/// A plot as an SVG document: text stays text, colours are classes of one style sheet, light and dark.
///
/// The same plot gives the same bytes.
public struct SVGPlot {
  /// The width in pixels.
  public var width = 640
  /// The height in pixels; nil for one that fits the content.
  public var height: Int?
  /// The colours; nil for those of the surroundings, light or dark, in programs that know them.
  public var theme: Theme?

  /// A picture of the usual size.
  public init() {}

  /// The colours of ground, ink and series.
  public enum Theme: String, CaseIterable, Sendable {
    case light, dark
  }

  /// The plane that marks are drawn in.
  struct Frame {
    var left: Double
    var top: Double
    var width: Double
    var height: Double

    var right: Double { left + width }
    var bottom: Double { top + height }
  }

  /// How high the lines of text are.
  static let lineHeight = 18.0
  private static let margin = 12.0

  /// The document.
  public func text(_ plot: Plot) -> String { picture(plot).text }

  /// The document with its size.
  public func picture(_ plot: Plot) -> SVGPicture {
    var svg = SVGWriter()
    let width = Double(max(min(width, 10_000), 160))
    var top = Self.margin + 12
    let headline = SVGWriter.fit(plot.title, width - SVGWriter.width(plot.count) - 3 * Self.margin)
    svg.text(headline, Self.margin, top, class: "title")
    svg.text(plot.count, width - Self.margin, top, class: "muted", .end)
    top += 6
    if plot.description.hasSeries { legend(plot, &top, width, &svg) }
    if let bounds = plot.cellBounds { shadeLegend(bounds, plot, &top, width, &svg) }
    top += Self.lineHeight + 10
    // Panels stand in rows of as many as are still wide enough.
    let count = plot.panels.count
    let columns = max(min(count, Int(saturating: (width - Self.margin) / 200), 4), 1)
    let rows = (count + columns - 1) / columns
    let heading = plot.panels[0].name == nil ? 0 : Self.lineHeight
    let natural = naturalHeight(plot) * (columns > 2 ? 0.6 : 1) + heading
    let height = max(height.map(Double.init) ?? (top + natural * Double(rows)), top + 80 * Double(rows))
    let unit = Frame(
      left: Self.margin, top: top, width: (width - Self.margin) / Double(columns) - Self.margin,
      height: (height - top) / Double(rows))
    for (index, panel) in plot.panels.enumerated() {
      var plane = unit
      plane.left += Double(index % columns) * (unit.width + Self.margin)
      plane.top += Double(index / columns) * unit.height + heading
      plane.height -= heading + 8
      if let name = panel.name {
        let text = "\(plot.description.facet ?? "") \(name)"
        svg.text(SVGWriter.fit(text, plane.width), plane.left, plane.top - heading - 10, class: "ink")
      }
      draw(panel.content, plot, plane, &svg)
    }
    let text = (head(plot, width, height) + svg.lines + ["</svg>", ""]).joined(separator: "\n")
    return SVGPicture(text: text, width: width, height: height)
  }

  /// The height of a panel that is as wide as the picture.
  private func naturalHeight(_ plot: Plot) -> Double {
    var lines = plot.bands.count
    var marks = 1
    switch plot.content {
    case .bars(_, let values) where isHorizontal(plot): marks = plot.isStacked ? 1 : max(values.count, 1)
    case .boxes(_, let boxes): marks = max(boxes.count, 1)
    case .cells(_, let rows, _):
      lines = rows.count
      return max(Double(lines * 14) + 4 * Self.lineHeight, 320)
    default: return 320
    }
    return Double(lines * (marks * 14 + 8)) + 3 * Self.lineHeight
  }

  /// Whether bars lie, so that the names of categories can be read.
  private func isHorizontal(_ plot: Plot) -> Bool {
    plot.description.mark == .bar && !plot.hasScale
  }

  private func draw(_ content: Plot.Content, _ plot: Plot, _ plane: Frame, _ svg: inout SVGWriter) {
    switch content {
    case .bars(let bands, let values) where plot.description.mark == .bar:
      if bands.isEmpty { return }
      if isHorizontal(plot) {
        lying(bands, values, plot, plane, &svg)
      } else {
        standing(bands, values, plot, plane, &svg)
      }
    case .bars, .points: places(content, plot, plane, &svg)
    case .boxes(let bands, let boxes): self.boxes(bands, boxes, plot, plane, &svg)
    case .cells(let columns, let rows, let values): cells(columns, rows, values, plot, plane, &svg)
    }
  }

  private func legend(_ plot: Plot, _ top: inout Double, _ width: Double, _ svg: inout SVGWriter) {
    var x = Self.margin
    top += Self.lineHeight
    for (place, name) in plot.series.enumerated() {
      let name = SVGWriter.fit(name, width / 3)
      let needed = SVGWriter.width(name) + 32
      if x > Self.margin, x + needed > width {
        x = Self.margin
        top += Self.lineHeight
      }
      svg.rectangle(x, top - 10, 10, 10, class: "fill s\(place % Self.colors.count)")
      svg.text(name, x + 15, top, class: "ink")
      x += needed
    }
  }

  // MARK: The document

  /// The colours of series in light and in dark surroundings.
  static let colors = [
    ("#3b6fb6", "#7aa7e8"), ("#d9772b", "#f0a05c"), ("#3f9142", "#74c476"), ("#c2403d", "#ef7d78"),
    ("#7d5fb2", "#b39ddb"), ("#8c6246", "#c49c82"), ("#c65d9e", "#eb97c9"), ("#5f6b76", "#a5b1bc"),
    ("#98912a", "#d3cb5f"), ("#2c98a5", "#6fcbd6"), ("#1f4e79", "#5c8fc2"), ("#8a2f5d", "#c86f9c"),
  ]

  private func head(_ plot: Plot, _ width: Double, _ height: Double) -> [String] {
    let (w, h) = (SVGWriter.number(width), SVGWriter.number(height))
    var lines = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"perilune\" role=\"img\""
        + " width=\"\(w)\" height=\"\(h)\" viewBox=\"0 0 \(w) \(h)\">",
      "<title>\(SVGWriter.escaped(plot.title))</title>", "<desc>\(SVGWriter.escaped(plot.count))</desc>", "<style>",
      ".perilune text { font: 12px system-ui, sans-serif; }",
      ".perilune .title { font-weight: 600; font-size: 14px; }",
      ".perilune .fill, .perilune .rest { fill: currentColor; }",
      ".perilune .dot { fill: currentColor; fill-opacity: 0.7; }",
      ".perilune .run { fill: none; stroke: currentColor; stroke-width: 1.5; stroke-linejoin: round;"
        + " stroke-linecap: round; }",
      ".perilune .area { fill: currentColor; fill-opacity: 0.3; }",
      ".perilune .box { fill: currentColor; fill-opacity: 0.4; stroke: currentColor; }",
      ".perilune .whisker { stroke: currentColor; } .perilune .median { stroke: currentColor; stroke-width: 3; }",
      ".perilune .grid, .perilune .axis { stroke: currentColor; stroke-width: 1; }",
    ]
    let light = rules(\.0, ground: "#ffffff", ink: "#1f2328", muted: "#59636e", grid: "#e4e8ec", rest: "#a3abb3")
    let dark = rules(\.1, ground: "#0d1117", ink: "#e6edf3", muted: "#9aa4ae", grid: "#242b33", rest: "#6b7580")
    switch theme {
    case .light?: lines += light
    case .dark?: lines += dark
    case nil: lines += light + ["@media (prefers-color-scheme: dark) {"] + dark + ["}"]
    }
    lines += ["</style>", "<rect class=\"ground\" width=\"\(w)\" height=\"\(h)\"/>"]
    return lines
  }

  private func rules(
    _ side: KeyPath<(String, String), String>, ground: String, ink: String, muted: String, grid: String, rest: String
  ) -> [String] {
    [
      ".perilune .ground { fill: \(ground); }", ".perilune .ink, .perilune .title { fill: \(ink); }",
      ".perilune .muted { fill: \(muted); }", ".perilune .grid { color: \(grid); }",
      ".perilune .axis { color: \(muted); }", ".perilune .rest { color: \(rest); }",
    ]
      + Self.colors.enumerated().map { ".perilune .s\($0.offset) { color: \($0.element[keyPath: side]); }" }
  }
}
