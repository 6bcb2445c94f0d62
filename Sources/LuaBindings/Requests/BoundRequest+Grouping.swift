internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Queries
internal import Storage

// Rows by group: in the store, or in memory where a function of the script makes the groups.
extension BoundRequest {
  static let groupingMembers: [Member<BoundRequest>] = [
    .method(
      "groupBy", "request:groupBy(keys, { name = aggregate, ... } [, { having = , sort = , limit = }]) -> rows",
      "Rows by group: keys are key paths, expressions, or functions of an object, which are asked in memory."
    ) { call, request in
      let grouping = try Grouping(call, request)
      return try grouping.hasFunctions ? grouping.pushRows(call) : grouping.request(call).fetch(call)
    },
    .method(
      "grouped", "request:grouped(keys, { name = aggregate, ... } [, { having = , sort = , limit = }]) -> request",
      "A request for rows by group, to be fetched, kept live or explained."
    ) { call, request in
      let grouping = try Grouping(call, request)
      if grouping.hasFunctions {
        throw call.fail("the store cannot ask a function of the script; groupBy asks it in memory")
      }
      return try call.push(try grouping.request(call))
    },
    .method(
      "aggregate", "request:aggregate(\"sum(keyPath)\" or { name = aggregate, ... }) -> request",
      "A request for aggregates over all objects: one row, to be fetched or kept live."
    ) { call, request in
      let columns = try Grouping.aggregates(call, 1, request)
      if request.request.fetchOffset > 0 || (request.request.fetchLimit ?? 0) > 0 {
        throw call.fail("aggregates are over all objects; take the limit and the offset away")
      }
      return try call.push(
        try request.with {
          $0.resultType = .dictionaries
          $0.propertiesToFetch = columns
          $0.sortDescriptors = []
        })
    },
    .method(
      "having", "request:having(predicate, ...) -> request", "The same request for groups that fulfil a condition."
    ) { call, request in
      let predicate = try call.predicate(1, in: nil)
      return try call.push(
        try request.with {
          $0.havingPredicate = try $0.havingPredicate.map { try ($0 & predicate).limited() } ?? predicate
        })
    },
  ]
}

/// What the arguments of `groupBy` say: what makes the groups, and what is told of each, in the order written.
private struct Grouping {
  /// A column of the rows.
  struct Column {
    var name: String
    var content: Content
    var isKey: Bool
  }

  enum Content {
    case expression(Queries.Expression)
    /// What a function answers for an object, or for the list of a group's objects.
    case function(LuaReference)
  }

  private let bound: BoundRequest
  private let columns: [Column]

