public import Foundation
public import Reactive

/// A property with the live objects of a request, fetched from the context of the environment.
///
///     final class Board {
///       @FetchRequest(sortDescriptors: [SortDescriptor(\.time, order: .reverse)], animation: .default)
///       private var quakes: FetchedResults<Quake>
///       @FetchRequest(where: \.magnitude >= 6) private var strong: FetchedResults<Quake>
///     }
///     quakes.nsPredicate = NSPredicate(format: "place CONTAINS %@", text)
///     $quakes.sortDescriptors.wrappedValue = [SortDescriptor(\.magnitude)]
///
/// `animation` and `transaction` are part of the changes that observers receive.
@propertyWrapper
public struct FetchRequest<Object: ManagedObject>: DynamicProperty {
  private let property: FetchedProperty<Object>

  /// Creates a property with all objects of the class, in the order of the store.
  public init() { self.init(Configuration()) }

  /// Creates a property with the objects for which a predicate is true, ordered by `sortDescriptors`.
  public init(
    sortDescriptors: [SortDescriptor<Object>], predicate: NSPredicate? = nil, animation: Animation? = nil,
    transaction: Transaction? = nil
  ) {
    var configuration = Configuration()
    configuration.sortDescriptors = sortDescriptors
    configuration.nsPredicate = predicate
    self.init(configuration, animation, transaction)
  }

  /// Creates a property with the objects for which a predicate is true, ordered by `sortDescriptors`. `entity` is that of
  /// the class.
  @_disfavoredOverload
  public init(
    entity: NSEntityDescription = Object.entity(), sortDescriptors: [NSSortDescriptor], predicate: NSPredicate? = nil,
    animation: Animation? = nil, transaction: Transaction? = nil
  ) {
    var configuration = Configuration()
    configuration.nsSortDescriptors = sortDescriptors
    configuration.nsPredicate = predicate
    self.init(configuration, animation, transaction, entityName: entity.name)
  }

  /// Creates a property with the objects that a request selects. What only a fetch has, such as `fetchBatchSize` and
  /// `shouldRefreshRefetchedObjects`, has no meaning for results that are kept up to date.
  public init(
    fetchRequest: NSFetchRequest<Object>, animation: Animation? = nil, transaction: Transaction? = nil
  ) {
    self.init(fetchRequest.configuration, animation, transaction, entityName: fetchRequest.entityName)
  }

  /// Creates a property with the objects for which a condition is true: a comparison of key paths, a text with values, a
  /// `#Predicate`.
  public init(
    where predicate: FetchPredicate<Object>, sortDescriptors: [SortDescriptor<Object>] = [],
    animation: Animation? = nil, transaction: Transaction? = nil
  ) {
    var configuration = Configuration()
    configuration.predicate = predicate
    configuration.sortDescriptors = sortDescriptors
    self.init(configuration, animation, transaction)
  }

  private init(
    _ configuration: Configuration, _ animation: Animation? = nil, _ transaction: Transaction? = nil,
    entityName: String? = nil
  ) {
    property = FetchedProperty(configuration, animation, transaction, entityName: entityName)
  }

  /// The objects; empty if they could not be fetched, and `error` says why.
  public var wrappedValue: FetchedResults<Object> { FetchedResults(property) }

  /// A binding to the configuration; its members are bindings to the parts: `$quakes.sortDescriptors`.
  public var projectedValue: Binding<Configuration> { property.binding }

  /// Fetches from the environment's context, unless that is done.
  public func update() { property.update() }
}
