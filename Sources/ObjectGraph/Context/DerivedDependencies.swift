public import Modeling
internal import Queries

/// Which rows the store computes anew when others change: derived attributes that look along relationships.
///
/// `author.bookCount`, derived from `books.@count`, changes with a book, which is another object.
struct DerivedDependencies {
  /// For each root entity, the root entities whose objects may have other derived values when one of it changes.
  private var dependents: [Entity: Set<Entity>] = [:]

  /// Reads the derivations of a model.
  init(_ model: Model) {
    for entity in model.entities {
      for derivation in entity.description.properties.compactMap({ $0.attribute?.derivation }) {
        guard let paths = try? Queries.Expression.parse(derivation).paths else { continue }
        for path in paths {
          guard let resolved = try? path.resolve(in: entity) else { continue }
          var reached = entity
          for index in resolved.relationships {
            reached = reached.destination(at: index)
            dependents[reached.root, default: []].insert(entity.root)
          }
        }
      }
    }
  }

  /// Whether nothing is computed from other objects.
  var isEmpty: Bool { dependents.isEmpty }

  /// The root entities with derived values that may differ after objects of `changed` root entities were written.
  func affected(by changed: Set<Entity>) -> Set<Entity> {
    dependents.isEmpty ? [] : changed.reduce(into: []) { $0.formUnion(dependents[$1] ?? []) }
  }
}

extension ObjectContext {
  /// Has the clean objects of root entities read again, because the store computed some of their values anew.
  public func refreshDerivedValues(of roots: Set<Entity>) {
    for table in allTables where roots.contains(table.root) { table.dropCleanRows() }
  }

  /// Tells this context and, by `onDerivedChange`, others what a save changed by way of the objects it wrote.
  func noticeDerivedChanges(by written: [ObjectReference]) {
    if derivedDependencies.isEmpty { return }
    let affected = derivedDependencies.affected(by: Set(written.map(\.table.root)))
    guard !affected.isEmpty else { return }
    refreshDerivedValues(of: affected)
    onDerivedChange?(affected)
  }
}
