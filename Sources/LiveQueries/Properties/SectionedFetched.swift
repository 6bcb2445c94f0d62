public import Reactive

/// A property with the live sections of a request's objects, fetched from the context of an environment.
///
///     final class Board {
///       @SectionedFetched("Quake", sectionIdentifier: "day(time)", sort: ["-time"], in: environment) var days
///     }
///     for day in board.days { print(day.id, day.count) }
///     try board.$days.configure { configuration in
///       configuration.sectionIdentifier = try Expression.parse("country")
///       configuration.sortDescriptors = [SortDescriptor("country")]
///     }
///
/// It corresponds to SwiftUI's `@SectionedFetchRequest`. Each section is contiguous: the section identifier is the
/// first sort key, and an order that contradicts it sets `$days.error`. Change the identifier and the order together,
/// by `configure` or by one assignment to `$days.configuration`. Without a section identifier there are no sections.
@propertyWrapper
public struct SectionedFetched {
  /// The property itself: its configuration, observers and error.
  public let projectedValue: LiveProperty

  /// Creates a property with the objects of an entity for which `predicate` is true, in sections by the value of
  /// `sectionIdentifier`, ordered by `sort`, in which a key after `-` descends.
  public init(
    _ entity: String, sectionIdentifier: String, predicate: String? = nil, sort: [String] = [],
    fetchLimit: Int? = nil, animation: Animation? = nil, in environment: Environment
  ) {
    projectedValue = LiveProperty(entity, animation: animation, in: environment) {
      try FetchConfiguration(
        predicate: predicate, sort: sort, sectionIdentifier: sectionIdentifier, fetchLimit: fetchLimit)
    }
  }

  /// Creates a property that shares the sections of `property`.
  public init(_ property: LiveProperty) { projectedValue = property }

  /// The sections; empty if the objects could not be fetched.
  public var wrappedValue: FetchedSections { projectedValue.sections }
}
