internal import Layouts
internal import Modeling
internal import Stores

/// What makes an object of one store the same as an object of another.
package enum IdentityRule: Hashable, Sendable {
  /// The key of the row.
  case key
  /// The values of properties, by their names in the first model.
  case properties([String])

  /// The names of the properties; none for the key.
  var names: [String] { if case .properties(let names) = self { names } else { [] } }
}

/// Chooses the identity of entities: the named properties, a declared primary key, the first uniqueness constraint, or
/// the key.
struct IdentityChoice {
  let by: [String]
  let first: any ObjectStore
  let second: any ObjectStore
  let matching: ModelMatching

  /// The rule for an entity of the first model and its counterpart. `depth` counts the relationships that led here.
  func rule(for entity: Entity, _ other: Entity, depth: Int = 0) -> IdentityRule {
    let hasAll = by.allSatisfy { isShared($0, entity, other, depth) }
    if !by.isEmpty, hasAll { return .properties(by) }
    let candidates =
      [primaryKey(of: entity, in: first), former(primaryKey(of: other, in: second), entity, other)]
      + entity.uniquenessConstraints.map { $0 }
      + other.uniquenessConstraints.map { former($0, entity, other) }
    for case let names? in candidates where !names.isEmpty && names.allSatisfy({ isShared($0, entity, other, depth) }) {
      return .properties(names)
    }
    return .key
  }

  /// The names of the properties in a table's declared primary key; nil if a column of it is no property.
  private func primaryKey(of entity: Entity, in store: any ObjectStore) -> [String]? {
    let layout = store.layout(of: entity)
    let names = layout.primaryKey.map { column in
      entity.properties.indices.first { layout.properties[$0].ownColumns == [column] }
        .map { entity.properties[$0].name }
    }
    return names.contains(nil) ? nil : names.compactMap(\.self)
  }

  /// The names in the first model of properties of the second one.
  private func former(_ names: [String]?, _ entity: Entity, _ other: Entity) -> [String]? {
    guard let names else { return nil }
    let found = names.map { name in
      other.index(of: name).flatMap { matching.source(ofProperty: $0, in: other) }.map { entity.properties[$0].name }
    }
    return found.contains(nil) ? nil : found.compactMap(\.self)
  }

  /// Whether both entities have the property, and its values have an order.
  private func isShared(_ name: String, _ entity: Entity, _ other: Entity, _ depth: Int) -> Bool {
    guard let index = entity.index(of: name), let found = matching.indices(in: other)[index] else { return false }
    switch entity.properties[index] {
    case .attribute(let attribute):
      return !attribute.isTransient && ![.transformable, .composite].contains(attribute.type)
    case .relationship(let relationship):
      // A table may have references in its key. Their destinations must be known by one attribute, which sorts.
      guard !relationship.isToMany, depth < 4,
        case .properties(let names) = rule(
          for: entity.destination(at: index), other.destination(at: found), depth: depth + 1)
      else { return false }
      return names.count == 1 && entity.destination(at: index).property(named: names[0])?.attribute != nil
    }
  }
}

extension ModelMatching {
  /// The index in the second model's entity of each property of the first model's.
  func indices(in other: Entity) -> [Int: Int] {
    var found: [Int: Int] = [:]
    for index in other.properties.indices {
      if let source = source(ofProperty: index, in: other) { found[source] = index }
    }
    return found
  }
}
