internal import Modeling

/// The bands that values of one axis fall into: ranges of numbers or dates, or the values themselves.
struct BandScale {
  private enum Kind {
    case numbers(NumberBins)
    case powers(LogBins)
    case dates(DateBins)
    case categories
  }

  /// Where a value belongs.
  enum Place: Equatable {
    case band(Int)
    /// There is no value.
    case missing
    /// The value has no place on a scale: zero on one of powers, a text among numbers.
    case impossible
    case outside
    /// It is beyond the ranges, and is counted in the nearest one.
    case beyond(Int)
  }

  /// The maximum number of categories.
  private static let mostCategories = 100_000

  private let kind: Kind
  private let domain: ClosedRange<Double>?
  private let isLogarithmic: Bool
  private var categoryPlaces: [String: Int] = [:]
  private(set) var categories: [String] = []

  var isCategorical: Bool {
    if case .categories = kind { true } else { false }
  }

  var hasDates: Bool {
    if case .dates = kind { true } else { false }
  }

  init(_ bounds: PlotBuilder.Bounds?, _ description: PlotDescription, _ axis: PlotDescription.Axis) {
    domain = bounds == nil ? nil : axis.domain
    isLogarithmic = axis.scale == .log
    let limit = description.bins
    switch bounds {
    case (.date(let least), .date(let greatest))?:
      let from = domain.map { Timestamp($0.lowerBound) } ?? least
      let to = domain.map { Timestamp(Self.lastPlace($0)) } ?? greatest
      kind = .dates(
        description.unit.flatMap { DateBins(from: from, to: to, unit: $0, atMost: 10_000) }
          ?? DateBins(from: from, to: to, atMost: limit))
    case (let least, let greatest)?:
      guard let low = least.plotNumber, let high = greatest.plotNumber else {
        kind = .categories
        return
      }
      let from = domain?.lowerBound ?? low
      let to = domain.map(Self.lastPlace) ?? high
      if isLogarithmic {
        kind = .powers(LogBins(from: from > 0 ? from : min(axis.leastPositive ?? 1, to), to: to, atMost: limit))
      } else {
        var isWhole = false
        if case .int = least { isWhole = from == from.rounded() }
        kind = .numbers(NumberBins(from: from, to: to, atMost: limit, wholeNumbers: isWhole))
      }
    case nil: kind = .categories
    }
  }

  /// The last place that needs a range: the end of a domain is in the last one, and begins none.
  private static func lastPlace(_ domain: ClosedRange<Double>) -> Double {
    domain.upperBound - (domain.upperBound / 2 - domain.lowerBound / 2) * 1e-6
  }

  /// Whether a band is the first or the last of an axis that has its ends from the rows.
  func isEnd(_ band: Int) -> Bool {
    guard domain == nil else { return false }
    let count =
      switch kind {
      case .numbers(let bins): bins.count
      case .powers(let bins): bins.count
      case .dates(let bins): bins.count
      case .categories: 0
      }
    return count > 0 && (band == 0 || band == count - 1)
  }

  mutating func place(of value: Value) -> Place {
    if case .null = value { return .missing }
    switch kind {
    case .categories:
      let text = value.displayText
      if let place = categoryPlaces[text] { return .band(place) }
      let place = min(categories.count, Self.mostCategories)
      if place == categories.count { categories.append(place == Self.mostCategories ? "others" : text) }
      if place < Self.mostCategories { categoryPlaces[text] = place }
      return .band(place)
    case .numbers(let bins):
      return place(value.plotNumber, bins.start(0), bins.start(bins.count)) { bins.index(of: $0) }
    case .powers(let bins):
      return place(value.plotNumber, bins.edges[0], bins.edges[bins.count]) { bins.index(of: $0) }
    case .dates(let bins):
      guard case .date(let date) = value else { return .impossible }
      return place(date.seconds, bins.start(0), bins.start(bins.count)) { _ in bins.index(of: date) }
    }
  }

  private func place(_ number: Double?, _ start: Double, _ end: Double, _ index: (Double) -> Int) -> Place {
    guard let number, !isLogarithmic || number > 0 else { return .impossible }
    if let domain { return domain.contains(number) ? .band(index(number)) : .outside }
    return number < start || number > end ? .beyond(index(number)) : .band(index(number))
  }

  /// The bands in the order in which they are shown, each with the places that it has.
  ///
  /// `weight` orders the categories, and is nil for those without rows; the last ones share a band.
  func bands(_ description: PlotDescription, weight: (Int) -> Double?) -> [(band: Plot.Band, places: [Int])] {
    switch kind {
    case .numbers(let bins):
      return (0..<bins.count).map {
        (Plot.Band(label: bins.label($0), start: bins.start($0), end: bins.start($0 + 1)), [$0])
      }
    case .powers(let bins):
      return (0..<bins.count).map {
        (Plot.Band(label: bins.label($0), start: bins.edges[$0], end: bins.edges[$0 + 1]), [$0])
      }
    case .dates(let bins):
      return (0..<bins.count).map {
        (Plot.Band(label: bins.label($0), start: bins.start($0), end: bins.start($0 + 1)), [$0])
      }
    case .categories:
      let weights = categories.indices.map(weight)
      let sorted = categories.indices.filter { weights[$0] != nil }.sorted {
        if description.isOrdered { return categories[$0] < categories[$1] }
        let (one, other) = (weights[$0] ?? 0, weights[$1] ?? 0)
        return one != other ? one > other : categories[$0] < categories[$1]
      }
      let limit = sorted.count > description.bins ? max(description.bins - 1, 1) : sorted.count
      var bands = sorted.prefix(limit).map { (band: Plot.Band(label: categories[$0]), places: [$0]) }
      let rest = Array(sorted.dropFirst(limit))
      if !rest.isEmpty {
        bands.append((Plot.Band(label: "\(Quantity.grouped(rest.count)) others", isRest: true), rest))
      }
      return bands
    }
  }
}
