public import Foundation
public import Reactive

/// A property with the live objects of a request, fetched from the context of the environment.
///
///     final class Board {
///       @Fetched(sort: \Quake.magnitude, order: .reverse, predicate: \.magnitude >= 5) var quakes: FetchedResults<Quake>
///     }
///     board.quakes[0].magnitude
///     board.$quakes.predicate.wrappedValue = \.magnitude >= 6
///
/// It corresponds to SwiftUI's `@FetchRequest`, and has that name, too; `filter:` takes a `#Predicate`, as `@Query`
/// does.
@propertyWrapper
public struct Fetched<Object: ManagedObject> {
  private let property: FetchedProperty<Object>

  /// Creates a property with the objects for which a predicate is true, ordered by `sortDescriptors`.
  public init(
    sortDescriptors: [SortDescriptor<Object>] = [], predicate: FetchPredicate<Object>? = nil, animation: String? = nil
  ) {
    self.init(FetchDescriptor(predicate: predicate, sortBy: sortDescriptors), animation: animation)
  }

  /// Creates a property with the objects for which a `#Predicate` is true, ordered by `sort`.
  public init(filter: Predicate<Object>?, sort sortDescriptors: [SortDescriptor<Object>] = [], animation: String? = nil)
  {
    self.init(FetchDescriptor(predicate: filter, sortBy: sortDescriptors), animation: animation)
  }

  /// Creates a property with the objects for which a predicate is true, ordered by one property.
  public init<Value: Comparable>(
    sort keyPath: any KeyPath<Object, Value> & Sendable, order: SortOrder = .forward,
    predicate: FetchPredicate<Object>? = nil, animation: String? = nil
  ) {
    self.init(
      FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(keyPath, order: order)]), animation: animation)
  }

  /// Creates a property with the objects for which a predicate is true, ordered by one optional property.
  public init<Value: Comparable>(
    sort keyPath: any KeyPath<Object, Value?> & Sendable, order: SortOrder = .forward,
    predicate: FetchPredicate<Object>? = nil, animation: String? = nil
  ) {
    self.init(
      FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(keyPath, order: order)]), animation: animation)
  }

  /// Creates a property with the objects for which a `#Predicate` is true, ordered by one property.
  public init<Value: Comparable>(
    filter: Predicate<Object>?, sort keyPath: any KeyPath<Object, Value> & Sendable, order: SortOrder = .forward,
    animation: String? = nil
  ) {
    self.init(FetchDescriptor(predicate: filter, sortBy: [SortDescriptor(keyPath, order: order)]), animation: animation)
  }

  /// Creates a property with the objects that a descriptor selects. `animation` is part of the changes that observers
  /// receive.
  public init(_ descriptor: FetchDescriptor<Object>, animation: String? = nil) {
    property = FetchedProperty(descriptor.configuration, animation: animation)
  }

  /// The objects; empty if they could not be fetched, and `error` says why.
  public var wrappedValue: FetchedResults<Object> { FetchedResults(property) }

  /// A binding to the configuration; its members are bindings to the parts: `$quakes.sortDescriptors`.
  public var projectedValue: Binding<FetchedConfiguration<Object>> { property.binding }
}

/// `@Fetched` under SwiftUI's name.
public typealias FetchRequest<Object: ManagedObject> = Fetched<Object>
