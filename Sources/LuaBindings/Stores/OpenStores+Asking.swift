public import Modeling
public import ObjectGraph
public import Reactive
internal import Stores

// Questions about all open stores, for programs.
extension OpenStores {
  /// How many objects have unsaved changes, in all contexts of all stores.
  public var unsavedChangeCount: Int { all.reduce(0) { $0 + $1.unsavedChangeCount } }

  /// The number of objects with unsaved changes in all contexts of the process, as a handler of signals may read it.
  public static var unsavedChangeCountOfProcess: Int { UnsavedChangeCount.current }

  /// The unsaved changes of each context that has any.
  public func pendingDiffs() throws -> [ContextDiff] {
    try contexts.map(\.objectContext).filter(\.hasChanges).map { try $0.diff() }
  }

  /// How many rows a batch request, or the undoing of a save, has written so far, and how many it will; nil where neither runs.
  public var workInProgress: (rows: Int, expected: Int)? {
    all.lazy.compactMap { $0.objectStore.workInProgress }.first
  }

  /// The first context of the store that an entity belongs to.
  public func context(of entity: Entity) -> ObjectContext? { store(of: entity)?.mainContext.objectContext }

  /// The sorted names of the methods, or of the computed properties, that scripts have added to an entity.
  public func scriptMembers(of entity: Entity, areMethods: Bool) -> [String] {
    guard let members = store(of: entity)?.members(of: entity) else { return [] }
    return (areMethods ? members.methods : members.computed).keys.sorted()
  }

  /// Has the loop run a turn when others commit to the store of a context, until the token is cancelled.
  ///
  /// `name` is what messages call the one who asks.
  public func followCommits(to context: ObjectContext, name: String) -> Reactive.ObservationToken? {
    bound(context.store)?.live.followCommits(name: name)
  }

  /// What is wrong with the open stores, their contexts and live results, in words; for tests: it reads everything.
  ///
  /// - Throws: StoreError.
  package func brokenInvariants() throws -> [String] {
    try all.flatMap { store in
      try store.contexts.flatMap { try $0.objectContext.checkInvariants() } + (store.liveStore?.brokenInvariants ?? [])
    }
  }
}
