/// A fetch request stored in a model, as text, because this module has no predicates.
///
/// The predicate may contain variables such as `$name`, which are bound when a request is made from the template.
public struct FetchRequestTemplate: Hashable, Sendable {
  /// The name of the entity to fetch.
  public var entity: String
  /// Selects the objects, in the format language; nil for all.
  public var predicate: String?
  /// The sort order: key paths, with `-` before a descending one.
  public var sortDescriptors: [String] = []
  /// The maximum number of objects; nil for all.
  public var fetchLimit: Int?
  /// The number of objects to skip.
  public var fetchOffset = 0
  /// The number of rows to read at once; 0 lets the engine decide.
  public var fetchBatchSize = 0
  /// The type of the results.
  public var resultType = FetchResultType.objects
  /// Whether to fetch objects of subentities, too.
  public var includesSubentities = true
  /// Whether to read values together with the rows, so that accessing an object reads nothing.
  public var includesPropertyValues = true
  /// Whether values may stay in the store until they are accessed.
  public var returnsObjectsAsFaults = true
  /// Whether to return equal dictionaries once.
  public var returnsDistinctResults = false

  /// Creates a request for the objects of `entity` that `predicate` selects.
  public init(_ entity: String, predicate: String? = nil) {
    self.entity = entity
    self.predicate = predicate
  }
}

/// What a fetch returns.
public enum FetchResultType: String, CaseIterable, Hashable, Sendable {
  case objects
  case objectIDs
  case dictionaries
  case count
}

/// A property whose objects a fetch request about its object finds on first access; it is neither a relationship nor
/// live.
///
/// In the predicate `$FETCH_SOURCE` is the object itself, and `$FETCH_SOURCE.magnitude` one of its values.
public struct FetchedProperty: Hashable, Sendable {
  /// The name of the variable for the object.
  public static let source = "FETCH_SOURCE"
  /// The name of the variable for the fetched property itself: `$FETCHED_PROPERTY.userInfo.limit`.
  public static let itself = "FETCHED_PROPERTY"

  /// The name, unique among the properties of the entity.
  public var name: String
  /// The request to fetch.
  public var fetchRequest: FetchRequestTemplate
  /// The author's own notes.
  public var userInfo: [String: String] = [:]

  /// Creates a fetched property.
  public init(_ name: String, _ fetchRequest: FetchRequestTemplate) {
    self.name = name
    self.fetchRequest = fetchRequest
  }
}
