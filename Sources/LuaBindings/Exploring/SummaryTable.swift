internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Queries

/// The summary of a request as a Lua table, and as rows for display.
struct SummaryTable {
  private let summaries: [PropertySummary]
  private let context: BoundContext
  private let isASCII: Bool

  init(_ summaries: [PropertySummary], _ context: BoundContext, isASCII: Bool) {
    self.summaries = summaries
    self.context = context
    self.isASCII = isASCII
  }

  /// A list with a table for each property, which is also a field with the property's name.
  func answer(_ call: Call) throws -> ReturnValue {
    let stack = call.stack
    stack.reserve(12)
    stack.pushTable(hash: Int32(clamping: summaries.count))
    stack.pushTable(array: Int32(clamping: summaries.count))
    for (number, summary) in summaries.enumerated() {
      try push(summary, on: stack)
      stack.pushCopy(of: -1)
      stack.rawSet(field: summary.name, at: -4)
      stack.rawSet(element: Int64(number + 1), at: -2)
    }
    call.setListing(
      listing, columns: ["property", "type", "count", "nulls", "distinct", "min", "max", "mean", "median"],
      isNamed: true)
    return .pushed(1)
  }

  private func push(_ summary: PropertySummary, on stack: LuaStack) throws {
    stack.pushTable(hash: 16)
    stack.push(summary.name)
    stack.rawSet(field: "property", at: -2)
    stack.push(summary.type)
    stack.rawSet(field: "type", at: -2)
    for (name, number) in [("total", summary.total), ("count", summary.count), ("nulls", summary.nulls)] {
      stack.push(number)
      stack.rawSet(field: name, at: -2)
    }
    if let distinct = summary.distinct {
      stack.push(distinct)
      stack.rawSet(field: "distinct", at: -2)
    }
    stack.push(summary.isEstimated)
    stack.rawSet(field: "estimated", at: -2)
    switch summary.measure {
    case .value, .members: try set(summary.measures, on: stack)
    case .length, .size:
      try set(["min": summary.least, "max": summary.greatest], on: stack)
      stack.pushTable(hash: 8)
      try set(summary.measures, on: stack)
      stack.rawSet(field: summary.measure == .length ? "length" : "size", at: -2)
    case .none: try set(["min": summary.least, "max": summary.greatest], on: stack)
    }
    stack.pushTable(array: Int32(clamping: summary.top.count))
    for (number, top) in summary.top.enumerated() {
      stack.pushTable(hash: 2)
      try set(["value": top.value, "count": .int(Int64(top.count))], on: stack)
      stack.rawSet(element: Int64(number + 1), at: -2)
    }
    stack.rawSet(field: "top", at: -2)
  }

  private func set(_ values: [String: Value], on stack: LuaStack) throws {
    for (name, value) in values where !value.isNull {
      try context.push(value, on: stack)
      stack.rawSet(field: name, at: -2)
    }
  }

  private func set(_ measures: PropertySummary.Measures, on stack: LuaStack) throws {
    try set(["min": measures.least, "max": measures.greatest, "mean": measures.mean], on: stack)
    if measures.quartiles.count == 3 { try set(["median": measures.quartiles[1]], on: stack) }
    stack.pushTable(array: 3)
    for (number, quartile) in measures.quartiles.enumerated() {
      try context.push(quartile, on: stack)
      stack.rawSet(element: Int64(number + 1), at: -2)
    }
    stack.rawSet(field: "quartiles", at: -2)
    stack.pushTable(array: Int32(clamping: measures.histogram.count))
    for (number, bucket) in measures.histogram.enumerated() {
      stack.pushTable(hash: 3)
      try set(["min": bucket.least, "max": bucket.greatest, "count": .int(Int64(bucket.count))], on: stack)
      stack.rawSet(element: Int64(number + 1), at: -2)
    }
    stack.rawSet(field: "histogram", at: -2)
  }

  // MARK: For people

