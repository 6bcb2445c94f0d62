internal import LuaRuntime
internal import Modeling

extension Engine {
  /// What can stand at the byte `cursor` of a block: names, members, options, and key paths within predicates.
  ///
  /// Completion runs no code and fetches nothing.
  public func completions(_ block: String, at cursor: Int) -> CompletionList {
    let place = CompletionPlace(block, cursor: cursor)
    func list(_ candidates: [CompletionList.Candidate]) -> CompletionList {
      CompletionList(candidates, prefix: place.prefix, at: place.start)
    }
    switch place.kind {
    case .nowhere: return .none(at: place.start)
    case .name: return list(variables)
    case .member(let path, let isMethod):
      guard let type = type(of: path) else { return .none(at: place.start) }
      return list(isMethod ? methods(of: type) : fields(of: type))
    case .field(let path): return list(options(of: path) + variables)
    case .string(let path, let option): return string(path, option, place)
    }
  }

  // MARK: Names

  /// Locals of the session, globals and keywords.
  private var variables: [CompletionList.Candidate] {
    let locals = session.names.sorted().map { CompletionList.Candidate(text: $0, remark: "local") }
    var globals: [CompletionList.Candidate] = []
    let stack = lua.stack
    let top = stack.count
    defer { stack.setCount(top) }
    stack.pushGlobal("_G")
    try? stack.forEachPair(at: -1) { stack in
      guard stack.type(at: -2) == .string, let name = stack.string(at: -2) else { return }
      globals.append(CompletionList.Candidate(text: name, remark: remark(ofGlobal: name, on: stack)))
    }
    let keywords = LuaToken.keywords.sorted().map { CompletionList.Candidate(text: $0, remark: "") }
    return locals + globals.sorted { $0.text < $1.text } + keywords
  }

  /// What the global at the top is.
  private func remark(ofGlobal name: String, on stack: LuaStack) -> String {
    if let entry = catalog.members(of: "").first(where: { $0.name == name }) { return entry.summary }
    if entities.object(at: -1, on: stack) != nil { return "entity" }
    return stack.typeName(at: -1)
  }

  // MARK: Members

  private func methods(of type: CompletionType) -> [CompletionList.Candidate] {
    if case .table(let table) = type { return keys(of: table) { $0 == .function } }
    guard let owner = type.owner else { return [] }
    let builtIn = catalog.members(of: owner).filter { $0.kind == .method }
    return builtIn.map(CompletionList.Candidate.init) + scriptMethods(of: type)
  }

  private func scriptMethods(of type: CompletionType) -> [CompletionList.Candidate] {
    guard case .object(let entity) = type,
      let store = openStores.first(where: { $0.sqliteStore.model.entities.contains(entity) })
    else { return [] }
    return store.members(of: entity).methods.keys.sorted().map { CompletionList.Candidate(text: $0, remark: "method") }
  }

  private func fields(of type: CompletionType) -> [CompletionList.Candidate] {
    switch type {
    case .table(let table): return keys(of: table) { _ in true }
    case .entities(let model):
      return model.entities.map { CompletionList.Candidate(text: $0.name, remark: "entity") }
    default:
      var candidates: [CompletionList.Candidate] = []
      if case .object(let entity) = type {
        candidates =
          entity.properties.map(CompletionList.Candidate.init)
          + entity.fetchedProperties.map { .init(text: $0.name, remark: "fetched \($0.fetchRequest.entity)") }
      }
      let entries = catalog.members(of: type.owner ?? "").filter { $0.kind == .property }
      return candidates + entries.map(CompletionList.Candidate.init)
    }
  }

  private func keys(of table: LuaReference, _ isWanted: (LuaType) -> Bool) -> [CompletionList.Candidate] {
    let stack = lua.stack
    let top = stack.count
    defer { stack.setCount(top) }
    var keys: [CompletionList.Candidate] = []
    stack.push(table)
    try? stack.forEachPair(at: -1) { stack in
      guard stack.type(at: -2) == .string, let name = stack.string(at: -2), isWanted(stack.type(at: -1)) else { return }
      keys.append(CompletionList.Candidate(text: name, remark: stack.typeName(at: -1)))
    }
    return keys.sorted { $0.text < $1.text }
  }

  // MARK: Options

