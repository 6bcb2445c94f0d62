public import Modeling

/// A description of which objects, or which values of them, to fetch; every property of NSFetchRequest that has a
/// meaning outside Apple's frameworks.
public struct FetchRequest: Hashable, Sendable {
  /// The entity whose objects are fetched.
  public var entity: Entity
  /// Which objects; nil for all.
  public var predicate: Predicate?
  /// In which order, the most important key first.
  public var sortDescriptors: [SortDescriptor] = []
  /// The expression whose value the objects of a section share; nil for no sections. It is the first sort key.
  public var sectionIdentifier: Expression?
  /// The function that makes sections of live results in memory, in the place of a section identifier; a fetch ignores it.
  public var sectionFunction: SectionFunction?
  /// What live results tell of each section, over all its objects, shown or not: aggregates such as `max(magnitude)`. A fetch
  /// ignores them.
  public var sectionValues: [FetchedColumn] = []
  /// The most objects to fetch; nil or 0 for all.
  public var fetchLimit: Int?
  /// How many objects are left out at the beginning.
  public var fetchOffset = 0
  /// How many rows are read at once; 0 lets the engine decide.
  public var fetchBatchSize = 0
  /// The type of the results.
  public var resultType = ResultType.objects
  /// The columns of dictionary results; empty for all attributes.
  public var propertiesToFetch: [FetchedColumn] = []
  /// Rows with the same values of these, paths or expressions such as `month(time)`, become one dictionary.
  public var propertiesToGroupBy: [Expression] = []
  /// Which groups; it may name columns and aggregates.
  public var havingPredicate: Predicate?
  /// Whether equal dictionaries come once.
  public var returnsDistinctResults = false
  /// Whether objects of entities that inherit are fetched too.
  public var includesSubentities = true
  /// Whether unsaved objects and changes count.
  public var includesPendingChanges = true
  /// Whether values may be left in the store until they are read.
  public var returnsObjectsAsFaults = true
  /// Whether objects that are in memory already take the values that the store has now. They do so here in any case.
  public var shouldRefreshRefetchedObjects = false
  /// Whether rows are read along, so that values are there when an object is looked at.
  public var includesPropertyValues = true
  /// Relationships whose objects are fetched along.
  public var relationshipKeyPathsForPrefetching: [PropertyPath] = []

  /// How changes of its live results are shown, as SwiftUI writes it behind the dot: `easeIn`, `spring(duration: 1)`;
  /// nil if it is not set. A fetch ignores it.
  public var animation: String?

  /// The type of a fetch's results.
  public typealias ResultType = FetchResultType

  /// Requests all objects of `entity`.
  public init(_ entity: Entity) { self.entity = entity }
}

extension FetchRequest {
  /// The request with arguments as if they had been written into its expressions.
  public var inlined: FetchRequest {
    var request = self
    request.predicate = predicate?.inlined
    request.havingPredicate = havingPredicate?.inlined
    request.sectionIdentifier = sectionIdentifier?.inlined
    for index in sortDescriptors.indices {
      request.sortDescriptors[index].expression = sortDescriptors[index].expression.inlined
    }
    request.propertiesToGroupBy = propertiesToGroupBy.map(\.inlined)
    for index in sectionValues.indices {
      request.sectionValues[index].expression = sectionValues[index].expression.inlined
    }
    for index in propertiesToFetch.indices {
      request.propertiesToFetch[index].expression = propertiesToFetch[index].expression.inlined
    }
    return request
  }
}

/// A named column of a dictionary result: a path, an expression, or an aggregate such as `max(magnitude)`.
public struct FetchedColumn: Hashable, Sendable {
  /// The key in the dictionaries.
  public var name: String
  /// Its value for each row or group.
  public var expression: Expression

  /// Names the value of `expression`.
  public init(_ name: String, _ expression: Expression) {
    self.name = name
    self.expression = expression
  }
}
