internal import Modeling

/// A plot as an SVG document: text stays text, colours are classes of one style sheet, light and dark.
///
/// The same plot gives the same bytes.
public struct SVGPlot {
  /// The width in pixels.
  public var width = 640
  /// The height in pixels; nil for one that fits what is drawn.
  public var height: Int?

  /// A picture of the usual size.
  public init() {}

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
  public func text(_ plot: Plot) -> String {
    var svg = SVGWriter()
    let width = Double(max(min(width, 10_000), 160))
    var top = Self.margin + 12
    let headline = SVGWriter.fit(plot.title, width - SVGWriter.width(plot.count) - 3 * Self.margin)
    svg.text(headline, Self.margin, top, class: "title")
    svg.text(plot.count, width - Self.margin, top, class: "muted", .end)
    top += 6
    if plot.description.color != nil { legend(plot, &top, width, &svg) }
    top += Self.lineHeight + 10
    let height = max(height.map(Double.init) ?? (top + naturalHeight(plot)), top + 80)
    let plane = Frame(left: Self.margin, top: top, width: width - 2 * Self.margin, height: height - top - 8)
    draw(plot, plane, &svg)
    return (head(plot, width, height) + svg.lines + ["</svg>", ""]).joined(separator: "\n")
  }

  /// The height of all below the legend.
  private func naturalHeight(_ plot: Plot) -> Double {
    guard isHorizontal(plot), case .bars(let bands, let values) = plot.content else { return 320 }
    let bars = plot.isStacked ? 1 : max(values.count, 1)
    return Double(bands.count * (bars * 14 + 8)) + 3 * Self.lineHeight
  }

  /// Whether bars lie, so that the names of categories can be read.
  private func isHorizontal(_ plot: Plot) -> Bool {
    plot.description.mark == .bar && !plot.hasScale
  }

  private func draw(_ plot: Plot, _ plane: Frame, _ svg: inout SVGWriter) {
    if plot.description.mark == .bar, case .bars(let bands, let values) = plot.content {
      if bands.isEmpty { return }
      if isHorizontal(plot) {
        lying(bands, values, plot, plane, &svg)
      } else {
        standing(bands, values, plot, plane, &svg)
      }
    } else {
      places(plot, plane, &svg)
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
      ".perilune .grid, .perilune .axis { stroke: currentColor; stroke-width: 1; }",
    ]
    lines += rules(\.0, ground: "#ffffff", ink: "#1f2328", muted: "#59636e", grid: "#e4e8ec", rest: "#a3abb3")
    lines.append("@media (prefers-color-scheme: dark) {")
    lines += rules(\.1, ground: "#0d1117", ink: "#e6edf3", muted: "#9aa4ae", grid: "#242b33", rest: "#6b7580")
    lines += ["}", "</style>", "<rect class=\"ground\" width=\"\(w)\" height=\"\(h)\"/>"]
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
