internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Plots
internal import Queries
internal import Stores

/// The rows of a request for a plot, with the expressions of its channels.
struct PlotSource {
  let reading: PlotReading
  let context: BoundContext
  /// The expression of each channel.
  private let expressions: [Queries.Expression?]
  /// The request, whose rows are dictionaries of the channels.
  private var request: Queries.FetchRequest
  /// The called function's name in messages.
  private let place: String

  /// The functions whose results are ordered by time.
  private static let partsOfDates: Set<ExpressionFunction> = [
    .year, .month, .day, .hour, .minute, .second, .weekday,
  ]
  private static let names = ["x", "y", "color", "facet"]

  init(_ call: Call, _ argument: Int32, _ bound: BoundRequest) throws {
    reading = try PlotReading(call, argument, isList: false)
    expressions = try reading.channels.map { text -> Queries.Expression? in
      guard let text else { return nil }
      let expression = try Queries.Expression.parse(text)
      try expression.check(in: bound.entity, for: .fetch)
      return expression
    }
    request = Self.rows(try bound.ready(call))
    context = bound.context
    place = call.place
  }

  /// The same plot for another request.
  func replacing(_ request: Queries.FetchRequest) -> PlotSource {
    var source = self
    source.request = Self.rows(request)
    return source
  }

  /// The request of the rows, without its order and sections.
  private static func rows(_ request: Queries.FetchRequest) -> Queries.FetchRequest {
    var request = request
    (request.sectionIdentifier, request.sectionFunction) = (nil, nil)
    let isPart = (request.fetchLimit ?? 0) > 0 || request.fetchOffset > 0
    if !isPart { request.sortDescriptors = [] }
    return request
  }

  /// Reads all rows once.
  func plot() throws -> Plot { try builder(isLive: false) { _, _ in }.plot() }

  /// The request of the rows as dictionaries: the channels of the plot, in their order.
  var dictionaries: Queries.FetchRequest {
    var request = request
    request.resultType = .dictionaries
    request.propertiesToFetch = zip(Self.names, expressions).compactMap { name, expression in
      expression.map { FetchedColumn(name, $0) }
    }
    return request
  }

  /// Returns the mark of a row of `dictionaries`.
  func mark(_ row: [Value], in builder: inout PlotBuilder) -> PlotBuilder.Mark {
    var values = row.makeIterator()
    let channels = expressions.map { $0 == nil ? nil : values.next() }
    return builder.mark(
      x: channels[0] ?? .string(""), y: channels[1] ?? .null, color: channels[2] ?? .null, facet: channels[3] ?? .null)
  }

  /// Reads all rows; calls `note` with each row's key and mark, for a live plot.
  func builder(isLive: Bool, _ note: (Int64, PlotBuilder.Mark) -> Void) throws -> PlotBuilder {
    let store = context.store.objectStore
    return try context.objectContext.watched(request) {
      var builder = try emptyBuilder(isLive: isLive)
      var asked = dictionaries
      if isLive { asked.propertiesToFetch.append(FetchedColumn("key", .object)) }
      let places = expressions.indices.map { index in
        expressions[index].map { _ in expressions[..<index].count { $0 != nil } }
      }
      let cursor = try store.dictionaries(asked, tiesByKey: false)
      defer { cursor.close() }
      var number = 0
      while try cursor.step() {
        number += 1
        if number & 0xFFF == 0 { try context.engine.lua.checkInterrupt() }
        let mark = builder.mark(
          x: places[0].map(cursor.value) ?? .string(""), y: places[1].map(cursor.value) ?? .null,
          color: places[2].map(cursor.value) ?? .null, facet: places[3].map(cursor.value) ?? .null)
        builder.insert(mark)
        if isLive, case .object(let id) = cursor.value(asked.propertiesToFetch.count - 1) { note(id.key, mark) }
      }
      return builder
    }
  }

  // MARK: Axes

  /// Whether an axis of numbers or dates has no ends yet, because no row has a value.
  func isWithoutEnds() throws -> Bool {
    try [0, 1].contains { channel in
      guard wantsBounds(channel), let ends = ends(of: channel) else { return false }
      return try bounds(ends) == nil
    }
  }

  private var isPlane: Bool { reading.description.aggregate == nil && reading.description.mark != .box }

  private func wantsBounds(_ channel: Int) -> Bool {
    if channel == 0 { return !reading.isNamed }
    return isPlane || reading.description.mark == .rect || reading.description.mark == .box
  }

  /// An empty plot, with the axes for all rows.
  private func emptyBuilder(isLive: Bool) throws -> PlotBuilder {
    let found = try [0, 1].map { channel in
      try wantsBounds(channel) ? ends(of: channel).flatMap(bounds) : nil
    }
    if isPlane, found[0] == nil, try context.store.objectStore.count(request) > 0, ends(of: 0) == nil {
      throw ScriptError(
        place,
        .other("x = \"\(reading.x ?? "")\" has no numbers or dates; y = \"average(\(reading.y ?? ""))\" gives bars"))
    }
    var description = reading.description
    description.xAxis.leastPositive = try leastPositive(found[0], description.xAxis, expressions[0])
    description.yAxis.leastPositive = try leastPositive(found[1], description.yAxis, expressions[1])
    if case .function(let function, _, _)? = expressions[0], Self.partsOfDates.contains(function) {
      description.isOrdered = true
      if !reading.hasBins { description.bins = 500 }
    }
    return PlotBuilder(description, x: found[0], y: found[1], isLive: isLive)
  }

  /// The minimum and maximum of a channel, as expressions; nil for a category.
  private func ends(of channel: Int) -> [Queries.Expression]? {
    guard let expression = expressions[channel] else { return nil }
    let ends = [Queries.Expression.call(.min, expression), .call(.max, expression)]
    for end in ends where (try? end.check(in: request.entity, for: .fetch, overGroup: true)) == nil { return nil }
    return ends
  }

  private func bounds(_ ends: [Queries.Expression]) throws -> PlotBuilder.Bounds? {
    var asked = request
    asked.resultType = .objects
    let values = try context.store.objectStore.aggregate(asked, ends)
    guard values.count == 2, values[0].plotNumber != nil, values[1].plotNumber != nil else { return nil }
    return (values[0], values[1])
  }

  /// The start of a logarithmic axis if there are values that it cannot show.
  private func leastPositive(
    _ bounds: PlotBuilder.Bounds?, _ axis: PlotDescription.Axis, _ expression: Queries.Expression?
  ) throws -> Double? {
    guard axis.scale == .log, let expression, let least = bounds?.least.plotNumber, least <= 0 else { return nil }
    var asked = request
    asked.resultType = .objects
    let positive = Queries.Predicate.comparison(Comparison(expression, .greater, .constant(.int(0))))
    asked.predicate = asked.predicate.map { .and([$0, positive]) } ?? positive
    return try context.store.objectStore.aggregate(asked, [.call(.min, expression)]).first?.plotNumber
  }
}
