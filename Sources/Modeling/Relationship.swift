/// What happens to a relationship's destinations when its owner is deleted, with Core Data's names.
public enum DeleteRule: String, CaseIterable, Codable, Hashable, Sendable {
  /// Nothing: the destinations keep a reference to a deleted row.
  case noAction
  /// The inverse of the destinations becomes nil.
  case nullify
  /// The destinations are deleted, too.
  case cascade
  /// The owner cannot be deleted while it has destinations.
  case deny
}

/// A relationship of one entity to another.
public struct Relationship: Hashable, Sendable {
  /// The name, unique among the properties of the entity.
  public var name: String
  /// The name of the destination entity.
  public var destination: String
  /// The name of the inverse relationship; nil if there is none.
  public var inverse: String?
  /// Whether it leads to any number of objects rather than at most one.
  public var isToMany: Bool
  /// Whether it has no inverse, even if one could be inferred.
  public var isUnidirectional = false
  /// Whether a to-many relationship is ordered.
  public var isOrdered = false
  /// Whether an object may be saved without a destination.
  public var isOptional = true
  /// Whether it exists in memory only.
  public var isTransient = false
  /// The minimum number of objects of a to-many relationship; nil for no bound.
  public var minimumCount: Int?
  /// The maximum number of objects of a to-many relationship; nil for no bound.
  public var maximumCount: Int?
  /// What happens to the destinations when the owner is deleted.
  public var deleteRule = DeleteRule.nullify
  /// The author's modifier of the version hash, which distinguishes two versions that are stored alike.
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
