public import Modeling
internal import Queries

// Methods and properties that scripts have added to objects, for completion.
extension Engine {
  /// The sorted names of the methods, or of the computed properties, that scripts have added to an entity.
  public func scriptMembers(of entity: Entity, areMethods: Bool) -> [String] {
    guard let store = openStores.first(where: { $0.objectStore.model.entities.contains(entity) }) else { return [] }
    let members = store.members(of: entity)
    return (areMethods ? members.methods : members.computed).keys.sorted()
  }
}

// The functions of the predicate language, for help.
extension Engine {
  /// The names of all functions in expressions.
  public var predicateFunctionNames: [String] {
    ExpressionFunction.callableNames.filter { $0.allSatisfy { $0.isLetter || $0.isNumber } }.sorted()
  }

  /// The call of a function; nil for an unknown name.
  public func predicateFunctionSignature(_ name: String) -> String? {
    guard let known = ExpressionFunction.callableNames.first(where: { $0.lowercased() == name.lowercased() }) else {
      return nil
    }
    return known.hasSuffix(":") || known.contains(":") ? known : "\(known)(…)"
  }
}