  private var listing: Listing {
    let columns: [Listing.Column] = [
      ("property", false), ("nil", true), ("distinct", true), ("min", false), ("median", false), ("max", false),
      ("mean", false), ("spread", false), ("most frequent", false),
    ]
    let objects = Quantity.count(summaries.first?.total ?? 0, "object")
    return Listing(
      columns: columns, count: summaries.count,
      rowName: (summaries.count == 1 ? "property" : "properties") + " of \(objects)"
    ) { row(summaries[$0]) }
  }

  private func row(_ summary: PropertySummary) -> [Value] {
    let measures = summary.measures
    let isText = summary.measure == .length || summary.measure == .none
    let (least, greatest) = isText ? (summary.least, summary.greatest) : (measures.least, measures.greatest)
    let about = summary.isEstimated ? (isASCII ? "~" : "≈") : ""
    return [
      .string(summary.name), .int(Int64(summary.nulls)),
      summary.distinct.map { about.isEmpty ? .int(Int64($0)) : .string(about + String($0)) } ?? .string(""),
      cell(least, summary),
      summary.measure == .length ? .string("") : cell(measures.quartiles.dropFirst().first, summary),
      cell(greatest, summary), mean(summary), .string(blocks(measures.histogram)),
      .string(top(summary)),
    ]
  }

  private func mean(_ summary: PropertySummary) -> Value {
    guard summary.measure == .length, case .double(let length) = summary.measures.mean else {
      return cell(summary.measures.mean, summary)
    }
    return .string("\(Quantity.significant(length, digits: 3)) long")
  }

  private func cell(_ value: Value?, _ summary: PropertySummary) -> Value {
    guard let value, !value.isNull else { return .string("") }
    return .string(short(value, isSize: summary.measure == .size, toTheDay: summary.isOfDays))
  }

  /// A value with its significant digits; a text of at most `width` characters.
  private func short(_ value: Value, isSize: Bool = false, toTheDay: Bool = false, width: Int = 18) -> String {
    switch value {
    case .double(let number) where isSize: return Quantity.bytes(Int(saturating: number.rounded()))
    case .int(let number) where isSize: return Quantity.bytes(Int(number))
    case .double(let number): return Quantity.significant(number, digits: 5)
    case .date(let date) where date.seconds.isFinite:
      let text = Timestamp(date.seconds.rounded(.down)).iso8601
      return toTheDay ? String(text.prefix { $0 != "T" }) : text
    case .object(let id):
      let object = context.objectContext.object(id)
      return ((try? object.exists()) ?? false) ? cut(ObjectText.title(of: object), width) : "\(id) (missing)"
    default: return cut(value.displayText, width)
    }
  }

  private func cut(_ text: String, _ width: Int) -> String {
    text.count > width ? text.prefix(width - 1) + (isASCII ? "~" : "…") : text
  }

  private func top(_ summary: PropertySummary) -> String {
    summary.top.prefix(2).map { top in
      let value = short(top.value, toTheDay: summary.isOfDays, width: 14)
      return "\(value) \(isASCII ? "x" : "×")\(top.count)"
    }.joined(separator: ", ")
  }

  /// A histogram as a row of blocks, the tallest for the fullest range; ranges without values are blank.
  private func blocks(_ buckets: [PropertySummary.Bucket]) -> String {
    let levels = Array(isASCII ? ".:-=+*#@" : "▁▂▃▄▅▆▇█")
    guard let most = buckets.map(\.count).max(), most > 0 else { return "" }
    return String(
      buckets.map { bucket in
        bucket.count == 0 ? " " : levels[min((bucket.count * levels.count - 1) / most, levels.count - 1)]
      })
  }
}

extension PropertySummary {
  /// Whether the values are dates so far apart that the time of day does not matter.
  fileprivate var isOfDays: Bool {
    guard case .date(let first) = measures.least, case .date(let last) = measures.greatest else { return false }
    return last.seconds - first.seconds > 7 * 86_400
  }
}
