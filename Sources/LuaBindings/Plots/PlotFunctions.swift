internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Plots
internal import Queries

/// `plot(request, { x = , y = })`, and the same as a method of requests.
enum PlotFunctions {
  static let functions: [GlobalFunction] = [
    GlobalFunction(
      "plot", "plot(data, { mark = , x = , y = , color = , facet = , … }) -> plot",
      "A plot of a request, an entity, or a list of rows or numbers: bars, points, lines, areas, boxes or a heat map."
    ) { call in
      if let request = call.engine.requests.object(at: call.index(1), on: call.stack) {
        return try push(call, 2, request)
      }
      if let entity = call.engine.entities.object(at: call.index(1), on: call.stack) {
        return try push(call, 2, try entity.request())
      }
      guard call.type(1) == .table else { throw call.expected("a request, an entity or a list", 1) }
      return try pushList(call)
    }
  ]

  static let requestMembers: [Member<BoundRequest>] = [
    .method(
      "plot", "request:plot { mark = , x = , y = , color = , facet = , … } -> plot",
      "A plot of what the request selects: bars, points, lines, areas, boxes or a heat map."
    ) { call, request in try push(call, 1, request) }
  ]

  private static func push(_ call: Call, _ plot: Plot) -> Int32 {
    call.engine.plots.push(BoundPlot(plot, call.engine), on: call.stack)
    return 1
  }

  // MARK: Requests

  /// The functions whose answers are in the order of time.
  private static let partsOfDates: Set<ExpressionFunction> = [
    .year, .month, .day, .hour, .minute, .second, .weekday,
  ]

  private static func push(_ call: Call, _ argument: Int32, _ bound: BoundRequest) throws -> Int32 {
    let reading = try PlotReading(call, argument, isList: false)
    let expressions = try reading.channels.map { text -> Queries.Expression? in
      guard let text else { return nil }
      let expression = try Queries.Expression.parse(text)
      try expression.check(in: bound.entity, for: .fetch)
      return expression
    }
    var request = try bound.ready(call)
    (request.sectionIdentifier, request.sectionFunction) = (nil, nil)
    let isPart = (request.fetchLimit ?? 0) > 0 || request.fetchOffset > 0
    if !isPart { request.sortDescriptors = [] }
    let store = bound.context.store.sqliteStore
    func bounds(_ expression: Queries.Expression?) throws -> PlotBuilder.Bounds? {
      guard let expression else { return nil }
      let ends = [Queries.Expression.call(.min, expression), .call(.max, expression)]
      // A category has no least value.
      for end in ends where (try? end.check(in: bound.entity, for: .fetch, overGroup: true)) == nil { return nil }
      var asked = request
      asked.resultType = .objects
      let values = try store.aggregate(asked, ends)
      guard values.count == 2, values[0].plotNumber != nil, values[1].plotNumber != nil else { return nil }
      return (values[0], values[1])
    }
    /// Where a logarithmic axis begins if there are values that are not on it.
    func leastPositive(
      _ bounds: PlotBuilder.Bounds?, _ axis: PlotDescription.Axis, _ expression: Queries.Expression?
    ) throws -> Double? {
      guard axis.scale == .log, let expression, let least = bounds?.least.plotNumber, least <= 0 else { return nil }
      var asked = request
      asked.resultType = .objects
      let positive = Queries.Predicate.comparison(Comparison(expression, .greater, .constant(.int(0))))
      asked.predicate = asked.predicate.map { .and([$0, positive]) } ?? positive
      return try store.aggregate(asked, [.call(.min, expression)]).first?.plotNumber
    }
    let mark = reading.description.mark
    let isPlane = reading.description.aggregate == nil && mark != .box
    let plot = try bound.context.objectContext.watched(request) {
      let x = reading.isNamed ? nil : try bounds(expressions[0])
      let y = isPlane || mark == .rect || mark == .box ? try bounds(expressions[1]) : nil
      if isPlane, x == nil, try store.count(request) > 0 {
        throw call.fail(
          "x = \"\(reading.x ?? "")\" has no numbers or dates; y = \"average(\(reading.y ?? ""))\" gives bars")
      }
      var description = reading.description
      description.xAxis.leastPositive = try leastPositive(x, description.xAxis, expressions[0])
      description.yAxis.leastPositive = try leastPositive(y, description.yAxis, expressions[1])
      if case .function(let function, _, _)? = expressions[0], partsOfDates.contains(function) {
        description.isOrdered = true
        if !reading.hasBins { description.bins = 500 }
      }
      var builder = PlotBuilder(description, x: x, y: y)
      request.resultType = .dictionaries
      request.propertiesToFetch = []
      var places: [Int?] = []
      for (name, expression) in zip(["x", "y", "color", "facet"], expressions) {
        guard let expression else {
          places.append(nil)
          continue
        }
        places.append(request.propertiesToFetch.count)
        request.propertiesToFetch.append(FetchedColumn(name, expression))
      }
      let cursor = try store.dictionaries(request, tiesByKey: false)
      defer { cursor.close() }
      var number = 0
      while try cursor.step() {
        number += 1
        if number & 0xFFF == 0 { try call.engine.lua.checkInterrupt() }
        builder.add(
          x: places[0].map(cursor.value) ?? .string(""), y: places[1].map(cursor.value) ?? .null,
          color: places[2].map(cursor.value) ?? .null, facet: places[3].map(cursor.value) ?? .null)
      }
      return builder.plot()
    }
    return push(call, plot)
  }

