public import Reactive

/// A property with the live objects of a request, fetched from the context of an environment.
///
///     final class Board {
///       @Fetched("Quake", predicate: "magnitude >= 5", sort: ["-time"], in: environment) var quakes
///     }
///     board.quakes.count
///     board.$quakes.fetchLimit = 10
///
/// It corresponds to SwiftUI's `@FetchRequest`; here `FetchRequest` is the request itself, as a value. `$quakes` is the
/// `LiveProperty`, with its configuration, its observers and the error of its last fetch.
@propertyWrapper
public struct Fetched {
  /// The property itself: its configuration, observers and error.
  public let projectedValue: LiveProperty

  /// Creates a property with the objects of an entity for which `predicate` is true, ordered by `sort`, in which a key
  /// after `-` descends.
  public init(
    _ entity: String, predicate: String? = nil, sort: [String] = [], sectionIdentifier: String? = nil,
    fetchLimit: Int? = nil, animation: Animation? = nil, in environment: Environment
  ) {
    projectedValue = LiveProperty(entity, animation: animation, in: environment) {
      try FetchConfiguration(
        predicate: predicate, sort: sort, sectionIdentifier: sectionIdentifier, fetchLimit: fetchLimit)
    }
  }

  /// Creates a property that shares the objects of `property`.
  public init(_ property: LiveProperty) { projectedValue = property }

  /// The objects; empty if they could not be fetched.
  public var wrappedValue: LiveObjects { projectedValue.objects }
}
