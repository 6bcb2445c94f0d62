internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Queries
internal import Stores

// Rows of groups that functions make, in memory.
extension Grouping {
  /// A group whose row is made in memory.
  private struct Group {
    var key: [Value]
    /// The indices of its objects.
    var members: [Int]
    /// The aggregates that the store computes: those of columns, then those of conditions and orders.
    var aggregates: [Value] = []
    /// The cached results of functions for its objects.
    var answers: [String: LuaReference] = [:]
    /// Its sort values.
    var order: [Value] = []
  }

  /// The rows in the requested order, or in the order of each group's first object. Functions determine the
  /// group of each object; the store computes aggregates over the objects of each group.
  func rows(_ call: Call) throws -> ReturnValue {
    var asked = bound.request
    (asked.sortDescriptors, asked.resultType) = ([], .dictionaries)
    try RequestOptions.applyGrouping(call, 3, to: &asked)
    var reading = GroupReading(
      entity: bound.entity,
      columns: columns.map { column in
        if case .expression(let expression) = column.content { (column.name, expression) } else { (column.name, nil) }
      })
    let having = try asked.havingPredicate.map { try reading.reading($0) }
    var order = asked.sortDescriptors
    for index in order.indices { order[index].expression = try reading.reading(order[index].expression) }
    // Aggregates do not include objects that are not stored yet.
    let stored = try bound.with { request in
      request.includesPendingChanges = false
      (request.havingPredicate, request.fetchLimit, request.fetchOffset) = (nil, nil, 0)
    }
    let objects = try bound.context.objectContext.fetch(try stored.ready(call))
    let aggregated = try aggregated(reading, asked)
    var groups: [Group] = []
    for (key, members) in try self.groups(of: objects, call) {
      try call.engine.lua.checkInterrupt()
      var group = Group(key: key, members: members)
      if !aggregated.propertiesToFetch.isEmpty {
        group.aggregates = try bound.context.objectContext.store.aggregated(aggregated, members, objects)
      }
      let values = try reading.values { try value($0, reading, of: &group, objects, call) }
      let object = try objects[members[0]]
      if let having, try having.evaluate(object, variables: values.of(having.variables)) != true { continue }
      group.order = try order.map {
        try $0.expression.evaluate(object, variables: values.of($0.expression.variables))
      }
      groups.append(group)
    }
    return try answer(Self.part(of: Self.sorted(groups, by: order), asked), objects, call)
  }

  /// The request for the store's aggregates of each group: those of columns, then the others.
  private func aggregated(_ reading: GroupReading, _ asked: Queries.FetchRequest) throws -> Queries.FetchRequest {
    var request = asked
    (request.havingPredicate, request.sortDescriptors) = (nil, [])
    (request.sectionIdentifier, request.sectionFunction) = (nil, nil)
    request.propertiesToFetch = fetched { !$0.isKey }
    for case .aggregate(let expression) in reading.sources {
      request.propertiesToFetch.append(FetchedColumn("#\(request.propertiesToFetch.count)", expression))
    }
    try request.validate(for: .fetch)
    (request.fetchLimit, request.fetchOffset) = (nil, 0)
    return request
  }

  /// The value of a condition or an order for a group.
  private func value(
    _ source: GroupReading.Source, _ reading: GroupReading, of group: inout Group, _ objects: FetchResult, _ call: Call
  ) throws -> Value {
    switch source {
    case .aggregate:
      let others = reading.sources.filter { if case .aggregate = $0 { true } else { false } }
      let place = others.firstIndex(of: source) ?? 0
      return group.aggregates[fetched { !$0.isKey }.count + place]
    case .column(let name):
      if let place = columns.filter(\.isKey).firstIndex(where: { $0.name == name }) { return group.key[place] }
      if let place = fetched({ !$0.isKey }).firstIndex(where: { $0.name == name }) { return group.aggregates[place] }
      guard case .function(let function)? = columns.first(where: { $0.name == name })?.content else { return .null }
      let stack = call.stack
      stack.reserve(6)
      let top = stack.count
      defer { stack.setCount(top) }
      try push(function, of: group, objects, on: stack)
      group.answers[name] = stack.reference(at: -1)
      guard let value = try call.engine.values.value(at: -1, on: stack, place: "\(call.place): \(name)") else {
        throw call.fail("\(name) answered a \(stack.typeName(at: -1)), which nothing can be compared with")
      }
      return value
    }
  }

