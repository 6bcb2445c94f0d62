public import Foundation
internal import Modeling
internal import Queries

extension FetchRequest {
  /// The part of a request that can change while its results are live.
  ///
  ///     $quakes.nsPredicate.wrappedValue = NSPredicate(format: "magnitude > %@", 6)
  ///     quakes.predicate = \.magnitude > 6
  ///     let order = $quakes.sortDescriptors                // a binding
  public struct Configuration {
    /// Selects the objects; nil for all.
    public var predicate: FetchPredicate<Object>?
    /// Whether the predicate's objects include those of subentities.
    public var includesSubentities = true
    /// The maximum number of objects; nil or 0 for all.
    public var fetchLimit: Int?
    /// The number of objects to skip.
    public var fetchOffset = 0
    /// Whether to include unsaved objects and changes.
    public var includesPendingChanges = true
    /// Whether values may stay in the store until they are accessed.
    public var returnsObjectsAsFaults = true
    /// Relationships whose destinations are fetched, too, as dotted paths.
    public var relationshipKeyPathsForPrefetching: [String] = []

    var order: [GivenSortDescriptor<Object>] = []
    var section: SectionRule?

    /// Creates a configuration for all objects of the class.
    public init() {}

    /// The predicate as Foundation's class; each read creates one.
    public var nsPredicate: NSPredicate? {
      get { predicate.map { NSPredicate($0) } }
      set { predicate = newValue.map { FetchPredicate($0) } }
    }

    /// The sort order, most important key first. Keys that `nsSortDescriptors` has by the path through a relationship are
    /// left out when it is read.
    public var sortDescriptors: [Foundation.SortDescriptor<Object>] {
      get { order.compactMap(\.typed) }
      set { order = newValue.map { .typed($0) } }
    }

    /// The sort order as Foundation's class, most important key first.
    public var nsSortDescriptors: [NSSortDescriptor] {
      get { order.map(\.untyped) }
      set { order = newValue.map { .untyped($0) } }
    }

    /// Makes the engine's request for all objects of the class one for those that are wanted.
    func apply(to request: inout Queries.FetchRequest) throws {
      request.predicate = try predicate?.tree.get()
      request.sortDescriptors = try order.map { try $0.engine() }
      switch section {
      case .expression(let text): request.sectionIdentifier = try Queries.Expression.parse(text)
      case .function(let function): request.sectionFunction = function
      case nil: break
      }
      request.includesSubentities = includesSubentities
      request.fetchLimit = fetchLimit
      request.fetchOffset = fetchOffset
      request.includesPendingChanges = includesPendingChanges
      request.returnsObjectsAsFaults = returnsObjectsAsFaults
      request.relationshipKeyPathsForPrefetching = relationshipKeyPathsForPrefetching.map { PropertyPath(dotted: $0) }
    }
  }
}
