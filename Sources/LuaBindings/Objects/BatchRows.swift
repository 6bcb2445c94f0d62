internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Queries
internal import Stores

/// The rows of a batch insert, one by one: from a list, an iterator, a request or a result.
final class BatchRows {
  typealias Row = [(property: Int, value: Value)]

  /// The number of rows, if it is known and reading the rows has no side effects.
  var expected = 0
  let call: Call
  private let entity: BoundEntity
  let mapping: BatchMapping
  /// Whether rows may update existing objects.
  let isUpsert: Bool
  var next: () throws -> Row? = { nil }
  var close: () -> Void = {}
  /// Has the rows begin anew; nil where they come only once.
  private(set) var restart: (() -> Void)?
  /// For each entity whose objects are rows: the destinations of its properties.
  var plans: [Entity: [(source: Int, places: [BatchMapping.Place])]] = [:]
  private var number = 0

  init(_ call: Call, _ entity: BoundEntity, _ mapping: BatchMapping, isUpsert: Bool) throws {
    self.isUpsert = isUpsert
    self.call = call
    self.entity = entity
    self.mapping = mapping
    try open()
  }

  deinit { close() }

  private var stack: LuaStack { call.stack }

  /// Returns the next row; nil after the last.
  func read() throws -> Row? {
    number += 1
    if number & 0x3FF == 0 { try call.engine.lua.checkInterrupt() }
    return try next()
  }

  private func open() throws {
    if let request = call.engine.classes.object(BoundRequest.self, at: call.index(1), on: stack) {
      return try open(request)
    }
    if let result = call.engine.classes.object(BoundResult.self, at: call.index(1), on: stack) {
      return try open(result)
    }
    switch call.type(1) {
    case .table: openList()
    case .function: openIterator()
    default: throw call.expected("a list of rows, an iterator, a request or a result", 1)
    }
  }

  // MARK: Lists and iterators

  private func openList() {
    expected = stack.rawLength(at: call.index(1))
    var element: Int64 = 0
    restart = { [unowned self] in (element, number) = (0, 0) }
    next = { [unowned self] in
      element += 1
      let top = stack.count
      defer { stack.setCount(top) }
      stack.reserve(4)
      guard stack.rawGet(element: element, at: call.index(1)) != .nil else { return nil }
      return try inRow { try self.row(at: self.stack.count) }
    }
  }

  /// Reads the values of a generic `for`: a function, with an optional state and control value. The row is the first of
  /// the function's results that can be one.
  private func openIterator() {
    let control = call.count >= 3
    stack.reserve(8)
    stack.pushCopy(of: call.index(1))
    if control { stack.pushCopy(of: call.index(2)) } else { stack.pushNil() }
    if control { stack.pushCopy(of: call.index(3)) } else { stack.pushNil() }
    let base = stack.count - 2
    next = { [unowned self] in
      defer { stack.setCount(base + 2) }
      stack.reserve(8)
      for place in base...base + 2 { stack.pushCopy(of: place) }
      try stack.call(arguments: 2, results: LuaStack.allResults)
      try entity.context.checkOpen(call.place)
      let first = base + 3
      guard stack.count >= first, !stack.isNil(at: first) else { return nil }
      stack.copy(from: first, to: base + 2)
      let values = first...stack.count
      let place = values.first { stack.type(at: $0) == .table || call.engine.values.object(at: $0, on: stack) != nil }
      return try inRow { try self.row(at: place ?? first) }
    }
  }

  /// Adds the number of the row to errors of `body`.
  func inRow(_ body: () throws -> Row) throws -> Row {
    do { return try body() } catch let error as LuaError { throw error } catch {
      throw GraphError(.inRow(number, error))
    }
  }

  /// The row in a table or an object at `index`.
  private func row(at index: Int32) throws -> Row {
    if let object = call.engine.values.object(at: index, on: stack) { return try row(of: object) }
    guard stack.type(at: index) == .table else {
      throw call.fail(.expected("a table of values by property, or an object", found: stack.typeName(at: index)))
    }
    if mapping.isPlain { return try entity.values(at: index, call) }
    var row: Row = []
    try stack.forEachPair(at: index) { stack in
      guard stack.type(at: -2) == .string, let name = stack.string(at: -2) else {
        throw call.fail(.expected("values by name", found: "a field of type \(stack.typeName(at: -2))"))
      }
      guard let places = mapping[name] else { throw unknownField(name) }
      guard
        let value = try call.engine.values.value(at: stack.count, on: stack, place: "\(mapping.entity.name).\(name)")
      else {
        throw ScriptError("\(mapping.entity.name).\(name)", .expected("a value", found: stack.typeName(at: -1)))
      }
      try mapping.add(value, at: places, to: &row)
    }
    return row
  }

  private func unknownField(_ name: String) -> any Error {
    let near = nearest(name, mapping.entity.properties.map(\.name) + mapping.names)
    return GraphError(.unknownProperty(name, entity: mapping.entity.name, nearest: near))
  }
}
