public import Modeling

/// A relationship whose destination has no delete rule for it: when an object of the destination is deleted, the store
/// nullifies the relationship or leaves it.
///
/// It has no inverse, or an inverse with the delete rule "no action" in a file that allows no dangling references.
public struct LooseReference: Hashable, Sendable {
  /// The entity that declares it.
  public let entity: Entity
  /// Its index among the properties.
  public let property: Int
  /// The effect on the relationship when its destination is deleted.
  public let effect: Effect

  /// The fate of a relationship whose destination is deleted.
  public enum Effect: Hashable, Sendable {
    /// It becomes nil.
    case emptied
    /// It keeps the key of the deleted object.
    case left
  }

  /// Describes the relationship of `entity` at an index.
  package init(entity: Entity, property: Int, effect: Effect) {
    self.entity = entity
    self.property = property
    self.effect = effect
  }

  /// The relationship.
  public var relationship: Relationship { entity.properties[property].relationship! }
}

extension ObjectReading {
  /// Returns the display names of the rows: the value of the entity's title attribute, or else the key.
  public func titles(of entity: Entity, keys: [Int64]) throws -> [String] {
    var titles: [Int64: String] = [:]
    let cursor = try rows(of: entity, keys: keys)
    defer { cursor.close() }
    while try cursor.step() {
      let layout = layout(of: cursor.entity)
      guard let index = cursor.entity.titleAttribute, case .column(let column) = layout.properties[index] else {
        continue
      }
      let value = ValueCoding.decode(
        cursor.storageClass(column), integer: cursor.integer(column), real: cursor.real(column),
        bytes: cursor.bytes(column), as: layout.columns[column].type)
      if !value.isNull { titles[cursor.key] = value.displayText }
    }
    return keys.map { key in
      titles[key] ?? keyValues(of: entity, key: key).map(\.displayText).joined(separator: ", ")
    }
  }
}
