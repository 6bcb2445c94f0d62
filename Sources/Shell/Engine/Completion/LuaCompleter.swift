internal import LuaBindings
internal import LuaRuntime
internal import Modeling

/// What can stand at a place of a block of Lua: names, members, options, and what predicates are made of.
struct LuaCompleter {
  let engine: Engine

  /// Methods whose first argument is a predicate, and those for which it is a key path.
  private static let predicateMethods: Set<String> = [
    "where", "count", "first", "exists", "batchUpdate", "batchDelete", "predicate", "havingPredicate",
  ]
  private static let pathMethods: Set<String> = [
    "sorted", "sum", "average", "min", "max", "groupBy", "value", "sortDescriptors", "propertiesToFetch",
    "propertiesToGroupBy",
  ]

  /// Completions at a byte of `block`.
  func completions(_ block: String, at cursor: Int) -> Completions {
    let bytes = Array(block.utf8.prefix(cursor))
    var tokens = LuaToken.tokens(of: String(decoding: bytes, as: UTF8.self))[...]
    switch tokens.last?.kind {
    case .comment(isOpen: true)?: return Completions(start: cursor)
    case .comment?: if tokens.last?.range.upperBound == cursor { return Completions(start: cursor) }
    case .string(isOpen: true)?: return inString(tokens, bytes, cursor)
    default: break
    }
    tokens = ArraySlice(tokens.filter { if case .comment = $0.kind { false } else { true } })
    var word = ""
    if let last = tokens.last, last.range.upperBound == cursor, last.kind == .name || last.kind == .keyword {
      word = last.text(in: bytes)
      tokens = tokens.dropLast()
    }
    var candidates: [Completions.Candidate]
    let separator = tokens.last?.text(in: bytes)
    if separator == "." || separator == ":" {
      candidates = members(tokens.dropLast(), bytes, isMethod: separator == ":")
    } else {
      candidates = fields(tokens, bytes) + names(word)
    }
    candidates = candidates.filter { $0.text.hasPrefix(word) }
    var known: Set<String> = []
    candidates = candidates.filter { known.insert($0.text).inserted }
    return Completions(start: cursor - word.utf8.count, candidates: candidates)
  }

  // MARK: Names

  private func names(_ word: String) -> [Completions.Candidate] {
    if word.isEmpty { return (engine.store?.model.entities ?? []).map { Completions.Candidate($0.name, "entity") } }
    let summaries = Dictionary(
      engine.catalog.members(of: "").map { ($0.name, $0.summary) }, uniquingKeysWith: { first, _ in first })
    let globals = keys(of: "_G").map { Completions.Candidate($0, summaries[$0] ?? "") }
    let locals = engine.localNames.map { Completions.Candidate($0, "local") }
    return locals + globals + LuaToken.keywords.sorted().map { Completions.Candidate($0) }
  }

  private func keys(of global: String) -> [String] {
    let stack = engine.lua.stack
    defer { stack.pop() }
    guard stack.pushGlobal(global) == .table else { return [] }
    return keys(ofTableAt: -1, on: stack, functionsOnly: false)
  }

  private func keys(ofTableAt index: Int32, on stack: LuaStack, functionsOnly: Bool) -> [String] {
    var keys: [String] = []
    try? stack.forEachPair(at: index) { stack in
      guard stack.type(at: -2) == .string, let name = stack.string(at: -2) else { return }
      guard !functionsOnly || stack.type(at: -1) == .function else { return }
      if !name.isEmpty, name.allSatisfy({ $0 == "_" || $0.isLetter || $0.isNumber }) { keys.append(name) }
    }
    return keys.sorted()
  }

  // MARK: Members

  private func members(_ tokens: ArraySlice<LuaToken>, _ bytes: [UInt8], isMethod: Bool) -> [Completions.Candidate] {
    if case .string? = tokens.last?.kind { return isMethod ? keys(of: "string").map { Completions.Candidate($0) } : [] }
    guard let expression = LuaExpression(endingAt: tokens, in: bytes),
      let thing = ThingFinder(engine: engine).thing(expression)
    else { return [] }
    switch thing {
    case .entity: return members(of: "Entity", isMethod)
    case .request: return members(of: "Request", isMethod)
    case .list(_, let kind), .kind(let kind):
      if kind == "Entities" { return (engine.store?.model.entities ?? []).map { Completions.Candidate($0.name) } }
      return members(of: kind, isMethod)
    case .object(let entity):
      return (isMethod ? [] : PredicateCompleter.candidates(entity)) + members(of: "Object", isMethod)
    case .string: return isMethod ? keys(of: "string").map { Completions.Candidate($0) } : []
    case .table(let table):
      let stack = engine.lua.stack
      stack.push(table)
      defer { stack.pop() }
      return keys(ofTableAt: -1, on: stack, functionsOnly: isMethod).map { Completions.Candidate($0) }
    }
  }

  private func members(of kind: String, _ isMethod: Bool) -> [Completions.Candidate] {
    engine.catalog.members(of: kind).filter { isMethod ? $0.kind == .method : $0.kind == .property }.map { entry in
      Completions.Candidate(entry.name, isMethod ? entry.arguments : entry.summary)
    }
  }

  // MARK: Fields of tables

  /// What can be a field of the table that is being written: options of a call, properties of a new object.
  private func fields(_ tokens: ArraySlice<LuaToken>, _ bytes: [UInt8]) -> [Completions.Candidate] {
    guard let last = tokens.last?.text(in: bytes), last == "{" || last == ",",
      let place = Self.openBracket(tokens, bytes), tokens[place].text(in: bytes) == "{"
    else { return [] }
    var before = tokens[..<place]
    if before.last?.text(in: bytes) == "(" { before = before.dropLast() }
    // In the second argument the call is further back.
    if before.last?.text(in: bytes) == ",", let open = Self.openBracket(before, bytes) { before = before[..<open] }
    guard let name = before.last, name.kind == .name else { return [] }
    let options = engine.catalog.members(of: name.text(in: bytes)).filter { $0.kind == .option }
    if !options.isEmpty { return options.map { Completions.Candidate($0.name, $0.summary) } }
    if let expression = LuaExpression(endingAt: before, in: bytes),
      case .entity(let entity)? = ThingFinder(engine: engine).thing(expression)
    {
      return PredicateCompleter.candidates(entity)
    }
    return []
  }

  /// The place of the innermost bracket that is open at the end of `tokens`.
  private static func openBracket(_ tokens: ArraySlice<LuaToken>, _ bytes: [UInt8]) -> Int? {
    var depth = 0
    for index in tokens.indices.reversed() where tokens[index].kind == .symbol {
      switch tokens[index].text(in: bytes) {
      case ")", "]", "}": depth += 1
      case "(", "[", "{":
        if depth == 0 { return index }
        depth -= 1
      default: break
      }
    }
    return nil
  }

  // MARK: Strings

  /// Completions in a string that is open: a predicate or a key path, if a method that takes one is called.
  private func inString(_ tokens: ArraySlice<LuaToken>, _ bytes: [UInt8], _ cursor: Int) -> Completions {
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

extension CatalogEntry {
  /// The part of the signature behind the name: `(predicate, ...) -> request`.
  fileprivate var arguments: String {
    signature.firstRange(of: name).map { String(signature[$0.upperBound...]) } ?? signature
  }
}
