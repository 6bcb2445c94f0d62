/// The differences between two models, and whether Core Data could infer the mapping from one to the other.
///
/// ```swift
/// let difference = ModelDifference(from: old, to: new)
/// difference.changes       // [.renamedEntity(from: "Author", to: "Writer"), .addedProperty(entity: "Book", name: "price")]
/// difference.obstacles     // [.missingDefault(entity: "Book", name: "price")]
/// ```
///
/// Entities and properties are matched by their renaming identifiers or their names. Changes are in the order of the
/// new model, removals last.
public struct ModelDifference: Hashable, Sendable {
  /// The differences.
  public private(set) var changes: [Change] = []
  /// The reasons why Core Data cannot infer the mapping; empty if it can.
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

  /// A changed field of an entity or a property: its name as in `Model.encoded()`, with its old and new value.
  public struct Fact: Hashable, Sendable {
    /// `optional`, `type`, `deleteRule`, …
    public var name: String
    /// The old value; nil for the default.
    public var old: JSON?
    /// The new value; nil for the default.
    public var new: JSON?

    /// Creates a fact.
    public init(name: String, old: JSON?, new: JSON?) {
      self.name = name
      self.old = old
      self.new = new
    }
  }

  /// The reason why a mapping cannot be inferred.
  public enum Obstacle: Hashable, Sendable {
    /// The values of an attribute would have to be converted.
    case convertedAttribute(entity: String, name: String, from: AttributeType, to: AttributeType)
    /// Existing objects need a value, and there is no default.
    case missingDefault(entity: String, name: String)
    /// Existing objects would need a destination.
    case missingDestination(entity: String, name: String)
    /// A relationship has another destination entity.
    case otherDestination(entity: String, name: String, from: String, to: String)
    /// Two entities that shared no ancestor do now.
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
