import Modeling
import SQLite

/// A cache of SQL texts that are made once for an entity and run for many objects.
final class StatementTexts {
  /// The use of a text.
  enum Purpose: Hashable {
    case rows(keys: Int)
    case members(relationship: Int, owners: Int)
    case memberCount(relationship: Int)
    case memberCounts(relationship: Int, owners: Int)
    case referenceValues([String])
    case find([String])
    case insert(bulk: Bool)
    case update([Int])
    case delete
  }

  private struct Key: Hashable {
    var entity: Entity
    var purpose: Purpose
  }

  private var texts: [Key: String] = [:]
  private var shapes: [Entity: RowShape] = [:]

  /// Returns the text for a purpose; the first call makes it.
  func text(_ entity: Entity, _ purpose: Purpose, make: () throws -> SQLFragment) rethrows -> String {
    let key = Key(entity: entity, purpose: purpose)
    if let known = texts[key] { return known }
    let text = try make().text
    texts[key] = text
    return text
  }

  /// The shape of whole rows of an entity's family.
  func shape(_ entity: Entity, make: () -> RowShape) -> RowShape {
    if let known = shapes[entity] { return known }
    let shape = make()
    shapes[entity] = shape
    return shape
  }
}
