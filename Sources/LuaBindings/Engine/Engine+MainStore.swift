public import LiveQueries
public import ObjectGraph
public import Stores

// The store of the globals, for programs.
extension Engine {
  /// Opens a store and makes it the store of the entity globals, `store` and `context`.
  public func open(_ options: StoreOptions) throws { globals.use(try stores.open(options)) }

  /// Opens a store in memory with an entity for each file, named after it, and makes it the store of the globals.
  ///
  /// Types are inferred from all rows. `onNewEntity` is called with each entity.
  public func open(_ files: [DataFile]) throws { globals.use(try stores.open(files)) }

  /// Makes an open store the one of the globals.
  public func use(_ store: any OpenedStore) {
    if let bound = stores.bound(store) { globals.use(bound) }
  }

  /// The store that the globals stand for, if one is open.
  public var store: (any OpenedStore)? { globals.store?.objectStore }

  /// Whether a transaction of a server is open that handwritten SQL began. Any failure ends it now.
  public var isInServerTransaction: Bool {
    globals.store?.objectStore.isFailureFatalToTransaction == true
  }

  /// The main context of the store behind the globals; nil without a store.
  public var mainContext: ObjectContext? { globals.store?.mainContext.objectContext }

  /// The live results and observers of the main context; nil without a store.
  public var mainLiveContext: LiveContext? { globals.store?.mainContext.live }

  /// Saves the changes of the main context.
  public func save() throws {
    guard let store = globals.store else { return }
    try turns.followingWrites { try store.mainContext.objectContext.save() }
  }

  /// Drops the unsaved changes of the main context.
  public func rollback() { globals.store?.mainContext.objectContext.rollback() }

  /// Undoes or redoes a save of the main store; returns nil without a store.
  public func reverseSave(_ direction: SaveDirection) throws -> ReversedSave? {
    let place = direction == .undo ? ".undosave" : ".redosave"
    return try turns.followingWrites { try globals.store?.reverseSave(direction, place: place) }
  }

  /// The read statistics of the main context.
  public var statistics: FaultStatistics? { globals.store?.mainContext.objectContext.statistics }

  /// What changes of the main store made live groups look at.
  public var groupStatistics: GroupStatistics { globals.store?.liveStore?.groupStatistics ?? GroupStatistics() }

  /// The number of rows that the program has written to the main store.
  public var changeCount: Int { globals.store?.changeCount ?? 0 }

  /// The rows that the main store's open transaction has changed; nil if they are not known.
  ///
  /// - Throws: StoreError.
  public func rowsTouchedByOpenTransaction() throws -> TouchedRows? {
    try globals.store?.objectStore.rowsTouchedByOpenTransaction()
  }

  /// Refreshes unchanged objects and notifies observers, after the program wrote to the main store without its
  /// contexts.
  ///
  /// - Throws: EndlessRounds.
  public func didWritePastContexts() throws {
    globals.store?.refreshAllObjects()
    try turns.followWrites()
  }
}
