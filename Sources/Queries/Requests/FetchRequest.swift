public import Modeling

/// A description of the objects, or the values of objects, to fetch, with every property of NSFetchRequest that has a
/// meaning outside Apple's frameworks.
public struct FetchRequest: Hashable, Sendable {
  /// The entity of the objects.
  public var entity: Entity
  /// Selects the objects; nil for all.
  public var predicate: Predicate?
  /// The sort order, most important key first.
  public var sortDescriptors: [SortDescriptor] = []
  /// The expression whose value the objects of a section share; nil for no sections. It is the first sort key.
  public var sectionIdentifier: Expression?
  /// The function that makes the sections of live results in memory, instead of a section identifier; a fetch ignores
  /// it.
  public var sectionFunction: SectionFunction?
  /// The values of each section of live results, over all its objects, shown or not: aggregates such as `max(magnitude)`. A
  /// fetch ignores them.
  public var sectionValues: [FetchedColumn] = []
  /// The most objects to fetch; nil or 0 for all.
  public var fetchLimit: Int?
  /// The number of objects to skip.
  public var fetchOffset = 0
  /// The number of rows to read at once; 0 lets the engine decide.
  public var fetchBatchSize = 0
  /// The type of the results.
  public var resultType = ResultType.objects
  /// The columns of dictionary results; empty for all attributes.
  public var propertiesToFetch: [FetchedColumn] = []
  /// The group keys, paths or expressions such as `month(time)`: rows with equal values become one dictionary.
  public var propertiesToGroupBy: [Expression] = []
  /// Whether group keys that are texts are told apart by their bytes, as predicates and sections do; false for the collations that
  /// the table declares.
  public var groupsTextsByBytes = false
  /// Selects groups; it may contain columns and aggregates.
  public var havingPredicate: Predicate?
  /// Whether names of columns in it are replaced by the columns' expressions.
  var isHavingResolved = false
  /// Whether to return equal dictionaries once.
  public var returnsDistinctResults = false
  /// Whether to fetch objects of subentities, too.
  public var includesSubentities = true
  /// Whether to include unsaved objects and changes.
  public var includesPendingChanges = true
  /// Whether values may stay in the store until they are accessed.
  public var returnsObjectsAsFaults = true
  /// Whether unchanged objects in memory take the store's values when they are fetched again. Objects of a context that
  /// merges automatically always do.
  public var shouldRefreshRefetchedObjects = false
  /// Whether to read values together with the rows, so that accessing an object reads nothing.
  public var includesPropertyValues = true
  /// Relationships whose destinations are fetched, too.
  public var relationshipKeyPathsForPrefetching: [PropertyPath] = []

  /// The animation of changes in live results, as SwiftUI writes it after the dot: `easeIn`, `spring(duration: 1)`; nil
  /// if it is not set. A fetch ignores it.
  public var animation: String?

  /// The type of a fetch's results.
  public typealias ResultType = FetchResultType

  /// Creates a request for all objects of `entity`.
  public init(_ entity: Entity) { self.entity = entity }
}

extension FetchRequest {
  /// The request with arguments in its expressions replaced by constants.
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

  /// Creates a column.
  public init(_ name: String, _ expression: Expression) {
    self.name = name
    self.expression = expression
  }
}

extension FetchRequest {
  /// The names of the entity's own properties in the predicate, the sort descriptors and the sections.
  ///
  /// `mainshock.code == "us70"` contains `mainshock`.
  public var propertiesAskedAbout: Set<String> {
    var paths = predicate?.paths ?? []
    for descriptor in sortDescriptors { paths += descriptor.expression.paths }
    if let sectionIdentifier { paths += sectionIdentifier.paths }
    return Set(paths.compactMap(\.names.first))
  }
}
