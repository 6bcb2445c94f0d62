internal import Modeling

extension FetchRequest {
  /// The request with derived attributes of its entity replaced by their derivations, for objects with unsaved changes,
  /// for which the store has not computed them yet.
  ///
  /// Attributes that cannot be computed in memory, and times of the last save, stay unchanged.
  public var computingDerivedValues: FetchRequest {
    let derivations = entity.derivations
    if derivations.isEmpty { return self }
    func computed(_ part: Expression, _ bound: Set<String>) -> Expression? {
      guard case .path(let path) = part, path.onlyName != nil else { return nil }
      return derivations[path.text]
    }
    var request = self
    request.predicate = predicate?.replacing(computed)
    request.sectionIdentifier = sectionIdentifier?.replacing(computed)
    for index in sortDescriptors.indices {
      request.sortDescriptors[index].expression = sortDescriptors[index].expression.replacing(computed)
    }
    return request
  }
}

extension Entity {
  /// The derivations of its derived attributes, by name, if they can be evaluated in memory.
  fileprivate var derivations: [String: Expression] {
    var derivations: [String: Expression] = [:]
    for property in properties {
      guard let attribute = property.attribute, let text = attribute.derivation,
        let expression = try? Expression.parse(text), !expression.isOccasional,
        (try? CompiledExpression(expression, entity: self)) != nil
      else { continue }
      derivations[attribute.name] = expression
    }
    return derivations
  }
}

extension Expression {
  /// Whether its value changes with each evaluation.
  fileprivate var isOccasional: Bool {
    if case .function(.now, _, _) = self { return true }
    return children.contains(where: \.isOccasional)
  }
}
