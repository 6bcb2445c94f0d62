internal import LuaRuntime
internal import Modeling
internal import Queries

// Options as a request takes them.
extension Options {
  func predicate(_ name: String, in entity: Entity? = nil) throws -> Queries.Predicate? {
    try with(name) { index in
      let place = "\(call.place): \(name)"
      guard let predicate = try call.engine.predicate(at: index, on: call.stack, place: place, in: entity) else {
        throw expected("a predicate (string, table or Predicate)", name, index)
      }
      return predicate
    }
  }

  func paths(_ name: String) throws -> [PropertyPath] {
    if let single = try? string(name) { return [try RequestOptions.path(single)] }
    return try (strings(name) ?? []).map { try RequestOptions.path($0) }
  }

  func expressions(_ name: String) throws -> [Queries.Expression] {
    if let single = try? string(name) { return [try Queries.Expression.parse(single)] }
    return try (strings(name) ?? []).map { try Queries.Expression.parse($0) }
  }

  /// Columns of a dictionary: `{ "place", n = "count", biggest = "max(magnitude)" }`, the listed ones first.
  func columns(_ name: String) throws -> [FetchedColumn] {
    let columns = try with(name) { index -> [FetchedColumn] in
      guard call.stack.type(at: index) == .table else { throw expected("a list of key paths", name, index) }
      var named: [FetchedColumn] = []
      try call.stack.forEachPair(at: index) { stack in
        guard stack.type(at: -2) == .string, let column = stack.string(at: -2) else { return }
        guard let text = stack.string(at: -1) else { throw expected("expressions as strings", name, stack.count) }
        named.append(try FetchedColumn(column, parsing: text))
      }
      let listed = try call.stack.elements(at: index) { element in
        guard let text = call.stack.string(at: element) else { throw expected("a list of key paths", name, element) }
        return try FetchedColumn(text, parsing: text)
      }
      return (listed ?? []) + named.sorted { $0.name < $1.name }
    }
    return columns ?? []
  }
}
