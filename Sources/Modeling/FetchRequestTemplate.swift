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

  /// Fetches the objects of `entity` that `predicate` selects.
  public init(_ entity: String, predicate: String? = nil) {
    self.entity = entity
    self.predicate = predicate
  }
}

/// Objects that a predicate about an object finds when they are first asked for; no relationship, and not live.
///
/// In the predicate `$FETCH_SOURCE` is the object itself, and `$FETCH_SOURCE.magnitude` a value of it.
public struct FetchedProperty: Hashable, Sendable {
  /// The name of the variable that stands for the object.
  public static let source = "FETCH_SOURCE"

  /// The name, which no other property of the entity has.
  public var name: String
  /// What is fetched.
  public var fetchRequest: FetchRequestTemplate
  /// The author's own notes.
  public var userInfo: [String: String] = [:]

  /// Names the objects that a request finds.
  public init(_ name: String, _ fetchRequest: FetchRequestTemplate) {
    self.name = name
    self.fetchRequest = fetchRequest
  }
}
