/// What happens to the objects a relationship leads to when its owner is deleted, with Core Data's names.
public enum DeleteRule: String, CaseIterable, Codable, Hashable, Sendable {
  /// Nothing: the others keep pointing at a row that is gone.
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
  public var name: String
  /// The name of the entity it leads to.
  public var destination: String
  /// The name of the relationship back, when there is one.
  public var inverse: String?
  public var isToMany: Bool
  public var isOrdered = false
  public var isOptional = true
  /// How many objects a to-many must and may have; nil for no bound.
  public var minimumCount: Int?
  public var maximumCount: Int?
  public var deleteRule = DeleteRule.nullify
  /// The name the relationship had in an earlier model.
  public var renamingIdentifier: String?
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
