public import Foundation
public import Reactive

/// A property with the live objects for which a filter is true, as an array, in the terms of SwiftData.
///
///     @Query(filter: #Predicate<Quake> { $0.magnitude > 6 }, sort: \.time, order: .reverse) var quakes: [Quake]
///
/// It fetches what `Fetched` fetches. The array contains an instance for each object, whereas `FetchedResults` creates
/// instances on access and is better for many objects.
@propertyWrapper
public struct Query<Object: ManagedObject> {
  private let fetched: Fetched<Object>

  /// Creates a property with the objects for which a `#Predicate` is true, ordered by `sort`.
  public init(filter: Predicate<Object>? = nil, sort: [SortDescriptor<Object>] = [], animation: String? = nil) {
    fetched = Fetched(filter: filter, sort: sort, animation: animation)
  }

  /// Creates a property with the objects for which a `#Predicate` is true, ordered by one property.
  public init<Value: Comparable>(
    filter: Predicate<Object>? = nil, sort keyPath: any KeyPath<Object, Value> & Sendable, order: SortOrder = .forward,
    animation: String? = nil
  ) {
    fetched = Fetched(filter: filter, sort: [SortDescriptor(keyPath, order: order)], animation: animation)
  }

  /// Creates a property with the objects for which a `#Predicate` is true, ordered by one optional property.
  public init<Value: Comparable>(
    filter: Predicate<Object>? = nil, sort keyPath: any KeyPath<Object, Value?> & Sendable, order: SortOrder = .forward,
    animation: String? = nil
  ) {
    fetched = Fetched(filter: filter, sort: [SortDescriptor(keyPath, order: order)], animation: animation)
  }

  /// Creates a property with the objects that a descriptor selects.
  public init(_ descriptor: FetchDescriptor<Object>, animation: String? = nil) {
    fetched = Fetched(descriptor, animation: animation)
  }

  /// The objects; empty if they could not be fetched, and `fetchError` says why.
  public var wrappedValue: [Object] { Array(fetched.wrappedValue) }

  /// A binding to the configuration; its members are bindings to the parts.
  public var projectedValue: Binding<FetchedConfiguration<Object>> { fetched.projectedValue }

  /// The error of the last fetch; nil if it succeeded.
  public var fetchError: (any Error)? { fetched.wrappedValue.error }
}
