public import Reactive

/// A property that holds the objects a request selects, live, from the context of an environment.
///
///     final class Board {
///       @Fetched("Quake", predicate: "magnitude >= 5", sort: ["-time"], in: environment) var quakes
///     }
///     board.quakes.count
///     board.$quakes.fetchLimit = 10
///
/// It is what `@FetchRequest` is in SwiftUI; here `FetchRequest` is the request itself, as a value. `$quakes` is the
/// `LiveProperty`, with its configuration, its observers and what kept the objects from being fetched.
@propertyWrapper
public struct Fetched {
  /// The property itself: its configuration, observers and error.
  public let projectedValue: LiveProperty

  /// Objects of an entity: those for which `predicate` is true, in the order of `sort`, in which a key after `-` descends.
  public init(
    _ entity: String, predicate: String? = nil, sort: [String] = [], sectionIdentifier: String? = nil,
    fetchLimit: Int? = nil, animation: String? = nil, in environment: Environment
  ) {
    projectedValue = LiveProperty(entity, animation: animation, in: environment) {
      try FetchConfiguration(
        predicate: predicate, sort: sort, sectionIdentifier: sectionIdentifier, fetchLimit: fetchLimit)
    }
  }

  /// The objects of `property`, which others may show as well.
  public init(_ property: LiveProperty) { projectedValue = property }

  /// The objects; none where they could not be fetched.
  public var wrappedValue: LiveObjects { projectedValue.objects }
}
