public import Foundation
internal import LiveQueries
internal import Queries

/// The configuration of fetched results, which can change while they are live.
///
///     $quakes.wrappedValue.predicate = \.magnitude > 6
///     let order = $quakes.sortDescriptors                  // a binding
public struct FetchedConfiguration<Object: ManagedObject> {
  /// Selects the objects; nil for all.
  public var predicate: FetchPredicate<Object>?
  /// The sort order, most important key first.
  public var sortDescriptors: [Foundation.SortDescriptor<Object>]
  /// Further sort keys as key path texts, after the descriptors: `["-magnitude", "mainshock.code"]`.
  public var sortKeys: [String] = []
  /// The maximum number of objects; nil for all.
  public var fetchLimit: Int?
  /// The number of objects to skip.
  public var fetchOffset = 0
  /// Whether to include unsaved objects and changes.
  public var includesPendingChanges = true
  /// The section identifier, or the error of the key path to it.
  var section: Result<String, any Error>?

  /// The section identifier as text: a property, or an expression such as `year(time)`; nil for no sections.
  public var sectionIdentifier: String? {
    get { try? section?.get() }
    set { section = newValue.map { .success($0) } }
  }

  init(predicate: FetchPredicate<Object>?, sortDescriptors: [Foundation.SortDescriptor<Object>]) {
    self.predicate = predicate
    self.sortDescriptors = sortDescriptors
  }

  /// Returns the engine's form of the configuration.
  func engine() throws -> LiveQueries.FetchConfiguration {
    var configuration = try LiveQueries.FetchConfiguration(
      predicate: nil, sort: sortKeys, sectionIdentifier: section?.get(), fetchLimit: fetchLimit)
    configuration.predicate = try predicate?.tree.get()
    configuration.sortDescriptors = try sortDescriptors.map(Self.engine) + configuration.sortDescriptors
    configuration.fetchOffset = fetchOffset
    configuration.includesPendingChanges = includesPendingChanges
    return configuration
  }

  /// Converts a Foundation sort descriptor. Here it has a single order of texts, which the store has, too.
  private static func engine(_ descriptor: Foundation.SortDescriptor<Object>) throws -> Queries.SortDescriptor {
    guard let keyPath = descriptor.keyPath else {
      throw PeriluneError(.notAProperty(keyPath: "\(descriptor)", entity: Object.entityName))
    }
    let path = PropertyPath(dotted: try Object.propertyName(of: keyPath))
    return Queries.SortDescriptor(.path(path), ascending: descriptor.order == .forward)
  }
}