  /// `groupBy({ "place", month = "month(time)" }, { "count", top = "max(magnitude)" })`
  init(_ call: Call, _ bound: BoundRequest) throws {
    self.bound = bound
    let keys =
      call.type(1) == .table && call.engine.object(at: call.index(1), on: call.stack) == nil
      ? try Self.list(call, 1, isKey: true, bound) : [try Self.column(call, at: call.index(1), nil, isKey: true, bound)]
    if keys.isEmpty { throw call.expected("a key path, an expression or a function, or a list of them", 1) }
    guard call.type(2) == .table else { throw call.expected("a table of aggregates by name", 2) }
    columns = keys + (try Self.list(call, 2, isKey: false, bound))
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

  /// The columns that a table lists, then those by name: a Lua table has no order of names.
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
    case .string:
      guard let text = stack.string(at: index) else { break }
      if isKey, let function = bound.context.computed(text, of: bound.entity) {
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

  /// The request for the rows, where nothing is a function.
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

  private func fetched(_ isWanted: (Column) -> Bool) -> [FetchedColumn] {
    columns.filter(isWanted).compactMap { column in
      if case .expression(let expression) = column.content { FetchedColumn(column.name, expression) } else { nil }
    }
  }

  // MARK: In memory

  /// Pushes the rows, each group where its first object stands: objects are told apart by what functions answer for them,
  /// and aggregates are computed in the store over the objects of each group.
  func pushRows(_ call: Call) throws -> Int32 {
    guard call.isMissing(3) else {
      throw call.fail("with a function the rows are made in memory: there is no having, sort or limit")
    }
    // What is not stored yet takes part in no aggregate.
    let stored = try bound.with { $0.includesPendingChanges = false }
    let objects = try bound.context.objectContext.fetch(try stored.ready(call))
    let groups = try groups(of: objects, call)
    let aggregates = fetched { !$0.isKey }
    var checked = bound.request
    checked.resultType = .dictionaries
    checked.sortDescriptors = []
    (checked.sectionIdentifier, checked.sectionFunction) = (nil, nil)
    checked.propertiesToFetch = aggregates
    try checked.validate(for: .fetch)
    let stack = call.stack
    stack.reserve(12)
    stack.pushTable(array: Int32(clamping: groups.count))
    call.keepOrder(of: columns.map(\.name))
    for (number, group) in groups.enumerated() {
      try call.engine.lua.checkInterrupt()
      let values =
        aggregates.isEmpty ? [] : try bound.context.objectContext.store.aggregated(checked, group.members, objects)
      try pushRow(group.key, values, group.members, objects, on: stack)
      stack.rawSet(element: Int64(number + 1), at: -2)
    }
    return 1
  }

  /// The objects by their keys, in the order in which the keys appear.
  private func groups(of objects: FetchResult, _ call: Call) throws -> [(key: [Value], members: [Int])] {
    let keys = try columns.filter(\.isKey).map { column -> (ManagedObject) throws -> Value in
      switch column.content {
      case .function(let function):
        return { try call.engine.answer(of: function, for: $0, named: "\(call.place): \(column.name)") }
      case .expression(let expression):
        let compiled = try CompiledExpression(expression, entity: bound.entity)
        return { try compiled.value(of: $0) }
      }
    }
    var places: [[Value]: Int] = [:]
    var groups: [(key: [Value], members: [Int])] = []
    for index in 0..<objects.count {
      if index & 0xFF == 0 { try call.engine.lua.checkInterrupt() }
      let object = try objects[index]
      let key = try keys.map { try $0(object) }
      if let place = places[key] {
        groups[place].members.append(index)
      } else {
        places[key] = groups.count
        groups.append((key, [index]))
      }
    }
    return groups
  }

  private func pushRow(
    _ key: [Value], _ aggregates: [Value], _ members: [Int], _ objects: FetchResult, on stack: LuaStack
  ) throws {
    var (key, aggregates) = (key.makeIterator(), aggregates.makeIterator())
    stack.pushTable(hash: Int32(clamping: columns.count))
    for column in columns {
      switch column.content {
      case .function(let function) where !column.isKey:
        stack.push(function)
        try bound.context.push(try members.map { try objects[$0] }, on: stack)
        try stack.call(arguments: 1, results: 1)
      case _ where column.isKey: try bound.context.push(key.next() ?? .null, on: stack)
      default: try bound.context.push(aggregates.next() ?? .null, on: stack)
      }
      stack.rawSet(field: column.name, at: -2)
    }
  }
}

extension ObjectStore {
  /// The columns of a request of aggregates, over some of the objects of a result.
  fileprivate func aggregated(_ request: FetchRequest, _ members: [Int], _ objects: FetchResult) throws -> [Value] {
    var request = request
    let ids = try members.map { Queries.Expression.constant(.object(try objects[$0].objectID)) }
    request.predicate = .comparison(Comparison(.object, .in, .aggregate(ids)))
    (request.fetchLimit, request.fetchOffset) = (nil, 0)
    let cursor = try dictionaries(request, tiesByKey: false)
    defer { cursor.close() }
    return try cursor.step() ? cursor.columns.indices.map(cursor.value) : []
  }
}

extension BoundContext {
  /// The function of a computed property of an entity or of an ancestor; nil where the model has a property of the name.
  func computed(_ name: String, of entity: Entity) -> LuaReference? {
    guard entity.property(named: name) == nil else { return nil }
    var next: Entity? = entity
    while let current = next {
      if let function = store.members(of: current).computed[name] { return function }
      next = current.parent
    }
    return nil
  }
}
