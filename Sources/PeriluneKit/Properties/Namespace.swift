public import Reactive

/// A property whose value is a new namespace: names that identify the same thing in several places, one of which is its
/// source.
///
///     final class Gallery {
///       @Namespace<String> var heroes
///     }
///     gallery.heroes.tag("hero", "the row in the list", isSource: true)
///     gallery.heroes.resolve("hero")                       // "the row in the list"
@propertyWrapper
public struct Namespace<Thing: Equatable> {
  /// The type of the namespace.
  public typealias ID = Reactive.Namespace<Thing>

  /// The namespace.
  public let wrappedValue: ID

  /// Creates a unique namespace.
  public init() { wrappedValue = ID() }
}
