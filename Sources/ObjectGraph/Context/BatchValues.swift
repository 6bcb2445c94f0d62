internal import Modeling
internal import Stores

/// The checks of values that batch requests write.
enum BatchValues {
  /// Converts a value to the property's type.
  static func coerce(_ value: Value, at index: Int, of entity: Entity, in store: any ObjectStore) throws -> Value {
    switch entity.properties[index] {
    case .attribute(let attribute):
      guard attribute.isWritable else {
        let reason = "the store computes it or only reads its type"
        throw GraphError(.notWritable(property: attribute.name, entity: entity.name, reason: reason))
      }
      do { return try store.layout(of: entity).coerce(value, at: index, of: attribute) } catch let error as ValueError {
        throw GraphError(.wrongValue(error, entity: entity.name, property: attribute.name))
      }
    case .relationship(let relationship):
      guard !relationship.isToMany else {
        throw GraphError(
          .notWritable(property: relationship.name, entity: entity.name, reason: "batch requests write no to-many"))
      }
      if value.isNull { return value }
      let destination = entity.destination(at: index)
      if case .object(let id) = value, id.entity !== destination, id.entity.name == destination.name {
        throw GraphError(.objectOfOtherStore(entity: entity.name, relationship: relationship.name))
      }
      guard case .object(let id) = value, id.entity.isKind(of: destination) else {
        throw GraphError(
          .wrongEntity(
            property: relationship.name, entity: entity.name, expected: destination.name, found: value.kindName))
      }
      if id.isTemporary {
        throw GraphError(.unsavedObject(entity: entity.name, relationship: relationship.name))
      }
      return value
    }
  }

  /// Returns the rules that the given values break. Missing values are not checked here.
  static func violations(of values: [(property: Int, value: Value)], _ entity: Entity) -> [Violation] {
    values.flatMap { index, value -> [Violation] in
      switch entity.properties[index] {
      case .attribute(let attribute):
        // A missing value is reported once, whether it was left out or given as nil.
        return value.isNull ? [] : attribute.violations(of: value, in: entity.name)
      case .relationship: return []
      }
    }
  }

  /// Returns the mandatory properties among `values` that are set to nil.
  static func missing(in values: [(property: Int, value: Value)], _ entity: Entity) -> [Violation] {
    values.compactMap { index, value in
      let isOptional =
        switch entity.properties[index] {
        case .attribute(let attribute): attribute.isOptional
        case .relationship(let relationship): relationship.isOptional
        }
      guard value.isNull, !isOptional else { return nil }
      let name = entity.properties[index].name
      return Violation(entity: entity.name, property: name, kind: .missingMandatory, value: .null)
    }
  }
}
