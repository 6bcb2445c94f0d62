internal import Modeling

/// A plot as lines of text: bars of eighths of blocks, points and lines of braille, or ASCII.
///
/// Labels are measured by `fit`, as terminals measure them: the beginning of a text that fits in so many columns, and its width.
public struct TextPlot {
  /// The role of a piece of the text, for its colour.
  public enum Role: Hashable, Sendable {
    case title, axis, missing
    case series(Int)
  }

  /// How wide the lines may be.
  public var width = 80
  /// How high a plane of points is.
  public var height = 16
  /// Whether nothing but ASCII may be used.
  public var isASCII = false
  /// Whether `paint` distinguishes series; without it, each has a mark of its own.
  public var hasColors = false
  /// The beginning of a text that fits, and its width.
  public var fit: (String, Int) -> (text: String, width: Int)
  /// The text as it is shown.
  public var paint: (Role, String) -> String

  /// A text without colours, whose characters are a column wide unless `fit` says otherwise.
  public init(
    fit: @escaping (String, Int) -> (text: String, width: Int) = { (String($0.prefix($1)), min($0.count, $1)) },
    paint: @escaping (Role, String) -> String = { $1 }
  ) {
    self.fit = fit
    self.paint = paint
  }

  /// The lines of a plot, without an end of line after the last.
  public func text(_ plot: Plot) -> String {
    var drawing = self
    drawing.width = max(min(plot.description.width ?? width, 1_000), 20)
    drawing.height = max(min(plot.description.height ?? height, 500), 4)
    return drawing.lines(plot).joined(separator: "\n")
  }

  private func lines(_ plot: Plot) -> [String] {
    let count = plot.count
    let title = fit(plot.title, max(width - count.count - 2, 0))
    let gap = String(repeating: " ", count: max(width - title.width - count.count, 0))
    var lines = [paint(.title, title.text) + paint(.axis, fit(gap + count, width - title.width).text)]
    for panel in plot.panels {
      if let name = panel.name {
        lines.append(paint(.title, fit("\(plot.description.facet ?? "") \(name)", width).text))
      }
      switch panel.content {
      case .bars(let bands, let values) where plot.description.mark == .bar: lines += bars(bands, values, plot)
      case .bars, .points: lines += plane(panel.content, plot)
      case .boxes(let bands, let boxes): lines += self.boxes(bands, boxes, plot)
      case .cells(let columns, let rows, let values): lines += cells(columns, rows, values, plot)
      }
    }
    let isPlane = plot.description.mark != .bar && plot.description.mark != .box
    if isPlane, plot.description.hasSeries { lines.append(legend(plot)) }
    if let bounds = plot.cellBounds { lines.append(shadeLegend(bounds, plot)) }
    return lines
  }
}
