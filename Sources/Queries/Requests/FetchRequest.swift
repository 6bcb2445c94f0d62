public import Modeling

/// A description of which objects, or which values of them, to fetch; every property of NSFetchRequest that has a
/// meaning outside Apple's frameworks.
public struct FetchRequest: Hashable, Sendable {
  public var entity: Entity
  public var predicate: Predicate?
  public var sortDescriptors: [SortDescriptor] = []
  /// The most objects to fetch; nil or 0 for all.
  public var fetchLimit: Int?
  public var fetchOffset = 0
  /// How many rows are read at once; 0 lets the engine decide.
  public var fetchBatchSize = 0
  public var resultType = ResultType.objects
  /// What dictionaries hold; empty for all attributes.
  public var propertiesToFetch: [FetchedColumn] = []
  public var propertiesToGroupBy: [PropertyPath] = []
  public var havingPredicate: Predicate?
  public var returnsDistinctResults = false
  public var includesSubentities = true
  public var includesPendingChanges = true
  public var returnsObjectsAsFaults = true
  public var includesPropertyValues = true
  public var relationshipKeyPathsForPrefetching: [PropertyPath] = []

  /// What a fetch returns.
  public enum ResultType: String, CaseIterable, Hashable, Sendable {
    case objects
    case objectIDs
    case dictionaries
    case count
  }

  /// Requests all objects of `entity`.
  public init(_ entity: Entity) { self.entity = entity }
}

/// A named column of a dictionary result: a path, an expression, or an aggregate such as `max(magnitude)`.
public struct FetchedColumn: Hashable, Sendable {
  public var name: String
  public var expression: Expression

  /// Names the value of `expression`.
  public init(_ name: String, _ expression: Expression) {
    self.name = name
    self.expression = expression
  }
}
