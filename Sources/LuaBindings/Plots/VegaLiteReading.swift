internal import Modeling
internal import Plots

/// A Vega-Lite 5 specification as the options of a plot; unsupported parts are refused with their path.
///
/// Fields are key paths: `{"field": "quake.magnitude"}`.
struct VegaLiteReading {
  private let call: Call
  private(set) var channels = PlotReading.Channels()
  private(set) var description = PlotDescription(mark: .bar, x: "", y: "", aggregate: nil)
  private(set) var hasBins = false
  /// Whether the horizontal axis has categories, even if its values are numbers.
  private(set) var isNamed = false

  /// The encoding of a channel.
  private struct Channel {
    var field: String?
    var type: String?
    var aggregate: String?
    var bins: Int?
    var unit: CalendarUnit?
    var title: String?
    var axis = PlotDescription.Axis()

    /// Whether the axis has groups of values rather than positions on a scale.
    var isGrouped: Bool { bins != nil || unit != nil || isNamed }
    var isNamed: Bool { type == "nominal" || type == "ordinal" }

    /// The channel as an option: `average(magnitude)`.
    var text: String? {
      guard let aggregate else { return field }
      return aggregate == "count" ? "count" : "\(aggregate)(\(field ?? ""))"
    }
  }

  private static let marks: [String: PlotDescription.Mark] = [
    "bar": .bar, "point": .point, "circle": .point, "line": .line, "area": .area, "boxplot": .box, "rect": .rect,
  ]
  private static let aggregates = [
    "count": "count", "sum": "sum", "mean": "average", "average": "average", "min": "min", "max": "max",
  ]
  private static let units: [String: CalendarUnit] = [
    "year": .year, "yearquarter": .quarter, "yearmonth": .month, "yearweek": .week, "yearmonthdate": .day,
    "yearmonthdatehours": .hour, "yearmonthdatehoursminutes": .minute, "yearmonthdatehoursminutesseconds": .second,
  ]

  init(_ specification: JSON, _ call: Call) throws {
    self.call = call
    let top = try members(specification, "", ["$schema", "title", "description", "mark", "encoding"])
    if let schema = try text(top["$schema"], "$schema"), !schema.contains("vega-lite") {
      throw fault("$schema", .expected("one of Vega-Lite", found: "\"\(schema)\""))
    }
    description.title = try text(top["title"], "title")
    try readMark(top["mark"])
    try readEncoding(top["encoding"])
  }

  private mutating func readMark(_ json: JSON?) throws {
    var name = json
    if case .object? = json {
      // Each output form decides the look of marks.
      let mark = try members(json, "mark", ["type", "tooltip", "clip", "line", "opacity", "point"])
      name = mark["type"]
    }
    guard let word = try text(name, "mark") else { throw fault("mark", .missing("mark")) }
    guard let mark = Self.marks[word] else {
      throw fault("mark", .expected(oneOf(Self.marks.keys), found: "\"\(word)\""))
    }
    channels.mark = mark
  }

  private mutating func readEncoding(_ json: JSON?) throws {
    guard json != nil else { throw fault("encoding", .missing("encoding")) }
    let encoding = try members(json, "encoding", ["x", "y", "color", "facet", "row", "column"])
    var (x, y) = (try channel(encoding["x"], "encoding.x"), try channel(encoding["y"], "encoding.y"))
    // Bars and boxes may be horizontal: then the other axis has the values.
    if x.aggregate != nil, y.aggregate == nil { swap(&x, &y) }
    if channels.mark == .box, y.isNamed || y.field == nil { swap(&x, &y) }
    if let aggregate = x.aggregate {
      throw fault("encoding.x.aggregate", "\(aggregate) cannot be on both axes")
    }
    let isTold = y.aggregate != nil && channels.mark != .rect
    if isTold, x.field != nil, !x.isGrouped {
      let way = x.type == "temporal" ? "a timeUnit" : "bin = true, or the type \"ordinal\""
      throw fault("encoding.x", "what tells \(y.text ?? "count") of several rows needs \(way)")
    }
    if !isTold, channels.mark != .rect, channels.mark != .box, x.bins != nil || y.bins != nil {
      throw fault("encoding.\(x.bins == nil ? "y" : "x").bin", "only what is aggregated has bins")
    }
    (channels.x, channels.y) = (x.field, y.text)
    (description.xAxis, description.yAxis) = (x.axis, y.axis)
    description.x = x.title ?? ""
    description.y = y.title ?? ""
    isNamed = x.isNamed
    description.isOrdered = x.type == "ordinal"
    description.unit = x.unit
    if let bins = x.bins ?? y.bins { (description.bins, hasBins) = (bins, true) }
    try readColor(encoding["color"])
    let facets = ["facet", "row", "column"].filter { encoding[$0] != nil }
    if facets.count > 1 { throw fault("encoding.\(facets[1])", "a plot has one facet") }
    if let name = facets.first { channels.facet = try channel(encoding[name], "encoding.\(name)").field }
  }

