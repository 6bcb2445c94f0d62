internal import LuaBindings
internal import Modeling
internal import Presentation

// Completions within strings: predicates, key paths, files, SQL, and the words that a call takes.
extension LuaCompleter {
  /// The meaning of a string that a call takes.
  enum Meaning {
    case predicate(PredicateCompleter.Kind, Entity?)
    case file
    case sql
    case words([Completions.Candidate])
  }

  /// Completions within an open string, if what takes it is known.
  ///
  /// - Parameter rest: the text behind the cursor.
  func inString(_ tokens: ArraySlice<LuaToken>, _ bytes: [UInt8], _ cursor: Int, _ rest: String) -> Completions {
    guard let string = tokens.last, let beginning = LuaStringBeginning(string, in: bytes) else {
      return Completions(start: cursor)
    }
    switch meaning(behind: tokens.dropLast(), bytes) {
    case .predicate(let kind, let entity): return predicate(beginning, kind, entity)
    case .file where engine.options.isSandboxed: return Completions(start: cursor)
    case .file: return beginning.placed(FileCompleter().completions(beginning.text))
    case .sql:
      let end = rest.firstRange(of: beginning.ending)?.lowerBound ?? rest.endIndex
      let found = SQLCompleter(engine: engine).completions(beginning.text, behind: String(rest[..<end]))
      return beginning.placed(found)
    case .words(let words):
      return beginning.placed(
        Completions(start: 0, candidates: words.filter { $0.text.hasPrefix(beginning.text) }))
    }
  }

  private func predicate(_ beginning: LuaStringBeginning, _ kind: PredicateCompleter.Kind, _ entity: Entity?)
    -> Completions
  {
    if let entities = PredicateCompleter(entity: entity, kind: kind).castEntities(beginning.text) {
      return beginning.placed(entities)
    }
    if kind == .predicate, let entity, let context = engine.stores.context(of: entity) {
      let completer = ValueCompleter(engine: engine, context: context, quote: beginning.innerQuote)
      if let found = completer.completions(beginning.text, in: entity) { return beginning.placed(found) }
    }
    return beginning.placed(PredicateCompleter(entity: entity, kind: kind).completions(beginning.text, at: 0))
  }

  /// The string at a byte of a script, where it is a predicate or a key path.
  func string(in text: String, at offset: Int) -> ScriptString? {
    let tokens = Self.tokens(of: text)
    return tokens.firstIndex { $0.range.contains(offset) }.flatMap { string($0, of: tokens, Array(text.utf8)) }
  }

  /// The string that is a token of a script, where it is a predicate or a key path.
  func string(_ index: Int, of tokens: [LuaToken], _ bytes: [UInt8]) -> ScriptString? {
    guard case .string = tokens[index].kind, let content = LuaStringBeginning(content: tokens[index], in: bytes),
      case .predicate(let kind, let entity) = meaning(behind: tokens[..<index], bytes)
    else { return nil }
    return ScriptString(content, kind, entity)
  }

  /// The tokens of a script but for its comments.
  static func tokens(of text: String) -> [LuaToken] {
    LuaToken.tokens(of: text).filter { if case .comment = $0.kind { false } else { true } }
  }

  // MARK: What a string means

  private func meaning(behind tokens: ArraySlice<LuaToken>, _ bytes: [UInt8]) -> Meaning {
    if let place = CallPlace(before: tokens, in: bytes, isString: true) { return meaning(of: place, bytes) }
    // results.predicate = "…"
    let target = tokens.dropLast()
    if tokens.last?.text(in: bytes) == "=", let name = target.last?.text(in: bytes),
      target.dropLast().last?.text(in: bytes) == ".",
      let owner = LuaExpression(endingAt: target.dropLast(2), in: bytes)
    {
      return meaning(ofOption: name, of: "", finder.thing(owner)?.entity)
    }
    return .words([])
  }

