internal import Modeling
internal import Queries

/// The derived attributes that the store recomputes when related objects change.
///
/// `author.bookCount`, derived from `books.@count`, changes with a book, which is another object.
struct DerivedDependencies {
  /// For each root entity, the root entities whose derived values may change when one of its objects changes.
  private var dependents: [Entity: Set<Entity>] = [:]

  /// Reads the derivations of a model.
  init(_ model: Model) {
    for entity in model.entities {
      for derivation in entity.description.properties.compactMap({ $0.attribute?.derivation }) {
        guard let paths = try? Queries.Expression.parse(derivation).paths else { continue }
        for path in paths {
          guard let resolved = try? path.resolve(in: entity) else { continue }
          for hop in resolved.hops { dependents[hop.destination.root, default: []].insert(entity.root) }
        }
      }
    }
  }

  /// Whether no value is derived from other objects.
  var isEmpty: Bool { dependents.isEmpty }

  /// Returns the root entities whose derived values may have changed after objects of the `changed` entities were
  /// written.
  func affected(by changed: Set<Entity>) -> Set<Entity> {
    dependents.isEmpty ? [] : changed.reduce(into: []) { $0.formUnion(dependents[$1] ?? []) }
  }
}
