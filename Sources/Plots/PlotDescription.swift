/// The description of a plot: its mark, its aggregate, and its texts.
public struct PlotDescription: Hashable, Sendable {
  /// How values are drawn.
  public enum Mark: String, CaseIterable, Sendable {
    case bar, point, line, area, box, rect
  }

  /// The value of a bar.
  public enum Aggregate: String, CaseIterable, Sendable {
    case count, sum, average, min, max
  }

  /// How the places on an axis follow each other.
  public enum Scale: String, CaseIterable, Sendable {
    case linear, log
  }

  /// The options of an axis.
  public struct Axis: Hashable, Sendable {
    /// How the places follow each other.
    public var scale = Scale.linear
    /// The ends that were given; dates are seconds since 1970.
    public var domain: ClosedRange<Double>?
    /// The least value above zero, where a logarithmic axis begins; nil if it is not known.
    public var leastPositive: Double?

    /// A linear axis as long as the values are.
    public init() {}
  }

  /// How values are drawn.
  public var mark: Mark
  /// The name of the horizontal axis.
  public var x: String
  /// The name of the vertical axis.
  public var y: String
  /// The aggregate of the rows at one position of the horizontal axis; nil draws each row.
  public var aggregate: Aggregate?
  /// The channel that distinguishes series, or the values of a heat map's colours; nil for one series.
  public var color: String?
  /// The channel that distinguishes panels; nil for one panel.
  public var facet: String?
  /// The options of the horizontal axis.
  public var xAxis = Axis()
  /// The options of the vertical axis.
  public var yAxis = Axis()
  /// The most ranges or categories on the horizontal axis.
  public var bins = 20
  /// Whether categories have an order of their own, as months have, and are not ordered by their values.
  public var isOrdered = false
  /// The unit by which dates are counted; nil takes one that fits.
  public var unit: CalendarUnit?
  /// The headline; nil for the names of the axes.
  public var title: String?
  /// The columns of the text; nil for the window's width.
  public var width: Int?
  /// The lines of a plane of points; nil for 16.
  public var height: Int?

  /// Creates a plot of an aggregate of `y`, or of each row.
  public init(mark: Mark, x: String, y: String, aggregate: Aggregate?) {
    self.mark = mark
    self.x = x
    self.y = y
    self.aggregate = aggregate
  }

  /// Whether `color` distinguishes series.
  var hasSeries: Bool { color != nil && mark != .rect }
}
