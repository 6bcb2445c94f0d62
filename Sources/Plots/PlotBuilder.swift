public import Modeling

/// Makes a plot of rows in one pass; what it holds grows with bands and cells, not with rows, except for the samples of boxes.
public struct PlotBuilder {
  /// The least and the greatest value of an axis.
  public typealias Bounds = (least: Value, greatest: Value)

  /// What is known of the rows of a band in a series.
  struct Total {
    var count = 0
    var sum = 0.0
    var least = Double.infinity
    var greatest = -Double.infinity

    mutating func add(_ value: Double) {
      count += 1
      sum += value
      least = min(least, value)
      greatest = max(greatest, value)
    }

    mutating func add(_ other: Total) {
      count += other.count
      sum += other.sum
      least = min(least, other.least)
      greatest = max(greatest, other.greatest)
    }

    func value(_ aggregate: PlotDescription.Aggregate) -> Double? {
      guard count > 0 else { return nil }
      return switch aggregate {
      case .count: Double(count)
      case .sum: sum
      case .average: sum / Double(count)
      case .min: least
      case .max: greatest
      }
    }
  }

  /// What is known of the rows of a series in a panel.
  struct Group {
    var panel: Int
    var series: Int
    /// By band; band 0 is that of rows without a value.
    var totals: [Total] = []
    /// The values by band, where each counts.
    var samples: [[Double]] = []
    /// The cells of a heat map, by their column and row.
    var cells: [Int: Total] = [:]
    var points: [Plot.Point] = []
    /// A bit for each cell that has a point, by rows; empty before the first.
    var occupied: [UInt64] = []
  }

  /// The different values of a channel that tells rows apart.
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

  /// How finely points are told apart, on each axis.
  private static let cells = 2_000.0
  /// The number of a row of cells starts at this bit.
  static let rowShift = 24

  let description: PlotDescription
  var xScale: BandScale
  var yScale: BandScale
  private let xBounds: (Double, Double)?
  private let yBounds: (Double, Double)?
  let verticalHasDates: Bool
  var series = Names()
  var panels = Names()
  var groups: [Group] = []
  private var groupPlaces: [Int: Int] = [:]
  var rows = 0
  var missing = 0
  var outside = 0

  /// Begins a plot whose axes have these bounds; an axis without bounds has categories.
  public init(_ description: PlotDescription, x: Bounds?, y: Bounds? = nil) {
    self.description = description
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
    rows += 1
    switch description.mark {
    case .rect: addCell(x, y, color, facet)
    case .box: addSample(x, y, color, facet)
    default:
      if let aggregate = description.aggregate {
        addTotal(x, y, aggregate, color, facet)
      } else {
        addPoint(x, y, color, facet)
      }
    }
  }

  /// The group of a series in a panel.
  private mutating func group(_ color: Value, _ facet: Value) -> Int {
    if !description.hasSeries, description.facet == nil, !groups.isEmpty { return 0 }
    let place = description.hasSeries ? series.place(color) : series.place(.string(""))
    let panel = description.facet == nil ? 0 : panels.place(facet)
    let key = panel << 8 | place
    if let group = groupPlaces[key] { return group }
    groupPlaces[key] = groups.count
    groups.append(Group(panel: panel, series: place))
    return groups.count - 1
  }

  /// The band of a value; 0 where it is missing, and nil where the row is not drawn, which is noted.
  private mutating func band(_ place: BandScale.Place) -> Int? {
    switch place {
    case .band(let band): return band + 1
    case .missing: return 0
    case .impossible: missing += 1
    case .outside: outside += 1
    }
    return nil
  }

  private mutating func addTotal(
    _ x: Value, _ y: Value, _ aggregate: PlotDescription.Aggregate, _ color: Value, _ facet: Value
  ) {
    var number = 0.0
    if aggregate != .count {
      guard let value = y.plotNumber else {
        missing += 1
        return
      }
      number = value
    }
    guard let band = band(xScale.place(of: x)) else { return }
    // Lines along a scale have nowhere to show rows without a value.
    if band == 0, description.mark != .bar, !xScale.isCategorical {
      missing += 1
      return
    }
    let place = group(color, facet)
    if groups[place].totals.count <= band {
      groups[place].totals.append(contentsOf: repeatElement(Total(), count: band + 1 - groups[place].totals.count))
    }
    groups[place].totals[band].add(number)
  }

  private mutating func addSample(_ x: Value, _ y: Value, _ color: Value, _ facet: Value) {
    guard let number = y.plotNumber, number.isFinite, description.yAxis.scale == .linear || number > 0 else {
      missing += 1
      return
    }
    guard let band = band(xScale.place(of: x)) else { return }
    let place = group(color, facet)
    while groups[place].samples.count <= band { groups[place].samples.append([]) }
    groups[place].samples[band].append(number)
  }

  private mutating func addCell(_ x: Value, _ y: Value, _ color: Value, _ facet: Value) {
    var number = 0.0
    if description.aggregate != .count {
      guard let value = color.plotNumber else {
        missing += 1
        return
      }
      number = value
    }
    guard let column = band(xScale.place(of: x)), let row = band(yScale.place(of: y)) else { return }
    groups[group(.null, facet)].cells[row << Self.rowShift | column, default: Total()].add(number)
  }

  /// Points in the same cell are one: what is drawn costs by cells.
  private mutating func addPoint(_ x: Value, _ y: Value, _ color: Value, _ facet: Value) {
    guard let x = x.plotNumber, let y = y.plotNumber, x.isFinite, y.isFinite, let xBounds, let yBounds,
      x > 0 || description.xAxis.scale == .linear, y > 0 || description.yAxis.scale == .linear
    else {
      missing += 1
      return
    }
    if description.xAxis.domain?.contains(x) == false || description.yAxis.domain?.contains(y) == false {
      outside += 1
      return
    }
    let place = group(color, facet)
    let column = Self.cell(x, xBounds, description.xAxis)
    let row = Self.cell(y, yBounds, description.yAxis)
    let side = Int(Self.cells) + 1
    let cell = row * side + column
    if groups[place].occupied.isEmpty {
      groups[place].occupied = Array(repeating: 0, count: (side * side + 63) / 64)
    }
    let bit = UInt64(1) << UInt64(cell % 64)
    if groups[place].occupied[cell / 64] & bit == 0 {
      groups[place].occupied[cell / 64] |= bit
      groups[place].points.append(Plot.Point(x: x, y: y))
    }
  }

  private static func cell(_ value: Double, _ bounds: (Double, Double), _ axis: PlotDescription.Axis) -> Int {
    let part =
      axis.scale == .log
      ? PlotAxis.logarithmicPart(value, max(axis.leastPositive ?? 0, bounds.0 > 0 ? bounds.0 : 1e-300), bounds.1)
      : (value / 2 - bounds.0 / 2) / (bounds.1 / 2 - bounds.0 / 2)
    return part.isFinite ? Int((min(max(part, 0), 1) * cells).rounded(.down)) : 0
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
