internal import LuaBindings
internal import Modeling
internal import Terminal

// Completions within strings: predicates, key paths, and the words that a call takes.
extension LuaCompleter {
  /// Methods whose first argument is a predicate, and those for which it is a key path.
  static let predicateMethods: Set<String> = [
    "where", "count", "first", "exists", "batchUpdate", "batchDelete", "predicate", "havingPredicate", "filter",
  ]
  private static let pathMethods: Set<String> = [
    "sorted", "sum", "average", "min", "max", "groupBy", "grouped", "value", "sortDescriptors", "propertiesToFetch",
    "propertiesToGroupBy", "tryIndex", "sectionIdentifier", "sort", "sectionBy", "observe",
  ]

  /// Completions within an open string: a predicate, a key path or a word, if the called method takes one.
  func inString(_ tokens: ArraySlice<LuaToken>, _ bytes: [UInt8], _ cursor: Int) -> Completions {
    guard let string = tokens.last, let quote = bytes[string.range].first else { return Completions(start: cursor) }
    var start = string.range.lowerBound + 1
    if quote == UInt8(ascii: "[") {
      while start < bytes.count, bytes[start] == UInt8(ascii: "=") { start += 1 }
      start += 1
    }
    guard start <= bytes.count else { return Completions(start: cursor) }
    var text = String(decoding: bytes[start...], as: UTF8.self)
    guard let (method, entity) = call(around: tokens.dropLast(), bytes) else {
      let candidates = words(around: tokens.dropLast(), bytes).filter { $0.hasPrefix(text) }
      return Completions(start: start, candidates: candidates.map { Completions.Candidate($0) })
    }
    let isPath = Self.pathMethods.contains(method)
    if !isPath, let beginning = LuaStringBeginning(string, in: bytes), let context = engine.context(of: entity) {
      let completer = ValueCompleter(engine: engine, context: context, quote: beginning.innerQuote)
      if let found = completer.completions(beginning.text, in: entity) { return beginning.placed(found) }
    }
    if isPath, text.hasPrefix("-") {
      text.removeFirst()
      start += 1
    }
    return PredicateCompleter(entity: entity, isPath: isPath).completions(text, at: start)
  }

  /// The method or option that takes the string, and the entity it applies to.
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

  /// An option of a request constructor, whose entity is given by another option.
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

  // MARK: Words

  /// The words that the called method or function takes.
  private func words(around tokens: ArraySlice<LuaToken>, _ bytes: [UInt8]) -> [String] {
    var rest = tokens
    if let last = rest.last?.text(in: bytes), last == "(" || last == ",", let open = Self.openBracket(rest, bytes) {
      rest = rest[..<open]
    }
    guard let name = rest.popLast(), name.kind == .name else { return [] }
    let text = name.text(in: bytes)
    guard rest.popLast()?.text(in: bytes) == ":", let expression = LuaExpression(endingAt: rest, in: bytes),
      let thing = ThingFinder(engine: engine).thing(expression)
    else { return engine.catalog.members(of: "").first { $0.name == text }?.quotedWords ?? [] }
    switch (text, thing) {
    case ("template", .entity(let entity)): return templates { $0 == entity.name }
    case ("fetchRequest", .kind("Store")), ("fetchRequest", .kind("Model")): return templates { _ in true }
    case ("swift", .request), ("swift", .kind("Predicate")): return Engine.swiftForms
    default: return engine.catalog.members(of: thing.owner ?? "").first { $0.name == text }?.quotedWords ?? []
    }
  }

  /// The names of the model's request templates for some entities.
  private func templates(for isWanted: (String) -> Bool) -> [String] {
    (engine.store?.model.fetchRequestTemplates ?? [:]).filter { isWanted($0.value.entity) }.map(\.key).sorted()
  }
}

extension Thing {
  /// Its name in the catalog.
  var owner: String? {
    switch self {
    case .entity: "Entity"
    case .object: "Object"
    case .request: "Request"
    case .list(_, let kind), .sections(_, let kind), .kind(let kind): kind
    case .table, .string: nil
    }
  }
}

extension CatalogEntry {
  /// The words in quotes of the signature: `"sqlite"`, `"memory"`.
  fileprivate var quotedWords: [String] {
    signature.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 && $0.element.allSatisfy(\.isLetter) }.map { String($0.element) }
  }
}
