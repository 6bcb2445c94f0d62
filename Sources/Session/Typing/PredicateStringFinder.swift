package import LuaBindings
package import Modeling

/// Finds the strings of a block that are predicates, and their entities, as completion does.
package final class PredicateStringFinder {
  /// A string that is a predicate.
  package struct Finding {
    /// What it is about, where that is known.
    package var entity: Entity?
  }

  private let engine: Engine
  private var entities: [LuaExpression: Entity?] = [:]

  /// Methods whose first argument is a predicate.
  private static let predicateMethods: Set<String> = [
    "where", "count", "first", "exists", "batchUpdate", "batchDelete", "predicate", "havingPredicate", "filter",
  ]
  /// Methods that nothing but requests have, so that they are recognised behind a name that is not known yet.
  private static let ownMethods: Set<String> = ["where", "having", "batchUpdate", "batchDelete"]
  private static let options: Set<String> = ["predicate", "havingPredicate", "filter"]

  package init(engine: Engine) {
    self.engine = engine
  }

  /// The description of a string that is a predicate; nil for other strings.
  package func predicate(_ index: Int, in outline: LuaOutline) -> Finding? {
    var before = index - 1
    // predicate = { "magnitude > %@", 5 }
    if outline.isSign(before, "{"), outline.isSign(before - 1, "=") { before -= 1 }
    if outline.isSign(before, "=") { return option(before - 1, in: outline) }
    if outline.isSign(before, "(") { before -= 1 }
    guard outline.isName(before) else { return nil }
    let name = outline.text(before)
    if name == "Predicate", !outline.isSign(before - 1, "."), !outline.isSign(before - 1, ":") {
      return Finding(entity: nil)
    }
    guard outline.isSign(before - 1, ":"), name == "having" || Self.predicateMethods.contains(name) else {
      return nil
    }
    let entity = entity(before: before - 1, in: outline)
    guard entity != nil || Self.ownMethods.contains(name) else { return nil }
    // Groups have columns of their own.
    return Finding(entity: name == "having" || name == "havingPredicate" ? nil : entity)
  }

  /// `{ entity = Quake, predicate = "…" }`, and `results.predicate = "…"`.
  private func option(_ index: Int, in outline: LuaOutline) -> Finding? {
    let name = outline.text(index)
    guard outline.isName(index), Self.options.contains(name) else { return nil }
    if outline.isSign(index - 1, ".") {
      let entity = name == "havingPredicate" ? nil : entity(before: index - 1, in: outline)
      return entity.map { Finding(entity: $0) }
    }
    guard let open = outline.openers[index], outline.isSign(open, "{") else { return nil }
    guard name != "havingPredicate" else { return Finding(entity: nil) }
    // The option may stand before or behind it.
    for place in open..<(outline.partners[open] ?? outline.tokens.count)
    where outline.openers[place] == open && outline.text(place) == "entity" && outline.isSign(place + 1, "=") {
      let name = outline.text(place + 2).filter { $0 != "\"" && $0 != "'" }
      return Finding(entity: engine.store?.model.entity(named: name))
    }
    return name == "predicate" ? Finding(entity: nil) : nil
  }

  /// The entity of the objects that the expression before a point or colon is about.
  private func entity(before index: Int, in outline: LuaOutline) -> Entity? {
    guard let expression = LuaExpression(endingAt: outline.tokens[..<index], in: outline.bytes) else { return nil }
    if let known = entities[expression] { return known }
    let found: Entity? =
      switch ThingFinder(engine: engine).thing(expression) {
      case .entity(let entity), .request(let entity), .object(let entity): entity
      case .list(let entity, _), .sections(let entity, _): entity
      case .kind, .table, .string, nil: nil
      }
    entities[expression] = .some(found)
    return found
  }
}
