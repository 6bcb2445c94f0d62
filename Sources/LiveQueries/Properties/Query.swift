public import ObjectGraph
public import Reactive

/// A property with the live objects for which a filter is true, in the terms of SwiftData.
///
///     final class Journey {
///       @Query("Trip", filter: "cost > 3", sort: ["start"], order: .reverse, in: environment) var trips
///       var problem: (any Error)? { _trips.fetchError }
///     }
///     journey.trips.first
///     journey.$trips.sortDescriptors = [SortDescriptor("cost")]
///
/// It behaves as `Fetched` does. Unlike SwiftData's, a query can be changed while it is live, by `$trips`. In a file
/// that also imports SwiftData, write `LiveQueries.Query`.
@propertyWrapper
public struct Query {
  /// The property itself: its configuration, observers and error.
  public let projectedValue: LiveProperty

  /// The direction of the sort keys.
  public enum Order: Hashable, Sendable {
    /// Each key as written.
    case forward
    /// Each key reversed.
    case reverse
  }

  /// Creates a property with the objects of an entity for which `filter` is true, ordered by `sort`, in which a key
  /// after `-` descends, or by its reverse, in sections by the value of `sectionBy`.
  public init(
    _ entity: String, filter: String? = nil, sort: [String] = [], order: Order = .forward, sectionBy: String? = nil,
    fetchLimit: Int? = nil, animation: Animation? = nil, in environment: Environment
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

  /// Creates a property that shares the objects of `property`.
  public init(_ property: LiveProperty) { projectedValue = property }

  /// The objects; empty if they could not be fetched.
  public var wrappedValue: LiveObjects { projectedValue.objects }

  /// The sections; empty without `sectionBy`.
  public var sections: FetchedSections { projectedValue.sections }

  /// The error of the last fetch; nil if it succeeded. The objects are those of the last successful fetch.
  public var fetchError: (any Error)? { projectedValue.error }

  /// The context of the objects; nil if there is none.
  public var modelContext: ObjectContext? { projectedValue.context }
}