  /// The fields of the table that what `path` calls takes.
  private func options(of path: CompletionPlace.Path) -> [CompletionList.Candidate] {
    func entries(_ owner: String) -> [CompletionList.Candidate] {
      catalog.members(of: owner).filter { $0.kind == .option }.map { .init(text: $0.name + " = ", remark: $0.summary) }
    }
    if case .entity(let entity)? = type(of: path) { return assignable(entity) }
    switch path.steps.last {
    case .method("update")?: return (receiver(path)?.entity).map(assignable) ?? []
    case .method("with")?: return entries("FetchRequest")
    case .method("configure")?: return entries("Query")
    case .method("live")?: return [.init(text: "animation = ", remark: "")]
    case .method("groupBy")?, .method("grouped")?:
      return ["having", "sort", "limit", "offset"].map { .init(text: $0 + " = ", remark: "") }
    case .method("refresh")?: return [.init(text: "mergeChanges = ", remark: "")]
    case .method("newContext")?:
      return ["mergePolicy", "automaticallyMergesChangesFromParent"].map { .init(text: $0 + " = ", remark: "") }
    case .method("save")?: return ["author", "dryRun"].map { .init(text: $0 + " = ", remark: "") }
    case .method("history")?: return entries("history")
    case .method("deleteHistory")?: return [.init(text: "before = ", remark: "")]
    case .method("newContext")?: return ["name", "author"].map { .init(text: $0 + " = ", remark: "") }
    case .call?: return entries("Relationship")
    case nil:
      switch path.root {
      case "FetchRequest", "Query", "ResultsObserver", "open", "import", "SortDescriptor": return entries(path.root)
      case "SectionedFetchRequest": return entries("FetchRequest")
      case "ToOne", "ToMany": return entries("Relationship")
      case "save": return ["author", "dryRun"].map { .init(text: $0 + " = ", remark: "") }
      default: return TypeWord.all.contains { $0.name == path.root } ? entries("Attribute") : []
      }
    default: return []
    }
  }

  /// What the last step of a path is done with.
  private func receiver(_ path: CompletionPlace.Path) -> CompletionType? {
    type(of: CompletionPlace.Path(root: path.root, steps: Array(path.steps.dropLast())))
  }

  private func assignable(_ entity: Entity) -> [CompletionList.Candidate] {
    entity.properties.filter(\.isWritable).map {
      .init(text: $0.name + " = ", remark: CompletionList.Candidate($0).remark)
    }
  }

  // MARK: Strings

  private func string(_ path: CompletionPlace.Path, _ option: String?, _ place: CompletionPlace) -> CompletionList {
    var name = path.root
    var entity: Entity?
    if case .method(let method)? = path.steps.last {
      name = method
      entity = receiver(path)?.entity
    }
    switch option ?? name {
    case "where", "count", "first", "exists", "batchDelete", "batchUpdate", "predicate", "havingPredicate", "filter",
      "Predicate":
      return PredicateCompletion(entity: entity ?? onlyEntity, text: place.prefix, start: place.start).list
    case "sorted", "sum", "average", "min", "max", "groupBy", "grouped", "value", "set", "observe", "sectionIdentifier",
      "sectionBy", "sortDescriptors", "propertiesToFetch",
      "propertiesToGroupBy", "relationshipKeyPathsForPrefetching", "SortDescriptor", "sort":
      return PredicateCompletion.keyPaths(entity ?? onlyEntity, text: place.prefix, start: place.start)
    case "help":
      return CompletionList(catalog.entries.map(CompletionList.Candidate.init), prefix: place.prefix, at: place.start)
    case "ToOne", "ToMany":
      let names = mainStore?.sqliteStore.model.entities.map {
        CompletionList.Candidate(text: $0.name, remark: "entity")
      }
      return CompletionList(names ?? [], prefix: place.prefix, at: place.start)
    default:
      let words = Self.words[option ?? ""] ?? []
      return CompletionList(words.map { .init(text: $0, remark: "") }, prefix: place.prefix, at: place.start)
    }
  }

  /// The words that an option takes.
  private static let words: [String: [String]] = [
    "deleteRule": DeleteRule.allCases.map(\.rawValue), "resultType": ["objects", "objectIDs", "dictionaries", "count"],
    "comparator": ["binary", "caseInsensitive", "localized", "standard"],
  ]

  /// The entity that a text without one can only mean.
  private var onlyEntity: Entity? {
    guard let entities = mainStore?.sqliteStore.model.entities, entities.count == 1 else { return nil }
    return entities[0]
  }
}

extension CompletionList.Candidate {
  /// A property with its type: `Double`, `→ Station`, `→→ Report`.
  init(_ property: Property) {
    switch property {
    case .attribute(let attribute): self.init(text: attribute.name, remark: attribute.type.rawValue)
    case .relationship(let relationship):
      self.init(text: relationship.name, remark: (relationship.isToMany ? "→→ " : "→ ") + relationship.destination)
    }
  }
}
