public import Queries

/// The part of a live property's request that can change: predicate, order, sections, limits.
///
///     var configuration = board.$quakes.configuration
///     configuration.sectionIdentifier = try Expression.parse("country")
///     configuration.sortDescriptors = [SortDescriptor("country"), SortDescriptor("-magnitude")]
///     board.$quakes.configuration = configuration          // one fetch, one change for observers
///
/// The properties have the names and meanings that they have in a `FetchRequest`.
public struct FetchConfiguration: Hashable, Sendable {
  /// Selects the objects; nil for all.
  public var predicate: Queries.Predicate?
  /// The order, most important key first.
  public var sortDescriptors: [Queries.SortDescriptor] = []
  /// The value that the objects of a section share; nil for no sections. It is the first sort key.
  public var sectionIdentifier: Queries.Expression?
  /// The function that makes the sections, instead of a section identifier.
  public var sectionFunction: SectionFunction?
  /// The maximum number of objects; nil or 0 for all.
  public var fetchLimit: Int?
  /// The number of objects to skip.
  public var fetchOffset = 0
  /// Whether to fetch objects of subentities, too.
  public var includesSubentities = true
  /// Whether to include unsaved objects and changes.
  public var includesPendingChanges = true
  /// Whether values may stay in the store until they are accessed.
  public var returnsObjectsAsFaults = true
  /// Relationships whose destinations are fetched, too.
  public var relationshipKeyPathsForPrefetching: [PropertyPath] = []

  /// Creates a configuration for all objects, in the order of the store.
  public init() {}

  /// Parses a configuration: a predicate's format, key paths of which one after `-` descends, an expression.
  ///
  /// - Throws: PredicateError if one of the texts is invalid.
  public init(predicate: String?, sort: [String], sectionIdentifier: String?, fetchLimit: Int?) throws {
    self.predicate = try predicate.map { try Predicate.parse($0) }
    sortDescriptors = sort.map { SortDescriptor($0) }
    self.sectionIdentifier = try sectionIdentifier.map { try Expression.parse($0) }
    self.fetchLimit = fetchLimit
  }

  /// Takes the configuration from a request.
  public init(_ request: Queries.FetchRequest) {
    predicate = request.predicate
    sortDescriptors = request.sortDescriptors
    sectionIdentifier = request.sectionIdentifier
    sectionFunction = request.sectionFunction
    fetchLimit = request.fetchLimit
    fetchOffset = request.fetchOffset
    includesSubentities = request.includesSubentities
    includesPendingChanges = request.includesPendingChanges
    returnsObjectsAsFaults = request.returnsObjectsAsFaults
    relationshipKeyPathsForPrefetching = request.relationshipKeyPathsForPrefetching
  }

  /// Applies the configuration to a request.
  public func apply(to request: inout Queries.FetchRequest) {
    request.predicate = predicate
    request.sortDescriptors = sortDescriptors
    request.sectionIdentifier = sectionIdentifier
    request.sectionFunction = sectionFunction
    request.fetchLimit = fetchLimit
    request.fetchOffset = fetchOffset
    request.includesSubentities = includesSubentities
    request.includesPendingChanges = includesPendingChanges
    request.returnsObjectsAsFaults = returnsObjectsAsFaults
    request.relationshipKeyPathsForPrefetching = relationshipKeyPathsForPrefetching
  }
}
