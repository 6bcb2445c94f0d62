public import Foundation

/// Which objects to fetch, in which order and how many of them.
///
///     var descriptor = FetchDescriptor<Quake>(predicate: \.magnitude > 6, sortBy: [SortDescriptor(\.time, order: .reverse)])
///     descriptor.fetchLimit = 10
///     let quakes = try context.fetch(descriptor)
public struct FetchDescriptor<Object: ManagedObject> {
  var configuration: FetchedConfiguration<Object>

  /// Relationships whose objects are fetched along.
  public var relationshipKeyPathsForPrefetching: [PartialKeyPath<Object>] = []

  /// The objects for which a predicate is true.
  public init(predicate: FetchPredicate<Object>? = nil, sortBy sortDescriptors: [SortDescriptor<Object>] = []) {
    configuration = FetchedConfiguration(predicate: predicate, sortDescriptors: sortDescriptors)
  }

  /// The objects for which a `#Predicate` is true.
  public init(predicate: Predicate<Object>?, sortBy sortDescriptors: [SortDescriptor<Object>] = []) {
    self.init(predicate: predicate.map { FetchPredicate($0) }, sortBy: sortDescriptors)
  }

  /// Which objects; nil for all.
  public var predicate: FetchPredicate<Object>? {
    get { configuration.predicate }
    set { configuration.predicate = newValue }
  }
  /// In which order, the most important key first.
  public var sortBy: [SortDescriptor<Object>] {
    get { configuration.sortDescriptors }
    set { configuration.sortDescriptors = newValue }
  }
  /// The order by key paths as text, after `sortBy`: `["-magnitude", "mainshock.code"]`.
  public var sortKeys: [String] {
    get { configuration.sortKeys }
    set { configuration.sortKeys = newValue }
  }
  /// The most objects to fetch; nil for all.
  public var fetchLimit: Int? {
    get { configuration.fetchLimit }
    set { configuration.fetchLimit = newValue }
  }
  /// How many objects are left out at the beginning.
  public var fetchOffset: Int {
    get { configuration.fetchOffset }
    set { configuration.fetchOffset = newValue }
  }
  /// Whether unsaved objects and changes count.
  public var includePendingChanges: Bool {
    get { configuration.includesPendingChanges }
    set { configuration.includesPendingChanges = newValue }
  }
}
