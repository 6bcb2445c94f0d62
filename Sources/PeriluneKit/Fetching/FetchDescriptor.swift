public import Foundation

/// A description of objects to fetch: predicate, order and limits.
///
///     var descriptor = FetchDescriptor<Quake>(predicate: \.magnitude > 6, sortBy: [SortDescriptor(\.time, order: .reverse)])
///     descriptor.fetchLimit = 10
///     let quakes = try context.fetch(descriptor)
public struct FetchDescriptor<Object: ManagedObject> {
  var configuration = FetchRequest<Object>.Configuration()

  /// Relationships whose destinations are fetched, too.
  public var relationshipKeyPathsForPrefetching: [PartialKeyPath<Object>] = []

  /// Creates a descriptor for the objects for which a predicate is true.
  public init(predicate: FetchPredicate<Object>? = nil, sortBy sortDescriptors: [SortDescriptor<Object>] = []) {
    configuration.predicate = predicate
    configuration.sortDescriptors = sortDescriptors
  }

  /// Creates a descriptor for the objects for which a `#Predicate` is true.
  public init(predicate: Predicate<Object>?, sortBy sortDescriptors: [SortDescriptor<Object>] = []) {
    self.init(predicate: predicate.map { FetchPredicate($0) }, sortBy: sortDescriptors)
  }

  /// Selects the objects; nil for all.
  public var predicate: FetchPredicate<Object>? {
    get { configuration.predicate }
    set { configuration.predicate = newValue }
  }
  /// The sort order, most important key first.
  public var sortBy: [SortDescriptor<Object>] {
    get { configuration.sortDescriptors }
    set { configuration.sortDescriptors = newValue }
  }
  /// The sort order as Foundation's class, which also has paths through relationships:
  /// `NSSortDescriptor(key: "mainshock.code", ascending: true)`.
  public var nsSortDescriptors: [NSSortDescriptor] {
    get { configuration.nsSortDescriptors }
    set { configuration.nsSortDescriptors = newValue }
  }
  /// The maximum number of objects; nil for all.
  public var fetchLimit: Int? {
    get { configuration.fetchLimit }
    set { configuration.fetchLimit = newValue }
  }
  /// The number of objects to skip.
  public var fetchOffset: Int {
    get { configuration.fetchOffset }
    set { configuration.fetchOffset = newValue }
  }
  /// Whether to include unsaved objects and changes.
  public var includePendingChanges: Bool {
    get { configuration.includesPendingChanges }
    set { configuration.includesPendingChanges = newValue }
  }
}
