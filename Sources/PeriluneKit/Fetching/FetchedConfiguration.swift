public import Foundation
internal import LiveQueries
internal import Queries

/// What can be changed about fetched results while they are live.
///
///     $quakes.wrappedValue.predicate = \.magnitude > 6
///     let order = $quakes.sortDescriptors                  // a binding
public struct FetchedConfiguration<Object: ManagedObject> {
  /// Which objects; nil for all.
  public var predicate: FetchPredicate<Object>?
  /// In which order, the most important key first.
  public var sortDescriptors: [Foundation.SortDescriptor<Object>]
  /// The order by key paths as text, after the descriptors: `["-magnitude", "mainshock.code"]`.
  public var sortKeys: [String] = []
  /// The most objects to fetch; nil for all.
  public var fetchLimit: Int?
  /// How many objects are left out at the beginning.
  public var fetchOffset = 0
  /// Whether unsaved objects and changes count.
  public var includesPendingChanges = true
  /// What the objects of one section have in common, or what is wrong with the key path to it.
  var section: Result<String, any Error>?

  /// What the objects of one section have in common, as text: a property, or an expression such as `year(time)`; nil for no
  /// sections.
  public var sectionIdentifier: String? {
    get { try? section?.get() }
    set { section = newValue.map { .success($0) } }
  }

  init(predicate: FetchPredicate<Object>?, sortDescriptors: [Foundation.SortDescriptor<Object>]) {
    self.predicate = predicate
    self.sortDescriptors = sortDescriptors
  }

  /// The configuration as the engine has it.
  func engine() throws -> LiveQueries.FetchConfiguration {
    var configuration = try LiveQueries.FetchConfiguration(
      predicate: nil, sort: sortKeys, sectionIdentifier: section?.get(), fetchLimit: fetchLimit)
    configuration.predicate = try predicate?.tree.get()
    configuration.sortDescriptors = try sortDescriptors.map(Self.engine) + configuration.sortDescriptors
    configuration.fetchOffset = fetchOffset
    configuration.includesPendingChanges = includesPendingChanges
    return configuration
  }

  /// A descriptor of Foundation's. Here it knows one order of texts, which is the store's, too.
  private static func engine(_ descriptor: Foundation.SortDescriptor<Object>) throws -> Queries.SortDescriptor {
    guard let keyPath = descriptor.keyPath else {
      throw PeriluneError(.notAProperty(keyPath: "\(descriptor)", entity: Object.entityName))
    }
    let path = PropertyPath(dotted: try Object.propertyName(of: keyPath))
    return Queries.SortDescriptor(.path(path), ascending: descriptor.order == .forward)
  }
}
