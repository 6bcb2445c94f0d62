public import Queries

/// What can be changed about a live property: which objects, in which order, in which sections, how many of them.
///
///     var configuration = board.$quakes.configuration
///     configuration.sectionIdentifier = try Expression.parse("country")
///     configuration.sortDescriptors = [SortDescriptor("country"), SortDescriptor("-magnitude")]
///     board.$quakes.configuration = configuration          // fetched once, one change is told
///
/// The properties have the names and meanings that they have in a `FetchRequest`.
public struct FetchConfiguration: Hashable, Sendable {
  /// Which objects; nil for all.
  public var predicate: Queries.Predicate?
  /// In which order, the most important key first.
  public var sortDescriptors: [Queries.SortDescriptor] = []
  /// What objects of one section have in common; nil for no sections. It leads the order.
  public var sectionIdentifier: Queries.Expression?
  /// The most objects to fetch; nil or 0 for all.
  public var fetchLimit: Int?
  /// How many objects are left out at the beginning.
  public var fetchOffset = 0
  /// Whether objects of entities that inherit are fetched too.
  public var includesSubentities = true
  /// Whether unsaved objects and changes count.
  public var includesPendingChanges = true

  /// All objects, in the order of the store.
  public init() {}

  /// What these texts say: a predicate's format, key paths of which one after `-` descends, an expression.
  ///
  /// - Throws: PredicateError where one of them cannot be read.
  public init(predicate: String?, sort: [String], sectionIdentifier: String?, fetchLimit: Int?) throws {
    self.predicate = try predicate.map { try Predicate.parse($0) }
    sortDescriptors = sort.map { SortDescriptor($0) }
    self.sectionIdentifier = try sectionIdentifier.map { try Expression.parse($0) }
    self.fetchLimit = fetchLimit
  }

  /// What a request says.
  public init(_ request: Queries.FetchRequest) {
    predicate = request.predicate
    sortDescriptors = request.sortDescriptors
    sectionIdentifier = request.sectionIdentifier
    fetchLimit = request.fetchLimit
    fetchOffset = request.fetchOffset
    includesSubentities = request.includesSubentities
    includesPendingChanges = request.includesPendingChanges
  }

  /// Has a request say it.
  public func apply(to request: inout Queries.FetchRequest) {
    request.predicate = predicate
    request.sortDescriptors = sortDescriptors
    request.sectionIdentifier = sectionIdentifier
    request.fetchLimit = fetchLimit
    request.fetchOffset = fetchOffset
    request.includesSubentities = includesSubentities
    request.includesPendingChanges = includesPendingChanges
  }
}