  // MARK: Lists

  private static func pushList(_ call: Call) throws -> Int32 {
    let reading = try PlotReading(call, 2, isList: true)
    let stack = call.stack
    stack.reserve(8)
    var columns: [[Value]] = [[], [], [], []]
    let names = reading.channels
    let needsX = reading.description.mark != .box
    _ = try stack.elements(at: call.index(1)) { index in
      if columns[0].count & 0xFFF == 0 { try call.engine.lua.checkInterrupt() }
      for (column, name) in names.enumerated() {
        guard stack.type(at: index) == .table else {
          // Numbers alone are what is drawn.
          let isDrawn = column == (needsX ? 0 : 1)
          columns[column].append(isDrawn ? try value(call, index) : column == 0 ? .string("") : .null)
          continue
        }
        guard let name else {
          if column == 0, needsX { throw call.fail(.missing("x")) }
          columns[column].append(column == 0 ? .string("") : .null)
          continue
        }
        stack.rawGet(field: name, at: index)
        defer { stack.pop() }
        columns[column].append(try value(call, stack.count))
      }
    }
    for (column, name) in names.enumerated() {
      if let name, !columns[column].isEmpty, columns[column].allSatisfy(\.isNull) {
        throw call.fail("no row has a value for '\(name)'")
      }
    }
    var description = reading.description
    description.xAxis.leastPositive = columns[0].compactMap(\.plotNumber).filter { $0 > 0 }.min()
    description.yAxis.leastPositive = columns[1].compactMap(\.plotNumber).filter { $0 > 0 }.min()
    var builder = PlotBuilder(description, x: reading.isNamed ? nil : bounds(columns[0]), y: bounds(columns[1]))
    for row in columns[0].indices {
      builder.add(x: columns[0][row], y: columns[1][row], color: columns[2][row], facet: columns[3][row])
    }
    return push(call, builder.plot())
  }

  private static func value(_ call: Call, _ index: Int32) throws -> Value {
    if call.stack.type(at: index) == .table { throw call.fail("a row has a table where a value is expected") }
    guard let value = try call.engine.value(at: index, on: call.stack, place: call.place) else {
      throw call.fail(.expected("a list of numbers, or of rows with values", found: call.stack.typeName(at: index)))
    }
    return value
  }

  /// The ends of a column of numbers or of dates; nil where there is anything else.
  private static func bounds(_ column: [Value]) -> PlotBuilder.Bounds? {
    var (least, greatest): (Value?, Value?)
    for value in column where !value.isNull {
      guard let number = value.plotNumber, value.isDate == (least ?? value).isDate else { return nil }
      if number < least?.plotNumber ?? .infinity || least == nil { least = value }
      if number > greatest?.plotNumber ?? -.infinity || greatest == nil { greatest = value }
    }
    guard let least, let greatest else { return nil }
    let isWhole = column.allSatisfy { if case .double = $0 { false } else { true } }
    if !isWhole, case .int(let number) = least { return (.double(Double(number)), greatest) }
    return (least, greatest)
  }
}

extension Value {
  fileprivate var isDate: Bool {
    if case .date = self { true } else { false }
  }
}
