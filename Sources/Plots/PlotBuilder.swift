public import Modeling

/// Makes a plot of rows in one pass; what it holds grows with bands and cells, not with rows.
public struct PlotBuilder {
  /// The least and the greatest value of an axis.
  public typealias Bounds = (least: Value, greatest: Value)

  /// What is known of the rows of a band in a series.
  private struct Total {
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

  private enum Scale {
    case numbers(NumberBins)
    case dates(DateBins)
    case categories
  }

  /// How finely points are told apart, on each axis.
  private static let cells = 2_000.0
  /// The most series; the rows of further ones are left to the last.
  private static let mostSeries = 12
  /// The most categories that are counted apart.
  private static let mostCategories = 100_000

  private let description: PlotDescription
  private let scale: Scale
  private let xBounds: (Double, Double)?
  private let yBounds: (Double, Double)?
  private var verticalHasDates = false
  private var seriesPlaces: [String: Int] = [:]
  private var series: [String] = []
  /// By series, then by band; the last place of each is that of rows without a value.
  private var totals: [[Total]] = []
  private var missingTotals: [Total] = []
  private var categoryPlaces: [String: Int] = [:]
  private var categories: [String] = []
  private var points: [[Plot.Point]] = []
  private var occupied: [Set<Int>] = []
  private var rows = 0
  private var missing = 0

  /// Begins a plot whose axes have these bounds; an axis without bounds has categories.
  public init(_ description: PlotDescription, x: Bounds?, y: Bounds? = nil) {
    self.description = description
    if case .date? = y?.least { verticalHasDates = true }
    xBounds = Self.numbers(x)
    yBounds = Self.numbers(y)
    switch x {
    case (.date(let least), .date(let greatest))?:
      let bins =
        description.unit.flatMap { DateBins(from: least, to: greatest, unit: $0, atMost: 10_000) }
        ?? DateBins(from: least, to: greatest, atMost: description.bins)
      scale = .dates(bins)
    case (let least, let greatest)?:
      guard let low = least.plotNumber, let high = greatest.plotNumber else {
        scale = .categories
        return
      }
      var isWhole = false
      if case .int = least { isWhole = true }
      scale = .numbers(NumberBins(from: low, to: high, atMost: description.bins, wholeNumbers: isWhole))
    case nil: scale = .categories
    }
  }

  private static func numbers(_ bounds: Bounds?) -> (Double, Double)? {
    guard let bounds, let low = bounds.least.plotNumber, let high = bounds.greatest.plotNumber else { return nil }
    return (low, high)
  }

  /// Takes a row.
  public mutating func add(x: Value, y: Value, color: Value) {
    rows += 1
    let place = description.color == nil ? seriesPlace("") : seriesPlace(color.isNull ? "nil" : color.displayText)
    guard let aggregate = description.aggregate else {
      guard let x = x.plotNumber, let y = y.plotNumber, x.isFinite, y.isFinite else {
        missing += 1
        return
      }
      return add(Plot.Point(x: x, y: y), to: place)
    }
    var number = 0.0
    if aggregate != .count {
      guard let value = y.plotNumber else {
        missing += 1
        return
      }
      number = value
    }
    guard let band = band(of: x) else {
      // Lines along a scale have nowhere to show rows without a value.
      if description.mark != .bar, hasScale { missing += 1 } else { missingTotals[place].add(number) }
      return
    }
    if totals[place].count <= band {
      totals[place].append(contentsOf: repeatElement(Total(), count: band + 1 - totals[place].count))
    }
    totals[place][band].add(number)
  }

  private var hasScale: Bool {
    if case .categories = scale { false } else { true }
  }

  private mutating func seriesPlace(_ name: String) -> Int {
    if let place = seriesPlaces[name] { return place }
    if series.count == Self.mostSeries {
      series[series.count - 1] = "others"
      return series.count - 1
    }
    seriesPlaces[name] = series.count
    series.append(name)
    totals.append([])
    missingTotals.append(Total())
    points.append([])
    occupied.append([])
    return series.count - 1
  }

  /// Points in the same cell are one: what is drawn costs by cells.
  private mutating func add(_ point: Plot.Point, to place: Int) {
    guard let xBounds, let yBounds else { return }
    let column = Self.cell(point.x, xBounds)
    let row = Self.cell(point.y, yBounds)
    if occupied[place].insert(column * Int(Self.cells + 1) + row).inserted { points[place].append(point) }
  }

