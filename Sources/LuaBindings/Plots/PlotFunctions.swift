internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Plots
internal import Queries

/// `plot(request, { x = , y = })`, and the method of requests.
enum PlotFunctions {
  static let functions: [GlobalFunction] = [
    GlobalFunction(
      "plot", "plot(data, { mark = , x = , y = , color = , facet = , … }) -> plot",
      "A plot of a request, an entity, live results, or a list of rows or numbers: bars, points, lines, areas, boxes, a heat map.",
      sandbox: .allowed, example: #"plot(Quake, { x = "time", y = "magnitude" })"#
    ) { call in
      if let request = call.engine.classes.object(BoundRequest.self, at: call.index(1), on: call.stack) {
        return try push(call, 2, request)
      }
      if let results = call.engine.classes.object(BoundFetchedResults.self, at: call.index(1), on: call.stack) {
        return try push(call, 2, results)
      }
      if let entity = call.engine.classes.object(BoundEntity.self, at: call.index(1), on: call.stack) {
        return try push(call, 2, try entity.request())
      }
      guard call.type(1) == .table else { throw call.expected("a request, an entity, live results or a list", 1) }
      return try pushList(call)
    }
  ]

  static let requestMembers: [Member<BoundRequest>] = [
    .method(
      "plot", "request:plot { mark = , x = , y = , color = , facet = , … } -> plot",
      "A plot of the objects the request selects: bars, points, lines, areas, boxes or a heat map.", sandbox: .allowed,
      example: #"({ x = "magnitude" })"#
    ) { call, request in try push(call, 1, request) }
  ]

  private static func push(_ call: Call, _ argument: Int32, _ bound: BoundRequest) throws -> ReturnValue {
    let source = try PlotSource(call, argument, bound)
    return .object(BoundPlot(try source.plot(), source, call.engine))
  }

  /// A plot of live results follows them.
  private static func push(_ call: Call, _ argument: Int32, _ results: BoundFetchedResults) throws -> ReturnValue {
    try results.context.checkOpen(call.place)
    if results.isClosed { throw call.fail(.closed("live result")) }
    let bound = try BoundRequest(checking: results.configuration.request, results.context)
    let source = try PlotSource(call, argument, bound)
    return .object(BoundPlot(try LivePlot(source, following: results.results)))
  }

  // MARK: Lists

  private static func pushList(_ call: Call) throws -> ReturnValue {
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
          // A list of numbers alone is the plotted column.
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
    return .object(BoundPlot(builder.plot(), nil, call.engine))
  }

  private static func value(_ call: Call, _ index: Int32) throws -> Value {
    if call.stack.type(at: index) == .table { throw call.fail("a row has a table where a value is expected") }
    guard let value = try call.engine.values.value(at: index, on: call.stack, place: call.place) else {
      throw call.fail(.expected("a list of numbers, or of rows with values", found: call.stack.typeName(at: index)))
    }
    return value
  }

  /// The minimum and maximum of a column of numbers or dates; nil if it contains other values.
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
