public import Reactive

/// A property whose value is a new namespace: names that mark the same thing in several places, one of which is its source.
///
///     final class Gallery {
///       @Namespace<String> var heroes
///     }
///     gallery.heroes.tag("hero", "the row in the list", isSource: true)
///     gallery.heroes.resolve("hero")                       // "the row in the list"
@propertyWrapper
public struct Namespace<Thing: Equatable> {
  /// A namespace.
  public typealias ID = Reactive.Namespace<Thing>

  /// The namespace.
  public let wrappedValue: ID

  /// A namespace that no other is the same as.
  public init() { wrappedValue = ID() }
}
