internal import LuaBindings
internal import Modeling

// What can stand in a string: predicates and key paths.
extension LuaCompleter {
  /// Methods whose first argument is a predicate, and those for which it is a key path.
  private static let predicateMethods: Set<String> = [
    "where", "count", "first", "exists", "batchUpdate", "batchDelete", "predicate", "havingPredicate",
  ]
  private static let pathMethods: Set<String> = [
    "sorted", "sum", "average", "min", "max", "groupBy", "value", "sortDescriptors", "propertiesToFetch",
    "propertiesToGroupBy",
  ]

  /// Completions in a string that is open: a predicate or a key path, if a method that takes one is called.
  func inString(_ tokens: ArraySlice<LuaToken>, _ bytes: [UInt8], _ cursor: Int) -> Completions {
    guard let string = tokens.last, let quote = bytes[string.range].first else { return Completions(start: cursor) }
    var start = string.range.lowerBound + 1
    if quote == UInt8(ascii: "[") {
      while start < bytes.count, bytes[start] == UInt8(ascii: "=") { start += 1 }
      start += 1
    }
    guard start <= bytes.count, let (method, entity) = call(around: tokens.dropLast(), bytes) else {
      return Completions(start: cursor)
    }
    var text = String(decoding: bytes[start...], as: UTF8.self)
    let isPath = Self.pathMethods.contains(method)
    if isPath, text.hasPrefix("-") {
      text.removeFirst()
      start += 1
    }
    return PredicateCompleter(entity: entity, isPath: isPath).completions(text, at: start)
  }

  /// The method or option that the string is for, and the entity that it is about.
  private func call(around tokens: ArraySlice<LuaToken>, _ bytes: [UInt8]) -> (String, Entity)? {
    var rest = tokens
    if rest.last?.text(in: bytes) == "=" { return option(rest.dropLast(), bytes) }
    if let last = rest.last?.text(in: bytes), last == "(" || last == "," || last == "{",
      let open = Self.openBracket(rest, bytes)
    {
      rest = rest[..<open]
      if rest.last?.text(in: bytes) == "=" { return option(rest.dropLast(), bytes) }
    }
    guard let name = rest.popLast(), name.kind == .name else { return nil }
    let method = name.text(in: bytes)
    guard rest.popLast()?.text(in: bytes) == ":", Self.predicateMethods.union(Self.pathMethods).contains(method),
      let expression = LuaExpression(endingAt: rest, in: bytes)
    else { return nil }
    switch ThingFinder(engine: engine).thing(expression) {
    case .entity(let entity), .request(let entity), .object(let entity): return (method, entity)
    default: return nil
    }
  }

  /// An option of a request that is being described: its entity is another one.
  private func option(_ tokens: ArraySlice<LuaToken>, _ bytes: [UInt8]) -> (String, Entity)? {
    guard let name = tokens.last?.text(in: bytes), let open = Self.openBracket(tokens.dropLast(), bytes) else {
      return nil
    }
    guard Self.predicateMethods.union(Self.pathMethods).contains(name) else { return nil }
    let inside = Array(tokens[open...])
    for index in inside.indices.dropLast(2)
    where inside[index].text(in: bytes) == "entity" && inside[index + 1].text(in: bytes) == "=" {
      if let entity = engine.store?.model.entity(named: inside[index + 2].text(in: bytes)) { return (name, entity) }
    }
    return nil
  }
}
