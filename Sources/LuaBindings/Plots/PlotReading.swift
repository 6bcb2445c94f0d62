internal import LuaRuntime
internal import Modeling
internal import Plots

/// The parsed options of a plot, with the text of each channel.
struct PlotReading {
  var description: PlotDescription
  /// The horizontal axis; nil for none, as in a box plot of all rows.
  var x: String?
  /// The vertical axis, or the operand of its aggregate.
  var y: String?
  /// The series, or the operand of a heat map's aggregate.
  var color: String?
  var facet: String?
  /// Whether the options give the number of bins.
  var hasBins = false

  /// Whether the horizontal axis has categories, even if its values are numbers.
  var isNamed = false

  /// The texts of the channels, in their order.
  var channels: [String?] { [x, y, color, facet] }

  private static let options: [(name: String, summary: String)] = [
    ("x", "A key path or an expression; numbers and dates are counted in round ranges."),
    ("y", "`count`, `sum(path)`, `average(path)`, `min(path)` or `max(path)`; a key path draws each object."),
    ("color", "A key path or an expression; each of its values is a series."),
    ("mark", "The marks: bar, point, line, area, box or rect."),
    ("facet", "A key path or an expression; each of its values has a small plot."),
    ("bins", "The maximum number of bars, 20 by default."),
    ("unit", "The unit of the calendar by which dates are counted."),
    ("xScale", "`log` for a scale on which equal ways are equal factors."), ("yScale", "`log`, as `xScale`."),
    ("xDomain", "The ends of the axis: two numbers or two dates."), ("yDomain", "The ends of the axis: two numbers."),
    ("title", "The headline."), ("width", "The columns."), ("height", "The lines of points and lines."),
  ]

  static let names = options.map(\.name)