  private mutating func readColor(_ json: JSON?) throws {
    guard json != nil else { return }
    let color = try channel(json, "encoding.color")
    if color.aggregate == nil, color.type == "quantitative" || color.type == "temporal" {
      throw fault("encoding.color.type", .expected("\"nominal\" or \"ordinal\"", found: "\"\(color.type ?? "")\""))
    }
    if color.aggregate != nil, channels.mark != .rect {
      throw fault("encoding.color.aggregate", "only the colours of the mark \"rect\" tell an aggregate")
    }
    channels.color = color.text
  }

  private func channel(_ json: JSON?, _ path: String) throws -> Channel {
    var channel = Channel()
    guard json != nil else { return channel }
    let parts = try members(
      json, path, ["field", "type", "aggregate", "bin", "timeUnit", "title", "scale", "sort", "stack"])
    channel.field = try text(parts["field"], "\(path).field")
    channel.title = try text(parts["title"], "\(path).title")
    channel.type = try word(parts["type"], "\(path).type", ["quantitative", "temporal", "nominal", "ordinal"])
    channel.aggregate = try word(parts["aggregate"], "\(path).aggregate", Array(Self.aggregates.keys)).flatMap {
      Self.aggregates[$0]
    }
    if channel.field == nil, channel.aggregate != "count" { throw fault("\(path).field", .missing("field")) }
    channel.bins = try bins(parts["bin"], "\(path).bin")
    if let unit = try text(parts["timeUnit"], "\(path).timeUnit") {
      let name = unit.hasPrefix("utc") ? String(unit.dropFirst(3)) : unit
      guard let unit = Self.units[name] else {
        throw fault("\(path).timeUnit", .expected(oneOf(Self.units.keys), found: "\"\(unit)\""))
      }
      channel.unit = unit
    }
    try readScale(parts["scale"], "\(path).scale", &channel)
    for name in ["sort", "stack"] where parts[name] != nil && parts[name] != .null {
      if name == "stack", [.string("zero"), .bool(true)].contains(parts[name]) { continue }
      throw fault("\(path).\(name)", .expected("null", found: parts[name]?.text ?? ""))
    }
    return channel
  }

  private func bins(_ json: JSON?, _ path: String) throws -> Int? {
    switch json {
    case nil, .null?, .bool(false)?: return nil
    case .bool(true)?: return description.bins
    default:
      let bin = try members(json, path, ["maxbins"])
      guard case .int(let number)? = bin["maxbins"], (1...10_000).contains(number) else {
        throw fault("\(path).maxbins", .expected("a number from 1 to 10000", found: bin["maxbins"]?.text ?? "nothing"))
      }
      return Int(number)
    }
  }

  private func readScale(_ json: JSON?, _ path: String, _ channel: inout Channel) throws {
    guard let json, json != .null else { return }
    let scale = try members(json, path, ["type", "domain", "zero", "nice"])
    if try word(scale["type"], "\(path).type", ["linear", "log", "time", "utc"]) == "log" { channel.axis.scale = .log }
    guard let domain = scale["domain"] else { return }
    guard case .array(let ends) = domain, ends.count == 2, let low = position(ends[0]), let high = position(ends[1]),
      low < high, low > 0 || channel.axis.scale == .linear
    else { throw fault("\(path).domain", .expected("two numbers or dates, the lesser first", found: domain.text)) }
    channel.axis.domain = low...high
  }

  // MARK: Values

  /// A number, or the seconds of an ISO 8601 date.
  private func position(_ json: JSON) -> Double? {
    switch json {
    case .int(let number): Double(number)
    case .double(let number): number.isFinite ? number : nil
    case .string(let text): Timestamp(iso8601: text)?.seconds
    default: nil
    }
  }

  private func members(_ json: JSON?, _ path: String, _ allowed: [String]) throws -> [String: JSON] {
    guard case .object(let members)? = json else {
      throw fault(path, .expected("an object", found: json?.text ?? "nothing"))
    }
    for name in members.keys.sorted() where !allowed.contains(name) {
      throw fault(
        path.isEmpty ? name : "\(path).\(name)",
        "this is outside of the part of Vega-Lite that plots have"
          + (nearest(name, allowed).map { "; did you mean '\($0)'?" } ?? ""))
    }
    return members
  }

  private func text(_ json: JSON?, _ path: String) throws -> String? {
    switch json {
    case nil, .null?: return nil
    case .string(let text)?: return text
    case let other?: throw fault(path, .expected("a string", found: other.text))
    }
  }

  private func word(_ json: JSON?, _ path: String, _ words: [String]) throws -> String? {
    guard let word = try text(json, path) else { return nil }
    guard words.contains(word) else { throw fault(path, .expected(oneOf(words), found: "\"\(word)\"")) }
    return word
  }

  private func oneOf(_ words: some Sequence<String>) -> String {
    "one of " + ErrorReport.list(words.sorted().map { "\"\($0)\"" }, "or")
  }

  private func fault(_ path: String, _ text: String) -> ScriptError { fault(path, .other(text)) }

  private func fault(_ path: String, _ fact: ScriptError.Fact) -> ScriptError {
    ScriptError(path.isEmpty ? call.place : "\(call.place): \(path)", fact)
  }
}
