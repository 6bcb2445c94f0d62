internal import Modeling

/// A plot as a value: marks in series, on axes that cover them, ready to be drawn at any size.
public struct Plot: Equatable, Sendable {
  /// A place on the axis of bars.
  public struct Band: Equatable, Sendable {
    /// The title of the axis.
    public var label: String
    /// Whether it represents rows without a value, or rows without a band of their own.
    public var isRest = false
    /// Where a range of numbers or dates (in seconds since 1970) begins; nil for a category.
    public var start: Double?
    /// Where that range ends.
    public var end: Double?
  }

  /// A place in the plane; dates are seconds since 1970.
  public struct Point: Hashable, Sendable {
    /// Its place on the horizontal axis.
    public var x: Double
    /// Its place on the vertical axis.
    public var y: Double
  }

  /// The content of a panel.
  public enum Content: Equatable, Sendable {
    /// A value for each band, by series; nil where a series has no rows.
    case bars([Band], [[Double?]])
    /// The points of each series.
    case points([[Point]])
    /// A summary for each band, by series.
    case boxes([Band], [[BoxSummary?]])
    /// A value for each band of the horizontal axis, by bands of the vertical one.
    case cells([Band], [Band], [[Double?]])
  }

  /// One of several plots beside each other, on the same axes.
  public struct Panel: Equatable, Sendable {
    /// The common value of its rows; nil if it is the only one.
    public var name: String?
    /// Its content.
    public var content: Content
  }

  /// The description from which it is made.
  public var description: PlotDescription
  /// The panels: one for each facet, or a single one.
  public var panels: [Panel]
  /// The names of the series; one without a name if there is only one.
  public var series: [String]
  /// Whether the horizontal axis has dates.
  public var hasDates = false
  /// Whether the vertical axis has dates.
  public var verticalHasDates = false
  /// How many rows were read.
  public var rows = 0
  /// How many rows have no place, as a value is missing or is not on the scale.
  public var missing = 0
  /// How many rows are beyond the ends that were given for the axes.
  public var outside = 0

  /// The content of the first panel.
  public var content: Content { panels[0].content }

  /// The headline.
  public var title: String {
    if let title = description.title { return title }
    let subject =
      description.mark == .rect ? "\(description.color ?? "count") by \(description.y) and" : "\(valueName) by"
    let text = description.x.isEmpty ? valueName : "\(subject) \(description.x)"
    let color = description.hasSeries ? description.color.map { " and \($0)" } : nil
    return text + (color ?? "") + (description.facet.map { ", for each \($0)" } ?? "")
  }

  /// How many rows were read, and how many of them are not drawn: `n = 4,000, 12 without a place`.
  public var count: String {
    "n = \(Quantity.grouped(rows))" + (missing > 0 ? ", \(Quantity.grouped(missing)) without a place" : "")
      + (outside > 0 ? ", \(Quantity.grouped(outside)) outside" : "")
  }

  /// The name of the vertical axis.
  var valueName: String { description.aggregate == .count && description.mark != .rect ? "count" : description.y }
}
