public import Foundation
public import Reactive

/// A property that holds the objects for which a filter is true as an array, kept true, in the words of SwiftData.
///
///     @Query(filter: #Predicate<Quake> { $0.magnitude > 6 }, sort: \.time, order: .reverse) var quakes: [Quake]
///
/// It fetches what `Fetched` fetches. The array has an instance for each object, which `FetchedResults` makes when they are
/// looked at: it is the better one for many.
@propertyWrapper
public struct Query<Object: ManagedObject> {
  private let fetched: Fetched<Object>

  /// The objects for which a `#Predicate` is true, in the order of `sort`.
  public init(filter: Predicate<Object>? = nil, sort: [SortDescriptor<Object>] = [], animation: String? = nil) {
    fetched = Fetched(filter: filter, sort: sort, animation: animation)
  }

  /// The objects for which a `#Predicate` is true, in the order of one property.
  public init<Value: Comparable>(
    filter: Predicate<Object>? = nil, sort keyPath: any KeyPath<Object, Value> & Sendable, order: SortOrder = .forward,
    animation: String? = nil
  ) {
    fetched = Fetched(filter: filter, sort: [SortDescriptor(keyPath, order: order)], animation: animation)
  }

  /// The objects for which a `#Predicate` is true, in the order of one property, which may be nothing.
  public init<Value: Comparable>(
    filter: Predicate<Object>? = nil, sort keyPath: any KeyPath<Object, Value?> & Sendable, order: SortOrder = .forward,
    animation: String? = nil
  ) {
    fetched = Fetched(filter: filter, sort: [SortDescriptor(keyPath, order: order)], animation: animation)
  }

  /// The objects that a descriptor selects.
  public init(_ descriptor: FetchDescriptor<Object>, animation: String? = nil) {
    fetched = Fetched(descriptor, animation: animation)
  }

  /// The objects; none where they could not be fetched, and `fetchError` says why.
  public var wrappedValue: [Object] { Array(fetched.wrappedValue) }

  /// A binding to the configuration, and by its members to the parts.
  public var projectedValue: Binding<FetchedConfiguration<Object>> { fetched.projectedValue }

  /// What kept the last fetch from succeeding; nil if nothing did.
  public var fetchError: (any Error)? { fetched.wrappedValue.error }
}
