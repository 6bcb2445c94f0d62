internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Queries

// Options of requests.
extension Options {
  func predicate(_ name: String, in entity: Entity? = nil) throws -> Queries.Predicate? {
    try with(name) { index in
      let place = "\(call.place): \(name)"
      guard let predicate = try call.engine.predicates.predicate(at: index, on: call.stack, place: place, in: entity)
      else {
        throw expected("a predicate (string, table or Predicate)", name, index)
      }
      return predicate
    }
  }

  /// The sections of an entity's objects: a key path or an expression, or a function or computed property.
  func sections(_ name: String, of entity: Entity) throws -> (Queries.Expression?, SectionFunction?) {
    let engine = call.engine
    return try with(name) { index -> (Queries.Expression?, SectionFunction?) in
      if call.stack.type(at: index) == .function {
        let function = call.stack.reference(at: index)
        return (nil, sections(by: function, engine.lua.name(of: function, as: "a function"), source: function))
      }
      guard let text = try engine.predicates.expressionText(at: index, on: call.stack) else {
        throw expected("a string or a function", name, index)
      }
      let store = engine.stores.store(of: entity)
      if let function = store?.computed(text, of: entity) {
        return (nil, sections(by: function, text, source: nil))
      }
      return (try Queries.Expression.parse(text), nil)
    } ?? (nil, nil)
  }

  func paths(_ name: String) throws -> [PropertyPath] {
    if let single = try? string(name) { return [try RequestOptions.path(single)] }
    return try (strings(name) ?? []).map { try RequestOptions.path($0) }
  }

  func expressions(_ name: String) throws -> [Queries.Expression] {
    let texts = try with(name) { index -> [String] in
      let (engine, stack) = (call.engine, call.stack)
      if let single = try engine.predicates.expressionText(at: index, on: stack) { return [single] }
      let list = try stack.elements(at: index) { element in
        guard let text = try engine.predicates.expressionText(at: element, on: stack) else {
          throw expected("a list of strings", name, element)
        }
        return text
      }
      guard let list else { throw expected("a list of strings", name, index) }
      return list
    }
    return try (texts ?? []).map { try Queries.Expression.parse($0) }
  }

  /// The columns of a dictionary: `{ "place", n = "count", biggest = "max(magnitude)" }`, the listed ones first.
  func columns(_ name: String) throws -> [FetchedColumn] {
    let columns = try with(name) { index -> [FetchedColumn] in
      guard call.stack.type(at: index) == .table else { throw expected("a list of key paths", name, index) }
      var named: [FetchedColumn] = []
      try call.stack.forEachPair(at: index) { stack in
        guard stack.type(at: -2) == .string, let column = stack.string(at: -2) else { return }
        guard let text = try call.engine.predicates.expressionText(at: stack.count, on: stack) else {
          throw expected("expressions as strings", name, stack.count)
        }
        named.append(try FetchedColumn(column, parsing: text))
      }
      let listed = try call.stack.elements(at: index) { element in
        guard let text = try call.engine.predicates.expressionText(at: element, on: call.stack) else {
          throw expected("a list of key paths", name, element)
        }
        return try FetchedColumn(text, parsing: text)
      }
      return (listed ?? []) + named.sorted { $0.name < $1.name }
    }
    return columns ?? []
  }

  /// Sections by the results of a script's function.
  private func sections(by function: LuaReference, _ name: String, source: LuaReference?) -> SectionFunction {
    SectionFunction(name, source: source) { [unowned engine = call.engine] subject in
      guard !engine.lua.isClosed, let object = subject as? ManagedObject else { return .null }
      return try engine.answer(of: function, for: object, named: name)
    }
  }
}
