public import Modeling
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

extension ObjectContext {
  /// Turns the clean objects of root entities into faults, because the store has recomputed some of their values.
  public func refreshDerivedValues(of roots: Set<Entity>) {
    for table in allTables where roots.contains(table.root) { table.dropCleanRows() }
  }

  /// Refreshes derived values that a save changed, here and, through `onDerivedChange`, in other contexts.
  func noticeDerivedChanges(by written: [ObjectReference]) {
    if derivedDependencies.isEmpty { return }
    let affected = derivedDependencies.affected(by: Set(written.map(\.table.root)))
    guard !affected.isEmpty else { return }
    refreshDerivedValues(of: affected)
    onDerivedChange?(affected)
  }
}
