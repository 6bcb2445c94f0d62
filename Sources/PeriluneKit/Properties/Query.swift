public import Foundation
public import Reactive

/// A property with the live objects for which a filter is true, as an array, in the terms of SwiftData.
///
///     @Query(filter: #Predicate<Quake> { $0.magnitude > 6 }, sort: \.time, order: .reverse, animation: .default)
///     private var quakes: [Quake]
///     @Query(sort: \Quake.time, sectionBy: \.country) private var others: [Quake]
///     for section in _others.sections { print(section.id, section.count) }
///
/// It fetches what `FetchRequest` fetches. The array contains an instance for each object, whereas `FetchedResults`
/// creates instances on access and is better for many objects.
@propertyWrapper
public struct Query<Object: ManagedObject>: DynamicProperty {
  private let property: FetchedProperty<Object>

  /// Creates a property with the objects for which a `#Predicate` is true, ordered by `sort`, in sections by the values of
  /// `sectionBy`.
  public init(
    filter: Predicate<Object>? = nil, sort: [SortDescriptor<Object>] = [], sectionBy: PartialKeyPath<Object>? = nil,
    animation: Animation? = nil, transaction: Transaction? = nil
  ) {
    self.init(FetchDescriptor(predicate: filter, sortBy: sort), sectionBy, animation, transaction)
  }

  /// Creates a property with the objects for which a `#Predicate` is true, ordered by one property.
  public init<Value: Comparable>(
    filter: Predicate<Object>? = nil, sort keyPath: any KeyPath<Object, Value> & Sendable, order: SortOrder = .forward,
    sectionBy: PartialKeyPath<Object>? = nil, animation: Animation? = nil, transaction: Transaction? = nil
  ) {
    let sort = [SortDescriptor(keyPath, order: order)]
    self.init(FetchDescriptor(predicate: filter, sortBy: sort), sectionBy, animation, transaction)
  }

  /// Creates a property with the objects for which a `#Predicate` is true, ordered by one optional property.
  public init<Value: Comparable>(
    filter: Predicate<Object>? = nil, sort keyPath: any KeyPath<Object, Value?> & Sendable,
    order: SortOrder = .forward, sectionBy: PartialKeyPath<Object>? = nil, animation: Animation? = nil,
    transaction: Transaction? = nil
  ) {
    let sort = [SortDescriptor(keyPath, order: order)]
    self.init(FetchDescriptor(predicate: filter, sortBy: sort), sectionBy, animation, transaction)
  }

  /// Creates a property with the objects that a descriptor selects.
  public init(
    _ descriptor: FetchDescriptor<Object>, sectionBy: PartialKeyPath<Object>? = nil, animation: Animation? = nil,
    transaction: Transaction? = nil
  ) {
    self.init(descriptor, sectionBy, animation, transaction)
  }

  private init(
    _ descriptor: FetchDescriptor<Object>, _ sectionBy: PartialKeyPath<Object>?, _ animation: Animation?,
    _ transaction: Transaction?
  ) {
    var configuration = descriptor.configuration
    configuration.section = sectionBy.map { SectionRule($0) }
    property = FetchedProperty(configuration, animation, transaction)
  }

  /// The objects; empty if they could not be fetched, and `fetchError` says why.
  public var wrappedValue: [Object] { Array(FetchedResults(property)) }

  /// A binding to the configuration; its members are bindings to the parts. SwiftData has none: its queries do not
  /// change.
  public var projectedValue: Binding<FetchRequest<Object>.Configuration> { property.binding }

  /// The sections, with the identifiers as values of any type; empty without `sectionBy`.
  public var sections: SectionedFetchResults<AnyValue, Object> { SectionedFetchResults(property) }

  /// The error of the last fetch; nil if it succeeded.
  public var fetchError: (any Error)? { property.live.error }

  /// The context of the objects; nil if there is none.
  public var modelContext: ManagedObjectContext? { property.live.context?.face as? ManagedObjectContext }

  /// Fetches from the environment's context, unless that is done.
  public func update() { property.update() }
}
