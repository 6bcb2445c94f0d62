public import Modeling

/// Makes a plot of rows in one pass; what it holds grows with bands and cells, not with rows, except for the samples of boxes.
public struct PlotBuilder {
  /// The least and the greatest value of an axis.
  public typealias Bounds = (least: Value, greatest: Value)

  /// The facts that are kept about the rows of a series in a panel.
  struct Group {
    var panel: Int
    var series: Int
    /// How many rows are drawn in it.
    var rows = 0
    /// By band; band 0 is that of rows without a value.
    var totals: [PlotTotal] = []
    /// The values by band, where each counts.
    var samples: [[Double]] = []
    /// The cells of a heat map, by their column and row.
    var cells: [Int: PlotTotal] = [:]
    var points: [Plot.Point] = []
    /// A bit for each cell that has a point, by rows; empty before the first, and where rows are counted.
    var occupied: [UInt64] = []
    /// How many rows each cell has, and the point of the first of them, where rows are counted.
    var counted: [Int: (count: Int, point: Plot.Point)] = [:]
  }

  /// The different values of a channel that distinguishes rows.
  struct Names {
    var names: [String] = []
    private var places: [String: Int] = [:]

    /// The most of them; the rows of further ones are left to the last.
    private static let most = 12

    mutating func place(_ value: Value) -> Int {
      let name = value.isNull ? "nil" : value.displayText
      if let place = places[name] { return place }
      if names.count == Self.most {
        names[Self.most - 1] = "others"
        return Self.most - 1
      }
      places[name] = names.count
      names.append(name)
      return names.count - 1
    }
  }

  /// The number of distinct positions of points on each axis.
  static let cells = 2_000.0
  /// The number of a row of cells starts at this bit.
  static let rowShift = 24
  /// The bits of the number of a column.
  static let columnMask = 1 << rowShift - 1

  let description: PlotDescription
  var xScale: BandScale
  var yScale: BandScale
  let xBounds: (Double, Double)?
  let yBounds: (Double, Double)?
  /// Whether rows can be taken away again.
  let isLive: Bool
  /// Whether a row was beyond the ends that the axes have, or left an end without rows, so that they must be found again.
  public internal(set) var needsAxes = false
  /// The places of totals whose least or greatest row was taken away.
  var unsure: Set<UnsureTotal> = []
  let verticalHasDates: Bool
  var series = Names()
  var panels = Names()
  var groups: [Group] = []
  private var groupPlaces: [Int: Int] = [:]
  var rows = 0
  var missing = 0
  var outside = 0

  /// Begins a plot whose axes have these bounds; an axis without bounds has categories.
  ///
  /// Rows of a live plot can be taken away again.
  public init(_ description: PlotDescription, x: Bounds?, y: Bounds? = nil, isLive: Bool = false) {
    self.description = description
    self.isLive = isLive
    xBounds = Self.ends(x, description.xAxis)
    yBounds = Self.ends(y, description.yAxis)
    if case .date? = y?.least { verticalHasDates = true } else { verticalHasDates = false }
    xScale = BandScale(x, description, description.xAxis)
    yScale = BandScale(y, description, description.yAxis)
  }

  private static func ends(_ bounds: Bounds?, _ axis: PlotDescription.Axis) -> (Double, Double)? {
    guard let bounds, let low = bounds.least.plotNumber, let high = bounds.greatest.plotNumber else { return nil }
    return axis.domain.map { ($0.lowerBound, $0.upperBound) } ?? (low, high)
  }

  /// Takes a row.
  public mutating func add(x: Value, y: Value, color: Value = .null, facet: Value = .null) {
    insert(mark(x: x, y: y, color: color, facet: facet))
  }

  /// The group of a series in a panel.
  mutating func group(_ color: Value, _ facet: Value) -> Int {
    if !description.hasSeries, description.facet == nil, !groups.isEmpty { return 0 }
    let place = description.hasSeries ? series.place(color) : series.place(.string(""))
    let panel = description.facet == nil ? 0 : panels.place(facet)
    let key = panel << 8 | place
    if let group = groupPlaces[key] { return group }
    groupPlaces[key] = groups.count
    groups.append(Group(panel: panel, series: place))
    return groups.count - 1
  }
}

extension Value {
  /// The value on an axis of numbers; dates are seconds since 1970.
  public var plotNumber: Double? {
    switch self {
    case .int(let number): Double(number)
    case .double(let number): number.isNaN ? nil : number
    case .decimal(let number): Double(number.canonicalText)
    case .date(let date): date.seconds
    default: nil
    }
  }
}
