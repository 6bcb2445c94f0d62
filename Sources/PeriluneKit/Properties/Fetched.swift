public import Foundation
public import Reactive

/// A property that holds the objects that a request selects, kept true, from the context of the environment.
///
///     final class Board {
///       @Fetched(sort: \Quake.magnitude, order: .reverse, predicate: \.magnitude >= 5) var quakes: FetchedResults<Quake>
///     }
///     board.quakes[0].magnitude
///     board.$quakes.predicate.wrappedValue = \.magnitude >= 6
///
/// It is SwiftUI's `@FetchRequest`, and goes by that name too; `filter:` takes a `#Predicate`, as `@Query` does.
@propertyWrapper
public struct Fetched<Object: ManagedObject> {
  private let property: FetchedProperty<Object>

  /// The objects for which a predicate is true, in the order of `sortDescriptors`.
  public init(
    sortDescriptors: [SortDescriptor<Object>] = [], predicate: FetchPredicate<Object>? = nil, animation: String? = nil
  ) {
    self.init(FetchDescriptor(predicate: predicate, sortBy: sortDescriptors), animation: animation)
  }

  /// The objects for which a `#Predicate` is true, in the order of `sort`.
  public init(filter: Predicate<Object>?, sort sortDescriptors: [SortDescriptor<Object>] = [], animation: String? = nil)
  {
    self.init(FetchDescriptor(predicate: filter, sortBy: sortDescriptors), animation: animation)
  }

  /// The objects for which a predicate is true, in the order of one property.
  public init<Value: Comparable>(
    sort keyPath: any KeyPath<Object, Value> & Sendable, order: SortOrder = .forward,
    predicate: FetchPredicate<Object>? = nil, animation: String? = nil
  ) {
    self.init(
      FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(keyPath, order: order)]), animation: animation)
  }

  /// The objects for which a predicate is true, in the order of one property, which may be nothing.
  public init<Value: Comparable>(
    sort keyPath: any KeyPath<Object, Value?> & Sendable, order: SortOrder = .forward,
    predicate: FetchPredicate<Object>? = nil, animation: String? = nil
  ) {
    self.init(
      FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(keyPath, order: order)]), animation: animation)
  }

  /// The objects for which a `#Predicate` is true, in the order of one property.
  public init<Value: Comparable>(
    filter: Predicate<Object>?, sort keyPath: any KeyPath<Object, Value> & Sendable, order: SortOrder = .forward,
    animation: String? = nil
  ) {
    self.init(FetchDescriptor(predicate: filter, sortBy: [SortDescriptor(keyPath, order: order)]), animation: animation)
  }

  /// The objects that a descriptor selects. `animation` is what observers are told of how to show changes.
  public init(_ descriptor: FetchDescriptor<Object>, animation: String? = nil) {
    property = FetchedProperty(descriptor.configuration, animation: animation)
  }

  /// The objects; none where they could not be fetched, and `error` says why.
  public var wrappedValue: FetchedResults<Object> { FetchedResults(property) }

  /// A binding to the configuration, and by its members to the parts: `$quakes.sortDescriptors`.
  public var projectedValue: Binding<FetchedConfiguration<Object>> { property.binding }
}

/// `@Fetched` under the name of SwiftUI.
public typealias FetchRequest<Object: ManagedObject> = Fetched<Object>
