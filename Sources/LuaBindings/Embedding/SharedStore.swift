public import LiveQueries
public import ObjectGraph
public import Stores

/// A store that the program around the engine has open, and shares with scripts: its context and its live results.
///
///     try engine.use(SharedStore(store: store, context: context, live: live))
///
/// Scripts see the objects of the program, with their unsaved changes, and each side notifies the observers of the other. The store
/// stays open when the engine closes.
public struct SharedStore {
  /// The store.
  public let store: any OpenedStore
  /// The context behind the entity globals.
  public let context: ObjectContext
  /// What passes the store's changes on to observers.
  public let live: LiveStore

  /// Creates a shared store.
  public init(store: any OpenedStore, context: ObjectContext, live: LiveStore) {
    (self.store, self.context, self.live) = (store, context, live)
  }
}

extension Engine {
  /// Makes a store of the program the one of the globals. It is called once, before anything runs.
  public func use(_ shared: SharedStore) {
    adopt(shared.live.turn)
    globals.use(stores.add(shared))
  }
}

/// What a shared store asks whether to stop, before it was shared.
struct FormerInterruption {
  private let store: any OpenedStore
  private let isInterrupted: () -> Bool

  init(of store: any OpenedStore) { (self.store, isInterrupted) = (store, store.isInterrupted) }

  func restore() { store.isInterrupted = isInterrupted }
}
