internal import Modeling

/// A plot as a value: bars or points in series, on axes that cover them, ready to be drawn at any size.
public struct Plot: Equatable, Sendable {
  /// A place on the horizontal axis of bars.
  public struct Band: Equatable, Sendable {
    /// What the axis says.
    public var label: String
    /// Whether it stands for rows without a value, or for those that have no band of their own.
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

  /// The bars of each band, or the points.
  public enum Content: Equatable, Sendable {
    /// A value for each band, by series; nil where a series has no rows.
    case bars([Band], [[Double?]])
    /// The points of each series.
    case points([[Point]])
  }

  /// What was asked for.
  public var description: PlotDescription
  /// The bars or the points.
  public var content: Content
  /// The names of the series; one without a name where there is nothing to tell apart.
  public var series: [String]
  /// Whether the horizontal axis has dates.
  public var hasDates: Bool
  /// Whether the vertical axis has dates.
  public var verticalHasDates = false
  /// How many rows were read.
  public var rows: Int
  /// How many rows have no place, as a value is missing.
  public var missing: Int

  /// The headline.
  public var title: String {
    if let title = description.title { return title }
    return "\(valueName) by \(description.x)" + (description.color.map { " and \($0)" } ?? "")
  }

  /// How many rows were read, and how many of them have no place: `n = 4,000, 12 without a place`.
  public var count: String {
    "n = \(Quantity.grouped(rows))" + (missing > 0 ? ", \(Quantity.grouped(missing)) without a place" : "")
  }

  /// The name of the vertical axis.
  var valueName: String { description.aggregate == .count ? "count" : description.y }
}
