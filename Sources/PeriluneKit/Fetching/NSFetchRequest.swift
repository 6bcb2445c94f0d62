public import Foundation
internal import Modeling
internal import Queries

/// A request for objects of an entity, in the terms of Core Data.
///
///     let request = NSFetchRequest<Quake>(entityName: "Quake")
///     request.predicate = NSPredicate(format: "magnitude >= %@", 6)
///     request.sortDescriptors = [NSSortDescriptor(keyPath: \Quake.time, ascending: false)]
///     request.fetchLimit = 10
///     let quakes = try context.fetch(request)
///
/// `@FetchRequest(fetchRequest: request)` keeps its results up to date. The results are objects; for groups and
/// aggregates there is `perilune`.
public final class NSFetchRequest<Result: NSFetchRequestResult> {
  /// The name of the entity; nil for that of the class.
  public let entityName: String?
  /// Selects the objects; nil for all.
  public var predicate: NSPredicate?
  /// The sort order, most important key first; nil for none.
  public var sortDescriptors: [NSSortDescriptor]?
  /// The maximum number of objects; 0 for all.
  public var fetchLimit = 0
  /// The number of objects to skip.
  public var fetchOffset = 0
  /// The number of rows to read at once; 0 lets the engine decide.
  public var fetchBatchSize = 0
  /// Whether to fetch objects of subentities, too.
  public var includesSubentities = true
  /// Whether to include unsaved objects and changes.
  public var includesPendingChanges = true
  /// Whether to read values together with the rows.
  public var includesPropertyValues = true
  /// Whether values may stay in the store until they are accessed.
  public var returnsObjectsAsFaults = true
  /// Whether unchanged objects in memory take the store's values when they are fetched again. Objects of a context that
  /// merges automatically always do.
  public var shouldRefreshRefetchedObjects = false
  /// Relationships whose destinations are fetched, too, as dotted paths; nil for none.
  public var relationshipKeyPathsForPrefetching: [String]?
  /// The properties that the program is going to read, by name. A hint: a row is read as a whole. The fetch throws an
  /// error for an unknown name.
  public var propertiesToFetch: [String]?

  /// Creates a request for all objects of the class's entity.
  public init() { entityName = nil }

  /// Creates a request for all objects of an entity: that of the class, or a subentity.
  public init(entityName: String) { self.entityName = entityName }
}

/// What a request may return: objects.
public protocol NSFetchRequestResult: AnyObject {}

extension ManagedObject: NSFetchRequestResult {}

extension NSFetchRequest where Result: ManagedObject {
  /// The part that can change while results are live.
  var configuration: FetchRequest<Result>.Configuration {
    var configuration = FetchRequest<Result>.Configuration()
    configuration.nsPredicate = predicate
    configuration.nsSortDescriptors = sortDescriptors ?? []
    configuration.fetchLimit = fetchLimit
    configuration.fetchOffset = fetchOffset
    configuration.includesSubentities = includesSubentities
    configuration.includesPendingChanges = includesPendingChanges
    configuration.returnsObjectsAsFaults = returnsObjectsAsFaults
    configuration.relationshipKeyPathsForPrefetching = relationshipKeyPathsForPrefetching ?? []
    return configuration
  }

  /// Returns the engine's request.
  func engine(in opened: OpenStore) throws -> Queries.FetchRequest {
    let entity = try opened.entity(named: entityName ?? Result.entityName, of: Result.self)
    var request = Queries.FetchRequest(entity)
    try configuration.apply(to: &request)
    request.fetchBatchSize = max(0, fetchBatchSize)
    request.includesPropertyValues = includesPropertyValues
    request.shouldRefreshRefetchedObjects = shouldRefreshRefetchedObjects
    for name in propertiesToFetch ?? [] where entity.index(of: name) == nil {
      let nearest = nearestName(to: name, in: entity.properties.map(\.name))
      throw PeriluneError(.unknownProperty(name, entity: entity.name, nearest: nearest))
    }
    return request
  }
}
