internal import Modeling
internal import Plots
internal import Queries
internal import Storage

// How the values of the objects that fulfil a predicate are spread.
extension PredicateInquiry {
  /// The greatest number of different texts that are counted.
  private static let mostTexts = 100_000

  /// The attributes that can be plotted.
  var plottableAttributes: [Attribute] {
    entity.properties.compactMap(\.attribute).filter { attribute in
      guard !attribute.isTransient else { return false }
      switch attribute.type {
      case .uuid, .data, .transformable, .composite: return false
      default: return true
      }
    }
  }

  /// The one that is plotted first: the first with numbers or dates.
  var firstPlotted: Int {
    plottableAttributes.firstIndex { $0.type.isNumeric || $0.type == .date } ?? 0
  }

  /// The bars of an attribute, no more than `limit`.
  func plot(_ attribute: Attribute, _ predicate: Predicate?, atMost limit: Int) throws -> SpreadOfValues {
    let limit = max(limit - 1, 2)
    switch attribute.type {
    case let type where type.isNumeric:
      return try numbers(attribute, predicate, limit)
    case .date: return try dates(attribute, predicate, limit)
    default: return try texts(attribute, predicate, limit)
    }
  }

  private func numbers(_ attribute: Attribute, _ predicate: Predicate?, _ limit: Int) throws -> SpreadOfValues {
    guard let (least, greatest) = try bounds(attribute, predicate), let low = least.number, let high = greatest.number
    else { return try texts(attribute, predicate, limit) }
    let bins = NumberBins(from: low, to: high, atMost: limit, wholeNumbers: attribute.type.integerRange != nil)
    var counts = [Int](repeating: 0, count: bins.count)
    let missing = try forEachValue(attribute, predicate) { value in
      if let number = value.number { counts[bins.index(of: number)] += 1 }
    }
    return plot(
      counts.enumerated().map { SpreadOfValues.Bar(label: bins.label($0.offset), count: $0.element) }, missing)
  }

  private func dates(_ attribute: Attribute, _ predicate: Predicate?, _ limit: Int) throws -> SpreadOfValues {
    guard case (.date(let least), .date(let greatest))? = try bounds(attribute, predicate) else {
      return try texts(attribute, predicate, limit)
    }
    let bins = DateBins(from: least, to: greatest, atMost: limit)
    var counts = [Int](repeating: 0, count: bins.count)
    let missing = try forEachValue(attribute, predicate) { value in
      if case .date(let date) = value { counts[bins.index(of: date)] += 1 }
    }
    return plot(
      counts.enumerated().map { SpreadOfValues.Bar(label: bins.label($0.offset), count: $0.element) }, missing)
  }

  private func texts(_ attribute: Attribute, _ predicate: Predicate?, _ limit: Int) throws -> SpreadOfValues {
    var counts: [String: Int] = [:]
    var others = 0
    let missing = try forEachValue(attribute, predicate) { value in
      let text = value.displayText
      if counts[text] != nil || counts.count < Self.mostTexts {
        counts[text, default: 0] += 1
      } else {
        others += 1
      }
    }
    let sorted = counts.sorted { $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key }
    let shown = sorted.count > limit ? limit - 1 : limit
    others += sorted.dropFirst(shown).reduce(0) { $0 + $1.value }
    var bars = sorted.prefix(shown).map { SpreadOfValues.Bar(label: $0.key, count: $0.value) }
    if others > 0 {
      let label = "\(Quantity.grouped(sorted.count - shown)) others"
      bars.append(SpreadOfValues.Bar(label: label, count: others, isRest: true))
    }
    return plot(bars, missing)
  }

  private func plot(_ bars: [SpreadOfValues.Bar], _ missing: Int) -> SpreadOfValues {
    SpreadOfValues(bars: missing == 0 ? bars : bars + [SpreadOfValues.Bar(label: "nil", count: missing, isRest: true)])
  }

  /// The least and the greatest value.
  private func bounds(_ attribute: Attribute, _ predicate: Predicate?) throws -> (Value, Value)? {
    let path = Expression.path(PropertyPath([attribute.name]))
    var request = FetchRequest(entity)
    request.predicate = predicate
    let values = try context.store.aggregate(request, [.call(.min, path), .call(.max, path)])
    return values.count == 2 && !values[0].isNull ? (values[0], values[1]) : nil
  }

  /// Calls `body` with each value, and returns how many objects have none.
  private func forEachValue(
    _ attribute: Attribute, _ predicate: Predicate?, _ body: (Value) -> Void
  ) throws -> Int {
    var request = FetchRequest(entity)
    request.predicate = predicate
    request.resultType = .dictionaries
    request.propertiesToFetch = [FetchedColumn(attribute.name, .path(PropertyPath([attribute.name])))]
    let cursor = try context.store.dictionaries(request)
    defer { cursor.close() }
    var missing = 0
    while try cursor.step() {
      let value = cursor.value(0)
      if value.isNull { missing += 1 } else { body(value) }
    }
    return missing
  }
}

extension Value {
  /// The value on an axis of numbers.
  fileprivate var number: Double? {
    switch self {
    case .int(let number): Double(number)
    case .double(let number): number
    case .decimal(let number): Double(number.canonicalText)
    default: nil
    }
  }
}