  private static func cell(_ value: Double, _ bounds: (Double, Double)) -> Int {
    let part = (value / 2 - bounds.0 / 2) / (bounds.1 / 2 - bounds.0 / 2)
    return part.isFinite ? Int((min(max(part, 0), 1) * cells).rounded(.down)) : 0
  }

  /// The band of a value; nil where there is none.
  private mutating func band(of value: Value) -> Int? {
    switch (scale, value) {
    case (_, .null): return nil
    case (.numbers(let bins), _): return value.plotNumber.map(bins.index)
    case (.dates(let bins), .date(let date)): return bins.index(of: date)
    case (.dates, _): return nil
    case (.categories, _):
      let text = value.displayText
      if let place = categoryPlaces[text] { return place }
      let place = min(categories.count, Self.mostCategories)
      if place == categories.count { categories.append(place == Self.mostCategories ? "others" : text) }
      if place < Self.mostCategories { categoryPlaces[text] = place }
      return place
    }
  }

  /// The plot of all rows that were added.
  public func plot() -> Plot {
    var isDate = false
    if case .dates = scale { isDate = true }
    var plot = Plot(
      description: description, content: .points(points), series: series, hasDates: isDate, rows: rows, missing: missing
    )
    plot.verticalHasDates = verticalHasDates
    if let aggregate = description.aggregate { plot.content = bars(aggregate) }
    // The order in which rows come tells nothing: series are by name.
    let order = series.indices.sorted { series[$0] < series[$1] }
    plot.series = order.map { series[$0] }
    switch plot.content {
    case .bars(let bands, let values): plot.content = .bars(bands, order.map { values[$0] })
    case .points(let points): plot.content = .points(order.map { points[$0].sorted { ($0.x, $0.y) < ($1.x, $1.y) } })
    }
    return plot
  }

  private func bars(_ aggregate: PlotDescription.Aggregate) -> Plot.Content {
    var (bands, columns) = allBands(aggregate)
    if missingTotals.contains(where: { $0.count > 0 }) {
      bands.append(Plot.Band(label: "nil", isRest: true))
      columns.append(missingTotals)
    }
    let values = series.indices.map { place in
      columns.map { column -> Double? in
        let value = column[place].value(aggregate)
        return value == nil && (aggregate == .count || aggregate == .sum) ? 0 : value
      }
    }
    return .bars(bands, values)
  }

  /// The bands with what each series has there.
  private func allBands(_ aggregate: PlotDescription.Aggregate) -> ([Plot.Band], [[Total]]) {
    func column(_ band: Int) -> [Total] { totals.map { band < $0.count ? $0[band] : Total() } }
    switch scale {
    case .numbers(let bins):
      let places = Array(0..<bins.count)
      return (
        places.map { Plot.Band(label: bins.label($0), start: bins.start($0), end: bins.start($0 + 1)) },
        places.map(column)
      )
    case .dates(let bins):
      let places = Array(0..<bins.count)
      return (
        places.map { Plot.Band(label: bins.label($0), start: bins.start($0), end: bins.start($0 + 1)) },
        places.map(column)
      )
    case .categories:
      let whole = categories.indices.map { band in
        column(band).reduce(into: Total()) { $0.add($1) }.value(aggregate) ?? 0
      }
      let sorted = categories.indices.sorted {
        if description.isOrdered { return categories[$0] < categories[$1] }
        return whole[$0] != whole[$1] ? whole[$0] > whole[$1] : categories[$0] < categories[$1]
      }
      let limit = sorted.count > description.bins ? max(description.bins - 1, 1) : sorted.count
      var bands = sorted.prefix(limit).map { Plot.Band(label: categories[$0]) }
      var columns = sorted.prefix(limit).map(column)
      let rest = sorted.dropFirst(limit)
      if !rest.isEmpty {
        bands.append(Plot.Band(label: "\(Quantity.grouped(rest.count)) others", isRest: true))
        columns.append(
          rest.map(column).reduce(into: series.map { _ in Total() }) { sum, next in
            for place in sum.indices { sum[place].add(next[place]) }
          })
      }
      return (bands, columns)
    }
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
