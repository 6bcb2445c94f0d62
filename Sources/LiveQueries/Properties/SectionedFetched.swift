public import Reactive

/// A property that holds the sections of the objects a request selects, live, from the context of an environment.
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
/// It is what `@SectionedFetchRequest` is in SwiftUI. Sections are never torn apart: the section identifier leads the order,
/// and an order that contradicts it is `$days.error`. What belongs together is set together, by `configure` or by one
/// assignment to `$days.configuration`; without a section identifier there are no sections.
@propertyWrapper
public struct SectionedFetched {
  /// The property itself: its configuration, observers and error.
  public let projectedValue: LiveProperty

  /// Objects of an entity, by what they have in common in `sectionIdentifier`: those for which `predicate` is true, in the
  /// order of `sort`, in which a key after `-` descends.
  public init(
    _ entity: String, sectionIdentifier: String, predicate: String? = nil, sort: [String] = [],
    fetchLimit: Int? = nil, animation: String? = nil, in environment: Environment
  ) {
    projectedValue = LiveProperty(entity, animation: animation, in: environment) {
      try FetchConfiguration(
        predicate: predicate, sort: sort, sectionIdentifier: sectionIdentifier, fetchLimit: fetchLimit)
    }
  }

  /// The sections of `property`, which others may show as well.
  public init(_ property: LiveProperty) { projectedValue = property }

  /// The sections; none where the objects could not be fetched.
  public var wrappedValue: FetchedSections { projectedValue.sections }
}
