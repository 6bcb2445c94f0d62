internal import LuaBindings
internal import LuaRuntime
internal import Modeling
package import Presentation

/// Computes completions in a block of Lua: names, members, options, and the parts of predicates.
package struct LuaCompleter {
  let engine: Engine
  /// The locals of a script that is written in an editor; nil at the prompt. In a script only what is ours is offered, because
  /// editors have a server for plain Lua.
  var scope: ScriptScope?

  var finder: ThingFinder { ThingFinder(engine: engine, scope: scope) }

  /// Returns the completions at a byte offset of `block`.
  package func completions(_ block: String, at cursor: Int) -> Completions {
    // A precaution: reading variables runs no code.
    engine.catchInterrupts()
    defer { engine.lua.uninstallSignalHandler() }
    let bytes = Array(block.utf8.prefix(cursor))
    var tokens = LuaToken.tokens(of: String(decoding: bytes, as: UTF8.self))[...]
    switch tokens.last?.kind {
    case .comment(isOpen: true)?: return Completions(start: cursor)
    case .comment?: if tokens.last?.range.upperBound == cursor { return Completions(start: cursor) }
    case .string(isOpen: true)?:
      return inString(tokens, bytes, cursor, String(decoding: Array(block.utf8)[bytes.count...], as: UTF8.self))
    default: break
    }
    tokens = ArraySlice(tokens.filter { if case .comment = $0.kind { false } else { true } })
    var word = ""
    if let last = tokens.last, last.range.upperBound == cursor, last.kind == .name || last.kind == .keyword {
      word = last.text(in: bytes)
      tokens = tokens.dropLast()
    }
    if block.first == "?" { return topics(word, at: cursor) }
    var candidates: [Completions.Candidate]
    let separator = tokens.last?.text(in: bytes)
    if separator == "." || separator == ":" {
      candidates = members(tokens.dropLast(), bytes, isMethod: separator == ":")
    } else {
      candidates = fields(tokens, bytes) + names(word)
    }
    let exact = candidates.filter { $0.text.hasPrefix(word) }
    let small = word.lowercased()
    candidates = exact.isEmpty ? candidates.filter { $0.text.lowercased().hasPrefix(small) } : exact
    var known: Set<String> = []
    candidates = candidates.filter { known.insert($0.text).inserted }
    return Completions(start: cursor - word.utf8.count, candidates: candidates)
  }

  // MARK: Names

  private func names(_ word: String) -> [Completions.Candidate] {
    if let scope { return namesOfScript(word).filter { scope[$0.text] == nil } }
    if word.isEmpty { return (engine.store?.model.entities ?? []).map { Completions.Candidate($0.name, "entity") } }
    let summaries = Dictionary(
      engine.catalog.members(of: "").map { ($0.name, $0.summary) }, uniquingKeysWith: { first, _ in first })
    let globals = keys(of: "_G").map { Completions.Candidate($0, summaries[$0] ?? "") }
    let scope = engine.scopes.object.map { PredicateCompleter.candidates($0.entity) } ?? []
    let locals = scope + engine.localNames.map { Completions.Candidate($0, "local") }
    return locals + globals + LuaToken.keywords.sorted().map { Completions.Candidate($0) }
  }

  /// The entities and the functions of the engine.
  private func namesOfScript(_ word: String) -> [Completions.Candidate] {
    guard !word.isEmpty else { return [] }
    let entities = (engine.store?.model.entities ?? []).map { Completions.Candidate($0.name, "entity") }
    return entities + engine.catalog.members(of: "").map { Completions.Candidate($0.name, $0.summary) }
  }

  /// The subjects of help.
  private func topics(_ word: String, at cursor: Int) -> Completions {
    let entries = engine.catalog.entries.map { Completions.Candidate($0.name, $0.summary) }
    let entities = engine.store?.model.entities ?? []
    let own =
      entities.map { Completions.Candidate($0.name, "entity") } + entities.flatMap { PredicateCompleter.candidates($0) }
    let words = PredicateTopic.all.flatMap(\.names).map { Completions.Candidate($0, "predicate language") }
    var known: Set<String> = []
    let candidates = (own + entries + words).filter { $0.text.hasPrefix(word) && known.insert($0.text).inserted }
    return Completions(start: cursor - word.utf8.count, candidates: candidates)
  }

  /// The names of all globals.
  var globals: [String] { keys(of: "_G") }

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
      let thing = finder.thing(expression)
    else { return [] }
    switch thing {
    case .entity: return members(of: "Entity", isMethod)
    case .request: return members(of: "Request", isMethod)
    case .list(_, let kind), .sections(_, let kind), .kind(let kind):
      if kind == "Entities" { return (engine.store?.model.entities ?? []).map { Completions.Candidate($0.name) } }
      return members(of: kind, isMethod)
    case .object(let entity):
      let fetched = entity.fetchedProperties.map { Completions.Candidate($0.name, "fetched \($0.fetchRequest.entity)") }
      let scripts = engine.stores.scriptMembers(of: entity, areMethods: isMethod).map {
        Completions.Candidate($0, "of the script")
      }
      return (isMethod ? [] : PredicateCompleter.candidates(entity) + fetched) + scripts
        + members(of: "Object", isMethod)
    case .string where scope != nil, .table where scope != nil: return []
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
}

extension CatalogEntry {
  /// The part of the signature behind the name: `(predicate, ...) -> request`.
  var arguments: String {
    signature.firstRange(of: name).map { String(signature[$0.upperBound...]) } ?? signature
  }
}
