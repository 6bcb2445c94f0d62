internal import LuaRuntime
internal import Modeling
internal import Queries

/// The parsed arguments of `groupBy`: the group keys, and the columns of each group, in the order written; without columns,
/// the number of its objects.
struct Grouping {
  /// A column of the rows.
  struct Column {
    var name: String
    var content: Content
    var isKey: Bool
  }

  enum Content {
    case expression(Queries.Expression)
    /// The result of a function for an object, or for the list of a group's objects.
    case function(LuaReference)
  }

  let bound: BoundRequest
  let columns: [Column]

  /// `groupBy({ "place", month = "month(time)" }, { "count", top = "max(magnitude)" })`
  init(_ call: Call, _ bound: BoundRequest) throws {
    self.bound = bound
    let keys =
      call.type(1) == .table && call.engine.values.object(at: call.index(1), on: call.stack) == nil
      ? try Self.list(call, 1, isKey: true, bound) : [try Self.column(call, at: call.index(1), nil, isKey: true, bound)]
    if keys.isEmpty { throw call.expected("a key path, an expression or a function, or a list of them", 1) }
    if call.isMissing(2) {
      let count = try FetchedColumn("count", parsing: "count")
      columns = keys + [Column(name: count.name, content: .expression(count.expression), isKey: false)]
    } else {
      guard call.type(2) == .table else { throw call.expected("a table of aggregates by name", 2) }
      columns = keys + (try Self.list(call, 2, isKey: false, bound))
    }
    var names: Set<String> = []
    for column in columns where !names.insert(column.name).inserted {
      throw PredicateError(.sameColumns(column.name))
    }
  }

  /// The aggregates that an argument names: one alone, or a table of them.
  static func aggregates(_ call: Call, _ argument: Int32, _ bound: BoundRequest) throws -> [FetchedColumn] {
    let columns =
      call.type(argument) == .table
      ? try list(call, argument, isKey: false, bound)
      : [try column(call, at: call.index(argument), nil, isKey: false, bound)]
    return try columns.map { column in
      guard case .expression(let expression) = column.content, expression.isAggregate else {
        throw call.expected("an aggregate such as \"sum(magnitude)\", or a table of them", argument)
      }
      return FetchedColumn(column.name, expression)
    }
  }

  var hasFunctions: Bool {
    columns.contains { if case .function = $0.content { true } else { false } }
  }

  /// The listed columns of a table, then the named ones, because a Lua table has no order of names.
  private static func list(_ call: Call, _ argument: Int32, isKey: Bool, _ bound: BoundRequest) throws -> [Column] {
    let stack = call.stack
    stack.reserve(8)
    let listed = try stack.elements(at: call.index(argument)) { index in
      try column(call, at: index, nil, isKey: isKey, bound)
    }
    var named: [Column] = []
    try stack.forEachPair(at: call.index(argument)) { stack in
      guard stack.type(at: -2) == .string, let name = stack.string(at: -2) else { return }
      named.append(try column(call, at: stack.count, name, isKey: isKey, bound))
    }
    return (listed ?? []) + named.sorted { $0.name < $1.name }
  }

  private static func column(
    _ call: Call, at index: Int32, _ name: String?, isKey: Bool, _ bound: BoundRequest
  ) throws -> Column {
    let stack = call.stack
    switch stack.type(at: index) {
    case .string, .userdata:
      guard let text = try call.engine.predicates.expressionText(at: index, on: stack) else { break }
      if isKey, let function = bound.context.store.computed(text, of: bound.entity) {
        return Column(name: name ?? text, content: .function(function), isKey: true)
      }
      return Column(
        name: name ?? text, content: .expression(try FetchedColumn(text, parsing: text).expression), isKey: isKey)
    case .function:
      return Column(name: name ?? "group", content: .function(stack.reference(at: index)), isKey: isKey)
    case .table:
      stack.reserve(6)
      let top = stack.count
      defer { stack.setCount(top) }
      let table = stack.absolute(index)
      stack.rawGet(element: 1, at: table)
      stack.rawGet(field: "title", at: table)
      guard stack.type(at: top + 1) != .table else { break }
      return try column(call, at: top + 1, stack.string(at: top + 2) ?? name, isKey: isKey, bound)
    default: break
    }
    let expected = isKey ? "a key path, an expression or a function" : "an aggregate, such as { n = \"count\" },"
    throw call.fail(.expected(expected, found: stack.typeName(at: index)))
  }

  // MARK: In the store

  /// The request for the rows, if no column is a function.
  func request(_ call: Call) throws -> BoundRequest {
    let keys = fetched { $0.isKey }
    return try bound.with { request in
      request.resultType = .dictionaries
      request.propertiesToGroupBy = keys.map(\.expression)
      request.propertiesToFetch = keys + fetched { !$0.isKey }
      request.sortDescriptors = keys.map { SortDescriptor($0.expression) }
      try RequestOptions.applyGrouping(call, 3, to: &request)
    }
  }

  func fetched(_ isWanted: (Column) -> Bool) -> [FetchedColumn] {
    columns.filter(isWanted).compactMap { column in
      if case .expression(let expression) = column.content { FetchedColumn(column.name, expression) } else { nil }
    }
  }
}
