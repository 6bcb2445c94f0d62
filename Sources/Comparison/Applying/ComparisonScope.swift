internal import Modeling

/// What differences are about, by the names of the first model: which objects are the same, and what was compared.
package struct ComparisonScope: Equatable, Sendable {
  /// The names of the properties that identify the objects of an entity; an entity that is not here is identified by the key.
  package var identities: [String: [String]] = [:]
  /// The names of the properties that were compared, by entity.
  package var properties: [String: [String]] = [:]

  package init() {}
}

extension StoreComparison {
  /// The scope of the differences.
  package var scope: ComparisonScope {
    var scope = ComparisonScope()
    for (entity, indices) in sides.first.identities {
      scope.identities[entity.name] = indices.map { entity.properties[$0].name }
    }
    for entity in entities { scope.properties[entity.first.name] = entity.propertyNames }
    return scope
  }
}

extension ComparedEntity {
  /// The names of the properties that are compared.
  var propertyNames: [String] { (attributes + references + members).map(\.name) }
}
