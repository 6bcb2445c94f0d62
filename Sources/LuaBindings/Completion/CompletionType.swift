internal import LuaRuntime
internal import Modeling

/// What an expression is, as far as its members matter; found without running anything.
enum CompletionType {
  case table(LuaReference)
  case entities(Model)
  case entity(Entity)
  case object(Entity)
  case collection(Entity)
  case request(Entity)
  case result(Entity)
  /// Live objects, a section of them, or all sections: what the catalog calls it, and whether its elements are sections.
  case live(Entity, owner: String, hasSections: Bool)
  /// Any other thing of the catalog.
  case other(String)

  /// What the catalog calls it.
  var owner: String? {
    switch self {
    case .table: nil
    case .entities: EntityList.luaName
    case .entity: BoundEntity.luaName
    case .object: ObjectMembers.owner
    case .collection: BoundCollection.luaName
    case .request: BoundRequest.luaName
    case .result: BoundResult.luaName
    case .live(_, let owner, _): owner
    case .other(let owner): owner
    }
  }

  /// The entity whose properties its predicates and key paths are about.
  var entity: Entity? {
    switch self {
    case .entity(let entity), .object(let entity), .collection(let entity), .request(let entity), .result(let entity),
      .live(let entity, _, _):
      entity
    default: nil
    }
  }
}

extension Engine {
  /// What a path leads to, as far as that can be seen.
  func type(of path: CompletionPlace.Path) -> CompletionType? {
    var type = type(ofVariable: path.root)
    var isFunction = type == nil
    for step in path.steps {
      if isFunction, step == .call {
        type = typeOfCall(path.root)
      } else {
        type = type.flatMap { self.type(after: step, of: $0) }
      }
      isFunction = false
      if type == nil { return nil }
    }
    return type
  }

  /// What the value of a global or of a session's local is.
  private func type(ofVariable name: String) -> CompletionType? {
    let stack = lua.stack
    let top = stack.count
    defer { stack.setCount(top) }
    stack.reserve(6)
    if !session.push(local: name, on: stack) { stack.pushGlobal(name) }
    return type(at: -1, on: stack)
  }

  private func type(at index: Int32, on stack: LuaStack) -> CompletionType? {
    if stack.type(at: index) == .table { return .table(stack.reference(at: index)) }
    guard stack.type(at: index) == .userdata else { return nil }
    if let object = object(at: index, on: stack) { return .object(object.entity) }
    if let entity = entities.object(at: index, on: stack) { return .entity(entity.entity) }
    if let request = requests.object(at: index, on: stack) { return .request(request.entity) }
    if let result = results.object(at: index, on: stack) { return .result(result.result.entity) }
    if let live = liveType(at: index, on: stack) { return live }
    if let list = entityLists.object(at: index, on: stack) { return .entities(list.model) }
    if let collection = collections.object(at: index, on: stack) {
      return .collection(collection.object.entity.destination(at: collection.property))
    }
    return .other(stack.typeName(at: index))
  }

  private func liveType(at index: Int32, on stack: LuaStack) -> CompletionType? {
    if let live = fetchedResults.object(at: index, on: stack) {
      return .live(
        live.configuration.request.entity, owner: BoundFetchedResults.luaName, hasSections: live.isSectioned)
    }
    if let section = sections.object(at: index, on: stack) {
      let entity = section.results.configuration.request.entity
      return .live(entity, owner: BoundSection.luaName, hasSections: false)
    }
    if let list = sectionLists.object(at: index, on: stack) {
      return .live(list.results.configuration.request.entity, owner: BoundSections.luaName, hasSections: true)
    }
    return nil
  }

  private func type(after step: CompletionPlace.Path.Step, of type: CompletionType) -> CompletionType? {
    switch (step, type) {
    case (.field(let name), .table(let table)):
      let stack = lua.stack
      let top = stack.count
      defer { stack.setCount(top) }
      stack.reserve(6)
      stack.push(table)
      stack.rawGet(field: name, at: -1)
      return self.type(at: -1, on: stack)
    case (.field(let name), .entities(let model)): return model.entity(named: name).map(CompletionType.entity)
    case (.field(let name), .object(let entity)):
      if let fetched = entity.fetchedProperties.first(where: { $0.name == name }) {
        let model = mainStore?.sqliteStore.model
        return model?.entity(named: fetched.fetchRequest.entity).map(CompletionType.result)
          ?? .other(BoundResult.luaName)
      }
      guard let index = entity.index(of: name) else { return member(name, of: type) }
      guard let relationship = entity.properties[index].relationship else { return .other("value") }
      let destination = entity.destination(at: index)
      return relationship.isToMany ? .collection(destination) : .object(destination)
    case (.field("entities"), .other), (.field("context"), .other), (.field("store"), .other):
      return member(Self.name(of: step), of: type)
    case (.index, .result(let entity)), (.index, .collection(let entity)), (.call, .entity(let entity)):
      return .object(entity)
    case (.index, .live(let entity, _, let hasSections)):
      return hasSections ? .live(entity, owner: BoundSection.luaName, hasSections: false) : .object(entity)
    case (.index, .other(BoundHistory.luaName)): return .other(BoundHistoryTransaction.luaName)
    case (.field, _), (.method, _): return member(Self.name(of: step), of: type)
    default: return nil
    }
  }

  private static func name(of step: CompletionPlace.Path.Step) -> String {
    switch step {
    case .field(let name), .method(let name): name
    case .call, .index: ""
    }
  }

  /// What the catalog says a member gives: the word after the arrow of its signature.
  private func member(_ name: String, of type: CompletionType) -> CompletionType? {
    guard let owner = type.owner, let entry = catalog.members(of: owner).first(where: { $0.name == name }) else {
      return nil
    }
    return result(of: entry, entity: type.entity)
  }

  private func typeOfCall(_ function: String) -> CompletionType? {
    catalog.members(of: "").first { $0.name == function }.flatMap { result(of: $0, entity: nil) }
  }

  private func result(of entry: CatalogEntry, entity: Entity?) -> CompletionType? {
    guard let arrow = entry.signature.range(of: "-> ") else {
      return entry.name == "entities" ? entityList : nil
    }
    let word = entry.signature[arrow.upperBound...].prefix { $0.isLetter }
    switch (word, entity) {
    case ("request", let entity?): return .request(entity)
    case ("object", let entity?): return .object(entity)
    case ("results", let entity?): return .result(entity)
    case ("entity", let entity?): return .entity(entity)
    case ("FetchedResults", let entity?): return .live(entity, owner: BoundFetchedResults.luaName, hasSections: false)
    case ("section", let entity?): return .live(entity, owner: BoundSection.luaName, hasSections: false)
    case ("sections", let entity?): return .live(entity, owner: BoundSections.luaName, hasSections: true)
    case ("entity", nil): return entry.name == "entities" ? entityList : nil
    default:
      let name = word.prefix(1).uppercased() + word.dropFirst()
      return catalog.members(of: name).isEmpty ? nil : .other(name)
    }
  }

  /// The entities of the main store: those of another are not known before the text runs.
  private var entityList: CompletionType? { mainStore.map { .entities($0.sqliteStore.model) } }
}
