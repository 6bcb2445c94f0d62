internal import Modeling
internal import ObjectGraph
public import Stores

/// The stores that scripts and the program have open.
public final class OpenStores {
  /// The engine, which holds the stores.
  unowned(unsafe) var engine: Engine!
  /// Every store that is open, in order of opening.
  private(set) var all: [BoundStore] = []
  /// Closed stores whose objects Lua may hold, so that these can report it; see `forgetDropped`.
  private(set) var closed: [BoundStore] = []
  /// Whether writes to opened stores are rolled back at the end.
  var isRehearsing: Bool
  /// The number of open stores at which opening one closes the dropped ones.
  private var sweepCount = 16

  init(isRehearsing: Bool) { self.isRehearsing = isRehearsing }

  /// The contexts of all stores.
  var contexts: [BoundContext] { all.flatMap(\.contexts) }

  /// The open store of a model's entity, by identity.
  func store(of entity: Entity) -> BoundStore? {
    all.first { $0.objectStore.model.entities.contains { $0 === entity } }
  }

  /// The bound store of a store of the engine; nil if it is not open.
  func bound(_ store: any ObjectStore) -> BoundStore? { all.first { $0.objectStore === store } }

  // MARK: Opening and closing

  /// Adds a store that was opened.
  func add(_ store: any OpenedStore) -> BoundStore {
    let bound = BoundStore(engine, store)
    all.append(bound)
    engine.notes += store.notes
    return bound
  }

  /// Adds a store that the program shares.
  func add(_ shared: SharedStore) -> BoundStore {
    let bound = BoundStore(engine, shared.store, sharing: shared)
    all.append(bound)
    return bound
  }

  /// Moves a store that is being closed to the closed ones.
  func retire(_ store: BoundStore) {
    all.removeAll { $0 === store }
    closed.append(store)
  }

  /// Closes a store; unsaved changes are lost.
  public func close(_ store: any OpenedStore) { bound(store)?.close() }

  /// Runs `body`, in which a store that no script holds stays open even when others are closed.
  package func keeping<Result>(_ store: any OpenedStore, _ body: () throws -> Result) rethrows -> Result {
    let kept = bound(store)
    defer { withExtendedLifetime(kept) {} }
    return try body()
  }

  /// Closes all stores, without saving.
  func closeAll() {
    for store in all { store.close() }
    all = []
  }

  /// Releases contexts and stores that scripts have dropped and that nothing else needs.
  ///
  /// It does nothing during a save, which iterates over the contexts.
  func forgetDropped() {
    guard !engine.lua.isClosed, !isWriting else { return }
    for store in all { store.forgetDroppedContexts() }
    closeDropped()
    for index in closed.indices.reversed()
    where closed[index].hasOnlyDroppedContexts && isKnownUniquelyReferenced(&closed[index]) {
      closed.remove(at: index)
    }
  }

  /// Closes the stores that only the list of open ones retains: each has files open, or a connection.
  ///
  /// A dry run shows what all stores would have become, and needs them to its end.
  private func closeDropped() {
    guard !engine.options.isDryRun else { return }
    for index in all.indices.reversed()
    where all[index].isIdle && isKnownUniquelyReferenced(&all[index]) {
      let store = all[index]
      store.end()
    }
  }

  /// Collects what scripts dropped where many stores are open: to Lua, a store is a few bytes.
  func makeRoom() {
    guard weight >= sweepCount else { return }
    engine.lua.collectGarbage()
    forgetDropped()
    sweepCount = max(16, weight * 2)
  }

  /// How many stores are open; one on a server counts four times, as it has several connections, of which a server grants few.
  private var weight: Int { all.reduce(0) { $0 + ($1.objectStore.traits.rowsPerRoundTrip > 0 ? 4 : 1) } }
}
