internal import LuaBindings
internal import LuaRuntime
internal import Modeling

/// The kind of value that an expression has, if its members are known without running it.
enum Thing {
  case entity(Entity)
  case object(Entity)
  case request(Entity)
  /// A result or the members of a relationship.
  case list(Entity, kind: String)
  /// Live results in sections, or the list of these.
  case sections(Entity, kind: String)
  /// A type of the catalog: a store, a date.
  case kind(String)
  case table(LuaReference)
  case string
}

/// Infers the types of expressions: variables are read, calls have the result type of their catalog entry.
struct ThingFinder {
  let engine: Engine
  /// The locals of a script that does not run, in front of all variables.
  var scope: ScriptScope?

  /// Returns the kind of value of an expression; nil if it is not known.
  func thing(_ expression: LuaExpression) -> Thing? {
    guard var thing = variable(expression.root) else { return nil }
    if expression.isRootCalled {
      guard let result = calling(thing, expression.root) else { return nil }
      thing = result
    }
    for step in expression.steps {
      guard let next = self.step(step, from: thing) else { return nil }
      thing = next
    }
    return thing
  }

  private func variable(_ name: String) -> Thing? {
    switch scope?[name] {
    case .entity(let entity)?: return .entity(entity)
    case .request(let entity)?: return .request(entity)
    case .object(let entity)?: return .object(entity)
    case .list(let entity)?: return .list(entity, kind: "Result")
    case .other?: return nil
    case nil: break
    }
    guard let value = try? engine.evaluate(name, name: "=completion").first else { return nil }
    return thing(value)
  }

  private func thing(_ value: LuaReference) -> Thing? {
    let stack = engine.lua.stack
    stack.push(value)
    defer { stack.pop() }
    switch stack.type(at: -1) {
    case .string: return .string
    case .table: return .table(value)
    case .userdata: break
    case .function: return .kind("")
    default: return nil
    }
    switch try? EngineValue(at: -1, on: stack, in: engine) {
    case .object(let object): return .object(object.entity)
    case .entity(let entity, _): return .entity(entity)
    case .request(let request, _): return .request(request.entity)
    case .result(let result): return .list(result.entity, kind: "Result")
    case .live(let results, let sections):
      let kind = stack.typeName(at: -1)
      let entity = results.request.entity
      return sections == nil ? .list(entity, kind: kind) : .sections(entity, kind: kind)
    case .section(let results, _): return .list(results.request.entity, kind: "Section")
    case .collection(_, let entity): return .list(entity, kind: "Collection")
    default: return .kind(stack.typeName(at: -1))
    }
  }

  /// Returns the type of a call of a variable.
  private func calling(_ thing: Thing, _ name: String) -> Thing? {
    if case .entity(let entity) = thing { return .object(entity) }
    return engine.catalog.members(of: "").first { $0.name == name }.flatMap { result(of: $0, about: nil) }
  }

  private func step(_ step: LuaExpression.Step, from thing: Thing) -> Thing? {
    guard let name = step.name else {
      if case .list(let entity, _) = thing { return .object(entity) }
      if case .sections(let entity, _) = thing { return .list(entity, kind: "Section") }
      return nil
    }
    switch thing {
    case .table(let table): return step.isCall ? nil : field(name, of: table)
    case .object(let entity):
      if let index = entity.index(of: name) { return property(index, of: entity) }
      if let fetched = entity.fetchedProperties.first(where: { $0.name == name }) {
        return engine.store?.model.entity(named: fetched.fetchRequest.entity).map { .list($0, kind: "Result") }
      }
      return member(name, of: "Object", about: entity)
    case .entity(let entity): return member(name, of: "Entity", about: entity)
    case .request(let entity): return member(name, of: "Request", about: entity)
    case .list(let entity, let kind), .sections(let entity, let kind): return member(name, of: kind, about: entity)
    case .kind("Entities"): return engine.store?.model.entity(named: name).map(Thing.entity)
    case .kind(let kind): return member(name, of: kind, about: nil)
    case .string: return .string
    }
  }

  private func field(_ name: String, of table: LuaReference) -> Thing? {
    let stack = engine.lua.stack
    stack.push(table)
    defer { stack.pop() }
    stack.rawGet(field: name, at: -1)
    return thing(stack.popReference())
  }

  private func property(_ index: Int, of entity: Entity) -> Thing? {
    guard let relationship = entity.properties[index].relationship else {
      switch entity.properties[index].attribute?.type {
      case .date: return .kind("Date")
      case .decimal: return .kind("Decimal")
      case .string, .url: return .string
      default: return nil
      }
    }
    let destination = entity.destination(at: index)
    return relationship.isToMany ? .list(destination, kind: "Collection") : .object(destination)
  }

  private func member(_ name: String, of kind: String, about entity: Entity?) -> Thing? {
    engine.catalog.members(of: kind).first { $0.name == name }.flatMap { result(of: $0, about: entity) }
  }

  /// Returns the result type of a signature: `Entity:where(predicate, ...) -> request`.
  private func result(of entry: CatalogEntry, about entity: Entity?) -> Thing? {
    // A property's entry names its type after the arrow.
    if entry.name == "entities" { return .kind("Entities") }
    guard let arrow = entry.signature.firstRange(of: "-> ") else { return nil }
    let word = String(entry.signature[arrow.upperBound...].prefix { $0.isLetter })
    if let entity {
      switch word {
      case "request": return .request(entity)
      case "object": return .object(entity)
      case "entity": return .entity(entity)
      case "FetchedResults": return .list(entity, kind: "FetchedResults")
      case "section": return .list(entity, kind: "Section")
      case "sections": return .sections(entity, kind: "Sections")
      case "result", "objects": return .list(entity, kind: "Result")
      default: break
      }
    }
    if word == "string" { return .string }
    let kinds = engine.catalog.entries.filter { $0.kind != .option }.map(\.owner)
    return kinds.first { $0.lowercased() == word.lowercased() }.map(Thing.kind)
  }
}
