internal import LiveQueries
internal import LuaRuntime
internal import Modeling
internal import Queries
internal import Reactive

/// Live dictionaries, groups or the count of a request.
final class BoundFetchedValues: LiveBound, BoundList {
  static let luaName = "FetchedValues"
  var place: String { "values" }

  let values: FetchedValues
  let context: BoundContext
  var isReversed: Bool
  let configurationSources = ConfigurationSources()
  /// What they are facets of; nil for other values.
  private let facet: (text: String, expression: Queries.Expression)?

  init(
    _ configuration: ResultsConfiguration, _ context: BoundContext,
    facet: (text: String, expression: Queries.Expression)? = nil
  ) throws {
    self.facet = facet
    values = try FetchedValues(configuration.request, in: context.live)
    values.animation = configuration.animation.map(Animation.init)
    isReversed = configuration.isReversed
    self.context = context
  }

  private var isCount: Bool { values.request.resultType == .count }

  /// The number of rows; for a count, the count itself.
  var count: Int { values.value ?? values.count }

  func summary() -> String {
    let entity = values.request.entity.name
    return isCount
      ? "\(Quantity.grouped(count)) × \(entity), \(state)" : "\(ErrorReport.count(count, "row")) of \(entity), \(state)"
  }

  /// Pushes the row at a one-based index; nil outside.
  func push(at position: Int, on stack: LuaStack) throws {
    guard position >= 1, position <= values.count else { return stack.pushNil() }
    try context.checkOpen(place)
    try push(row: values.row(at: position - 1), on: stack)
  }

  /// Pushes a row; that of a facet has the property and the request for its objects, too.
  private func push(row: [Value], on stack: LuaStack) throws {
    try context.push(row: row, values.columns, on: stack)
    guard let facet, let value = row.first else { return }
    stack.reserve(4)
    stack.push(facet.text)
    stack.rawSet(field: "property", at: -2)
    var objects = values.request
    (objects.resultType, objects.propertiesToFetch, objects.propertiesToGroupBy) = (.objects, [], [])
    (objects.sortDescriptors, objects.groupsTextsByBytes) = ([], false)
    let request = try BoundRequest(checking: objects.leading(to: value, of: facet.expression), context)
    context.engine.classes.push(request, on: stack)
    stack.rawSet(field: "request", at: -2)
  }

  static let members: [Member<BoundFetchedValues>] = reading + liveMembers("values")

  private static let reading: [Member<BoundFetchedValues>] = [
    .property(
      "count", "values.count -> number", "The number of rows; for a count, the count itself.", sandbox: .allowed
    ) {
      call, values in
      .integer(values.count)
    },
    .property("value", "values.value", "The count, or the value of a lone aggregate; nil for rows.", sandbox: .allowed)
    { call, values in
      if let count = values.values.value { return .integer(count) }
      return .pushing { try values.context.push(values.values.aggregate ?? .null, on: $0) }
    },
    .property("columns", "values.columns -> list", "The names of the values in a row.", sandbox: .allowed) {
      call, values in
      .value(.list(values.values.columns.map(Value.string)))
    },
    .method(
      "each", "values:each() -> iterator", "Iterates over the rows as they are when the loop begins.",
      sandbox: .allowed, example: "()"
    ) {
      call, values in
      try values.context.checkOpen(call.place)
      var rows = try (0..<values.values.count).map { try values.values.row(at: $0) }.makeIterator()
      return .function { stack in
        guard let row = rows.next() else { return 0 }
        try values.push(row: row, on: stack)
        return 1
      }
    },
    .method(
      "slice", "values:slice(first, last) -> list", "The rows from one index to another, both included.",
      sandbox: .allowed, example: "(1, 3)"
    ) {
      call, values in
      let range = try call.range(upTo: values.values.count)
      call.stack.reserve(8)
      call.stack.pushTable(array: Int32(clamping: range.count))
      call.keepOrder(of: values.values.columns)
      for index in range {
        try values.push(at: index + 1, on: call.stack)
        call.stack.rawSet(element: Int64(index - range.lowerBound + 1), at: -2)
      }
      return .pushed(1)
    },
  ]

  // MARK: As a live result

  var query: FetchedValues { values }
  var columns: [String]? { values.columns }
  var rowName: String { isCount ? values.request.entity.name : "row" }
  func explanation() throws -> LiveExplanation { try values.explanation() }
}

extension BoundFetchedValues {
  static func luaClass(of engine: Engine) -> LuaClass<BoundFetchedValues> {
    engine.classes.makeList(BoundFetchedValues.self, keepsIdentity: true) { $0.close { $0.close() } }
  }
}
