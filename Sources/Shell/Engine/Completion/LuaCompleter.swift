internal import LuaBindings
internal import LuaRuntime
internal import Modeling
internal import Terminal

/// Computes completions in a block of Lua: names, members, options, and the parts of predicates.
struct LuaCompleter {
  let engine: Engine

  /// Returns the completions at a byte offset of `block`.
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
    case .list(_, let kind), .sections(_, let kind), .kind(let kind):
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

  /// Completions for a field of an open table: options of a call, or properties of a new object.
  private func fields(_ tokens: ArraySlice<LuaToken>, _ bytes: [UInt8]) -> [Completions.Candidate] {
    guard let last = tokens.last?.text(in: bytes), last == "{" || last == ",",
      let place = Self.openBracket(tokens, bytes), tokens[place].text(in: bytes) == "{"
    else { return [] }
    var before = tokens[..<place]
    if before.last?.text(in: bytes) == "(" { before = before.dropLast() }
    // In a second argument the call is further back.
    if before.last?.text(in: bytes) == ",", let open = Self.openBracket(before, bytes) { before = before[..<open] }
    guard let name = before.last, name.kind == .name else { return [] }
    let owner = name.text(in: bytes)
    // They take the same options.
    let same = ["SectionedFetchRequest": "FetchRequest", "with": "FetchRequest", "configure": "Query"]
    let options = engine.catalog.members(of: same[owner] ?? owner).filter { $0.kind == .option }
    if !options.isEmpty { return options.map { Completions.Candidate($0.name, $0.summary) } }
    if let expression = LuaExpression(endingAt: before, in: bytes),
      case .entity(let entity)? = ThingFinder(engine: engine).thing(expression)
    {
      return PredicateCompleter.candidates(entity)
    }
    return []
  }

  /// The index of the innermost open bracket at the end of `tokens`.
  static func openBracket(_ tokens: ArraySlice<LuaToken>, _ bytes: [UInt8]) -> Int? {
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
}

extension CatalogEntry {
  /// The part of the signature behind the name: `(predicate, ...) -> request`.
  var arguments: String {
    signature.firstRange(of: name).map { String(signature[$0.upperBound...]) } ?? signature
  }
}