  static var entries: [CatalogEntry] {
    CatalogEntry.options(of: "plot", example: #"plot(Quake, { x = "time", y = "magnitude" })"#, options)
  }

  /// The channels before they are combined into one plot.
  struct Channels {
    var mark: PlotDescription.Mark?
    var x: String?
    var y: String?
    var color: String?
    var facet: String?
  }

  /// Parses the table of options, or a Vega-Lite specification, which is a table or text.
  init(_ call: Call, _ argument: Int32, isList: Bool) throws {
    if let specification = try Self.specification(call, argument) {
      try self.init(specification, isList: isList, call)
      return
    }
    if !isList, call.type(argument) != .table { throw call.expected("a table of options with x", argument) }
    let options = try call.options(argument, Self.names)
    try self.init(
      Channels(
        mark: try options.choice("mark", PlotDescription.Mark.self), x: try options.string("x"),
        y: try options.string("y"), color: try options.string("color"), facet: try options.string("facet")),
      isList: isList, call)
    description.bins = try options.size("bins") ?? description.bins
    hasBins = options.has("bins")
    description.unit = try options.choice("unit", CalendarUnit.self)
    description.title = try options.string("title")
    description.width = try options.size("width")
    description.height = try options.size("height")
    description.xAxis.scale = try options.choice("xScale", PlotDescription.Scale.self) ?? .linear
    description.yAxis.scale = try options.choice("yScale", PlotDescription.Scale.self) ?? .linear
    description.xAxis.domain = try options.domain("xDomain", isLogarithmic: description.xAxis.scale == .log)
    description.yAxis.domain = try options.domain("yDomain", isLogarithmic: description.yAxis.scale == .log)
  }

  /// The Vega-Lite specification in an argument; nil if the argument is a table of options.
  private static func specification(_ call: Call, _ argument: Int32) throws -> JSON? {
    switch call.type(argument) {
    case .string:
      let text = try call.string(argument)
      guard text.contains("{") else {
        throw call.fail(
          "expected a table of options, or a specification of Vega-Lite; a key path is given as { x = \(text.quotedForLua) }"
        )
      }
      return try JSON.parse(text)
    case .table:
      let options = Options(call: call, index: call.index(argument))
      guard options.has("encoding") || options.has("$schema") else { return nil }
      guard
        case .json(let json)? = try call.engine.values.value(
          at: call.index(argument), on: call.stack, place: call.place)
      else { return nil }
      return json
    default: return nil
    }
  }

  private init(_ specification: JSON, isList: Bool, _ call: Call) throws {
    let reading = try VegaLiteReading(specification, call)
    try self.init(reading.channels, isList: isList, call)
    let asked = reading.description
    (description.xAxis, description.yAxis, description.unit) = (asked.xAxis, asked.yAxis, asked.unit)
    (description.bins, description.isOrdered, description.title) = (asked.bins, asked.isOrdered, asked.title)
    if !asked.x.isEmpty { description.x = asked.x }
    if !asked.y.isEmpty { description.y = asked.y }
    (hasBins, isNamed) = (reading.hasBins, reading.isNamed)
  }

  /// Combines channels into one plot.
  init(_ channels: Channels, isList: Bool, _ call: Call) throws {
    x = channels.x
    facet = channels.facet
    if x == nil, !isList, channels.mark != .box { throw call.fail(.missing("x")) }
    var (over, aggregate) = channels.y.map(Self.split) ?? (nil, .count)
    let text = channels.y ?? ""
    switch channels.mark {
    case .rect:
      guard aggregate == nil else { throw call.fail(.missing("y")) }
      let (value, told) = channels.color.map(Self.split) ?? (nil, .count)
      guard let told else {
        let color = channels.color ?? ""
        throw call.fail(
          "the colours of mark = \"rect\" tell one thing of the objects in each cell: color = \"average(\(color))\"")
      }
      (over, aggregate, color) = (channels.y, told, told == .count ? nil : value)
    case .box:
      if aggregate != nil { throw call.fail("a box is of the values themselves: y = \"\(over ?? "magnitude")\"") }
      color = channels.color
    default:
      if channels.mark == .bar, aggregate == nil, isList { aggregate = .sum }
      if channels.mark == .bar, aggregate == nil {
        throw call.fail("bars tell one thing of the objects at each x: y = \"average(\(text))\", sum, min or max")
      }
      if aggregate == .count { over = nil }
      color = channels.color
    }
    y = over
    description = PlotDescription(
      mark: channels.mark ?? (aggregate == nil ? .point : .bar),
      x: x ?? (isList && channels.mark != .box ? "value" : ""),
      y: channels.y ?? "count", aggregate: aggregate)
    description.color = channels.mark == .rect ? channels.color ?? "count" : channels.color
    description.facet = channels.facet
  }

  /// Splits `average(magnitude)` into its operand and the aggregate; other texts have no aggregate.
  static func split(_ text: String) -> (String?, PlotDescription.Aggregate?) {
    let text = text.filter { $0 != " " }
    if text == "count" || text == "count()" { return (nil, .count) }
    for (word, aggregate) in [
      ("sum(", PlotDescription.Aggregate.sum), ("average(", .average), ("avg(", .average), ("min(", .min),
      ("max(", .max),
      ("count(", .count),
    ] where text.hasPrefix(word) && text.hasSuffix(")") {
      return (String(text.dropFirst(word.count).dropLast()), aggregate)
    }
    return (text, nil)
  }
}

extension Options {
  /// The two ends of an axis, numbers or dates.
  fileprivate func domain(_ name: String, isLogarithmic: Bool) throws -> ClosedRange<Double>? {
    try with(name) { index in
      let stack = call.stack
      let ends = try stack.elements(at: index) { element in
        try call.engine.values.value(at: element, on: stack, place: call.place)?.plotNumber
      }
      guard let ends, ends.count == 2, let low = ends[0], let high = ends[1], low < high, low.isFinite, high.isFinite
      else { throw expected("a list of two numbers or dates, the lesser first", name, index) }
      if isLogarithmic, low <= 0 {
        throw ScriptError("\(call.place): \(name)", .expected("numbers above 0, as the scale is log", found: "\(low)"))
      }
      return low...high
    }
  }
}