  private func meaning(of place: CallPlace, _ bytes: [UInt8]) -> Meaning {
    if let option = place.option {
      let entity = entity(of: place, bytes)
      if let entry = entry(of: place), SignatureParameters(entry.signature)[place.argument] == .fields("aggregate") {
        return .predicate(.aggregate, entity)
      }
      return meaning(ofOption: option, of: place.isOfResult ? "Relationship" : optionOwner(place.function), entity)
    }
    if Self.fileFunctions.contains(place.function) { return place.argument == 0 ? .file : .words([]) }
    guard let entry = entry(of: place) else { return .words([]) }
    if place.table != nil { return .words([]) }
    switch SignatureParameters(entry.signature)[place.argument] {
    case .named("predicate"), .named("format"): return .predicate(.predicate, entity(of: place, bytes))
    case .named("keyPath"), .named("keys"): return .predicate(.keyPath, entity(of: place, bytes))
    case .named("file"), .named("path"): return .file
    case .named("sql"): return .sql
    default: return .words(words(of: entry, place))
    }
  }

  private static let fileFunctions: Set<String> = ["dofile", "loadfile", "io.open", "io.lines"]

  private func meaning(ofOption option: String, of function: String, _ entity: Entity?) -> Meaning {
    switch option {
    case "predicate", "havingPredicate", "filter", "having": .predicate(.predicate, entity)
    case "sortDescriptors", "propertiesToFetch", "propertiesToGroupBy", "sectionIdentifier", "sort", "sectionBy",
      "relationshipKeyPathsForPrefetching", "columns", "rows", "upsert", "x", "y", "color", "facet":
      .predicate(.keyPath, entity)
    case "value": .predicate(.aggregate, entity)
    case "entity": .words((engine.store?.model.entities ?? []).map { Completions.Candidate($0.name, "entity") })
    default: .words(OptionWords.words(of: option, of: function))
    }
  }

  /// The words in quotes of a signature, or names of the model.
  private func words(of entry: CatalogEntry, _ place: CallPlace) -> [Completions.Candidate] {
    let receiver = place.receiver.flatMap { finder.thing($0) }
    switch (entry.name, receiver) {
    case ("template", .entity(let entity)?): return templates { $0 == entity.name }
    case ("fetchRequest", _?): return templates { _ in true }
    case ("swift", .request?), ("swift", .kind("Predicate")?):
      return Engine.swiftForms.map { Completions.Candidate($0) }
    case ("ToOne", nil), ("ToMany", nil):
      return (engine.store?.model.entities ?? []).map { Completions.Candidate($0.name, "entity") }
    case ("help", nil): return engine.catalog.entries.map { Completions.Candidate($0.name, $0.summary) }
    default: return entry.quotedWords
    }
  }

  /// The names of the model's request templates for some entities.
  private func templates(for isWanted: (String) -> Bool) -> [Completions.Candidate] {
    (engine.store?.model.fetchRequestTemplates ?? [:]).filter { isWanted($0.value.entity) }.map(\.key).sorted().map {
      Completions.Candidate($0)
    }
  }

  // MARK: What is called

  /// The line of help for the called function.
  func entry(of place: CallPlace) -> CatalogEntry? {
    guard let receiver = place.receiver else {
      return engine.catalog.members(of: "").first { $0.name == place.function }
    }
    guard let owner = finder.thing(receiver)?.owner else { return nil }
    return engine.catalog.members(of: owner).first { $0.name == place.function && $0.kind == .method }
  }

  func receiverEntity(_ place: CallPlace) -> Entity? {
    place.receiver.flatMap { finder.thing($0)?.entity }
  }

  /// The entity that key paths are about: of the receiver, of the option `entity`, of the first argument, or the only one.
  private func entity(of place: CallPlace, _ bytes: [UInt8]) -> Entity? {
    let model = engine.store?.model
    if let entity = receiverEntity(place) { return entity }
    if let name = place.value(of: "entity", in: bytes), let entity = model?.entity(named: name) { return entity }
    if let first = place.firstArgument, let entity = finder.thing(first)?.entity { return entity }
    return model?.entities.count == 1 ? model?.entities[0] : nil
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

  /// The entity that its predicates and key paths are about.
  var entity: Entity? {
    switch self {
    case .entity(let entity), .object(let entity), .request(let entity), .list(let entity, _), .sections(let entity, _):
      entity
    case .kind, .table, .string: nil
    }
  }
}

extension CatalogEntry {
  /// The words in quotes of the signature: `"sqlite"`, `"memory"`.
  fileprivate var quotedWords: [Completions.Candidate] {
    signature.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 && $0.element.allSatisfy(\.isLetter) }.map {
        Completions.Candidate(String($0.element))
      }
  }
}
