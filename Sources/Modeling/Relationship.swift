/// What happens to the objects a relationship leads to when its owner is deleted, with Core Data's names.
public enum DeleteRule: String, CaseIterable, Codable, Hashable, Sendable {
  /// Does nothing: the others keep a reference to a deleted row.
  case noAction
  /// The others' inverse becomes nil.
  case nullify
  /// The others are deleted too.
  case cascade
  /// The owner cannot be deleted while there are others.
  case deny
}

/// A relationship of an entity to another.
public struct Relationship: Hashable, Sendable {
  /// The name, unique among the properties of the entity.
  public var name: String
  /// The name of the entity it leads to.
  public var destination: String
  /// The name of the relationship back, when there is one.
  public var inverse: String?
  /// Whether it leads to any number of objects instead of one at most.
  public var isToMany: Bool
  /// Whether no relationship is its inverse, even where one could be.
  public var isUnidirectional = false
  /// Whether the objects of a to-many have an order of their own.
  public var isOrdered = false
  /// Whether an object may be saved while it leads nowhere.
  public var isOptional = true
  /// Whether it is in memory only, never in the store.
  public var isTransient = false
  /// How many objects a to-many must have; nil for no bound.
  public var minimumCount: Int?
  /// How many objects a to-many may have; nil for no bound.
  public var maximumCount: Int?
  /// What happens to the objects it leads to when its owner is deleted.
  public var deleteRule = DeleteRule.nullify
  /// The author's note that tells two versions of it apart which are otherwise stored alike.
  public var versionHashModifier: String?
  /// The name the relationship had in an earlier model.
  public var renamingIdentifier: String?
  /// The author's own notes.
  public var userInfo: [String: String] = [:]

  /// Makes a relationship to one object of the entity named `destination`.
  public init(toOne name: String, _ destination: String, inverse: String? = nil) {
    self.name = name
    self.destination = destination
    self.inverse = inverse
    isToMany = false
  }

  /// Makes a relationship to many objects of the entity named `destination`.
  public init(toMany name: String, _ destination: String, inverse: String? = nil) {
    self.init(toOne: name, destination, inverse: inverse)
    isToMany = true
  }
}