  private func push(_ function: LuaReference, of group: Group, _ objects: FetchResult, on stack: LuaStack) throws {
    stack.push(function)
    try bound.context.push(try group.members.map { try objects[$0] }, on: stack)
    try stack.call(arguments: 1, results: 1)
  }

  private static func sorted(_ groups: [Group], by order: [Queries.SortDescriptor]) -> [Group] {
    if order.isEmpty { return groups }
    return groups.enumerated().sorted { left, right in
      for (place, descriptor) in order.enumerated() {
        let result = descriptor.compare(left.element.order[place], right.element.order[place])
        if result != 0 { return result < 0 }
      }
      return left.offset < right.offset
    }.map(\.element)
  }

  /// The groups after the offset, up to the limit.
  private static func part(of groups: [Group], _ asked: Queries.FetchRequest) -> ArraySlice<Group> {
    let rest = groups.dropFirst(asked.fetchOffset)
    guard let limit = asked.fetchLimit, limit > 0 else { return rest }
    return rest.prefix(limit)
  }

  private func answer(_ groups: ArraySlice<Group>, _ objects: FetchResult, _ call: Call) throws -> ReturnValue {
    let stack = call.stack
    stack.reserve(12)
    stack.pushTable(array: Int32(clamping: groups.count))
    call.keepOrder(of: columns.map(\.name))
    for (number, group) in groups.enumerated() {
      try call.engine.lua.checkInterrupt()
      try push(group, objects, on: stack)
      stack.rawSet(element: Int64(number + 1), at: -2)
    }
    return .pushed(1)
  }

  /// The objects by their group keys, in the order in which the keys first occur.
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
    let collations = self.collations
    var places: [[ValueKey]: Int] = [:]
    var groups: [(key: [Value], members: [Int])] = []
    for index in 0..<objects.count {
      if index & 0xFF == 0 { try call.engine.lua.checkInterrupt() }
      let object = try objects[index]
      let key = try keys.map { try $0(object) }
      let identity = zip(key, collations).map { ValueKey($1?.folded($0) ?? $0) }
      if let place = places[identity] {
        groups[place].members.append(index)
        // As in the store, a group says the first of the texts that are equal, by their bytes.
        for (column, value) in key.enumerated() where collations[column] != nil {
          if value.order(groups[place].key[column]) < 0 { groups[place].key[column] = value }
        }
      } else {
        places[identity] = groups.count
        groups.append((key, [index]))
      }
    }
    return groups
  }

  /// The collations of the keys, as far as tables declare any.
  private var collations: [TextCollation?] {
    var request = bound.request
    (request.resultType, request.propertiesToGroupBy) = (.dictionaries, [])
    for case .expression(let key) in columns.filter(\.isKey).map(\.content) { request.propertiesToGroupBy.append(key) }
    let named = request.keyCollations(bound.context.objectContext.store.layout(of:))
    return columns.filter(\.isKey).map { column in
      guard case .expression(let key) = column.content else { return nil }
      return named[key].flatMap(TextCollation.init)
    }
  }

  private func push(_ group: Group, _ objects: FetchResult, on stack: LuaStack) throws {
    var (key, aggregates) = (group.key.makeIterator(), group.aggregates.makeIterator())
    stack.pushTable(hash: Int32(clamping: columns.count))
    for column in columns {
      switch column.content {
      case .function(let function) where !column.isKey:
        if let answer = group.answers[column.name] {
          stack.push(answer)
        } else {
          try push(function, of: group, objects, on: stack)
        }
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

extension TextCollation {
  /// A text in the form that all have which it takes for equal; any other value as it is.
  fileprivate func folded(_ value: Value) -> Value {
    switch value {
    case .string(let text), .url(let text): .string(String(decoding: sortingBytes(of: text), as: UTF8.self))
    default: value
    }
  }
}
