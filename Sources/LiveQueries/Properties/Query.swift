public import ObjectGraph
public import Reactive

/// A property that holds the objects for which a filter is true, live, in the words of SwiftData.
///
///     final class Journey {
///       @Query("Trip", filter: "cost > 3", sort: ["start"], order: .reverse, in: environment) var trips
///       var problem: (any Error)? { _trips.fetchError }
///     }
///     journey.trips.first
///     journey.$trips.sortDescriptors = [SortDescriptor("cost")]
///
/// It shows what `Fetched` shows. Here a query can be changed while it is live, by `$trips`. In a file that imports SwiftData
/// too, it is `LiveQueries.Query`.
@propertyWrapper
public struct Query {
  /// The property itself: its configuration, observers and error.
  public let projectedValue: LiveProperty

  /// Which way the keys of an order go.
  public enum Order: Hashable, Sendable {
    /// As they are written.
    case forward
    /// Each the other way round.
    case reverse
  }

  /// Objects of an entity: those for which `filter` is true, in the order of `sort`, in which a key after `-` descends, or
  /// the reverse of it, with what they have in common in `sectionBy`.
  public init(
    _ entity: String, filter: String? = nil, sort: [String] = [], order: Order = .forward, sectionBy: String? = nil,
    fetchLimit: Int? = nil, animation: String? = nil, in environment: Environment
  ) {
    projectedValue = LiveProperty(entity, animation: animation, in: environment) {
      var configuration = try FetchConfiguration(
        predicate: filter, sort: sort, sectionIdentifier: sectionBy, fetchLimit: fetchLimit)
      if order == .reverse {
        for index in configuration.sortDescriptors.indices { configuration.sortDescriptors[index].isAscending.toggle() }
      }
      return configuration
    }
  }

  /// The objects of `property`, which others may show as well.
  public init(_ property: LiveProperty) { projectedValue = property }

  /// The objects; none where they could not be fetched.
  public var wrappedValue: LiveObjects { projectedValue.objects }

  /// The sections; none without `sectionBy`.
  public var sections: FetchedSections { projectedValue.sections }

  /// What kept the last fetch from succeeding; nil if nothing did. The objects are those of the last one that succeeded.
  public var fetchError: (any Error)? { projectedValue.error }

  /// The context that the objects are of; nil where there is none.
  public var modelContext: ObjectContext? { projectedValue.context }
}
