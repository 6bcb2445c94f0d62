/// A fetch request as a model keeps it: text, because a model knows no predicates.
///
/// `$name` in the predicate is given a value when the request is made.
public struct FetchRequestTemplate: Hashable, Sendable {
  /// The name of the entity that is fetched.
  public var entity: String
  /// Which objects, in the format language; nil for all.
  public var predicate: String?
  /// In which order: key paths, `-` before one for reverse.
  public var sortDescriptors: [String] = []
  /// The most objects; nil for all.
  public var fetchLimit: Int?
  /// How many objects are left out at the beginning.
  public var fetchOffset = 0
  /// How many rows are read at once; 0 lets the engine decide.
  public var fetchBatchSize = 0
  /// The type of the results.
  public var resultType = FetchResultType.objects
  /// Whether objects of entities that inherit are fetched too.
  public var includesSubentities = true
  /// Whether rows are read along, so that values are there when an object is looked at.
  public var includesPropertyValues = true
  /// Whether values may be left in the store until they are read.
  public var returnsObjectsAsFaults = true
  /// Whether equal dictionaries come once.
  public var returnsDistinctResults = false

  /// Fetches the objects of `entity` that `predicate` selects.
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

/// Objects that a predicate about an object finds when they are first asked for; no relationship, and not live.
///
/// In the predicate `$FETCH_SOURCE` is the object itself, and `$FETCH_SOURCE.magnitude` a value of it.
public struct FetchedProperty: Hashable, Sendable {
  /// The name of the variable that stands for the object.
  public static let source = "FETCH_SOURCE"
  /// The name of the variable that stands for the fetched property itself: `$FETCHED_PROPERTY.userInfo.limit`.
  public static let itself = "FETCHED_PROPERTY"

  /// The name, which no other property of the entity has.
  public var name: String
  /// The request that is fetched.
  public var fetchRequest: FetchRequestTemplate
  /// The author's own notes.
  public var userInfo: [String: String] = [:]

  /// Names the objects that a request finds.
  public init(_ name: String, _ fetchRequest: FetchRequestTemplate) {
    self.name = name
    self.fetchRequest = fetchRequest
  }
}
