/// The differences between two models, and whether Core Data could infer the mapping from one to the other.
///
/// ```swift
/// let difference = ModelDifference(from: old, to: new)
/// difference.changes       // [.renamedEntity(from: "Author", to: "Writer"), .addedProperty(entity: "Book", name: "price")]
/// difference.obstacles     // [.missingDefault(entity: "Book", name: "price")]
/// ```
///
/// Entities and properties are the same by their renaming identifiers or their names. The order of changes is that of
/// the new model, what was removed last.
public struct ModelDifference: Hashable, Sendable {
  /// What differs.
  public private(set) var changes: [Change] = []
  /// Why Core Data cannot infer the mapping; nothing where it can.
  public private(set) var obstacles: [Obstacle] = []

  /// Whether a lightweight migration leads from the old model to the new.
  public var isInferable: Bool { obstacles.isEmpty }

  /// One difference.
  public enum Change: Hashable, Sendable {
    case addedEntity(String)
    case removedEntity(String)
    case renamedEntity(from: String, to: String)
    case changedEntity(String, [Fact])
    case addedProperty(entity: String, name: String)
    case removedProperty(entity: String, name: String)
    case renamedProperty(entity: String, from: String, to: String)
    case changedProperty(entity: String, name: String, [Fact])
    case addedTemplate(String)
    case removedTemplate(String)
    case changedTemplate(String, [Fact])
    /// The version or the configurations.
    case changedModel([Fact])
  }

  /// A fact of an entity or a property that is another: its name as `Model.encoded()` has it, and what it was and is.
  public struct Fact: Hashable, Sendable {
    /// `optional`, `type`, `deleteRule`, …
    public var name: String
    /// The old value; nil for the default.
    public var old: JSON?
    /// The new value; nil for the default.
    public var new: JSON?

    /// States what a fact was and is.
    public init(name: String, old: JSON?, new: JSON?) {
      self.name = name
      self.old = old
      self.new = new
    }
  }

  /// Why a mapping cannot be inferred.
  public enum Obstacle: Hashable, Sendable {
    /// The values of an attribute would have to become others.
    case convertedAttribute(entity: String, name: String, from: AttributeType, to: AttributeType)
    /// Existing objects need a value, and there is no default.
    case missingDefault(entity: String, name: String)
    /// Objects that are there would have to lead somewhere.
    case missingDestination(entity: String, name: String)
    /// A relationship leads to other entities than before.
    case otherDestination(entity: String, name: String, from: String, to: String)
    /// Two entities that had no ancestor in common have one now.
    case mergedHierarchies(String, String)
  }

  /// Compares two models.
  public init(from old: Model, to new: Model) {
    var comparison = ModelComparison(from: old, to: new)
    comparison.run()
    changes = comparison.changes
    obstacles = comparison.obstacles
  }
}
