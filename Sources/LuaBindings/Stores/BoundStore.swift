internal import LiveQueries
internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Reactive
internal import Stores

/// A store in Lua, with its main context and the members that scripts added to its entities.
final class BoundStore: Bound {
  static let luaName = "Store"
  var place: String { "store" }

  /// Unowned, because the engine outlives it; unsafe, because stores are also closed while the engine is being
  /// deallocated.
  unowned(unsafe) let engine: Engine
  let objectStore: any OpenedStore
  /// What the program around the engine shares; nil for a store that the engine has opened.
  let shared: SharedStore?
  private let formerInterruption: FormerInterruption?
  /// The main context, which `contexts` holds to the end. Not weak: every call would pay for its side table.
  private unowned(unsafe) var knownMainContext: BoundContext?
  /// Whether the store is closed, for a fast test by objects.
  let closedFlag: UnsafeMutablePointer<Bool>
  private var members: [Entity: EntityMembers] = [:]
  /// The main context, and those that are in use; see `forgetDroppedContexts`.
  private(set) var contexts: [BoundContext] = []
  /// The number of contexts at which creating one releases the dropped ones.
  private var sweepCount = 16
  /// The running migration of which the store is the new side.
  var migration: Migration?
  /// Whether the store is one side of a migration, which needs its connection to the end.
  var isBeingMigrated = false
  /// Whether it is, or was, the store of the globals: the program that embeds the engine may go back to it.
  var wasMain = false
  /// Whether a script's iterator is supplying rows to a batch insert: no other write may join its transaction.
  var isInBatch = false
  /// The object that follows the store's changes; nil before its first use.
  var liveStore: LiveStore?
  /// The store's `writeCount` when objects and observers were last brought up to date.
  var followedWriteCount: Int64
  /// Whether a context was saved since then, possibly into its parent, which writes no row.
  var wasSaved = false
  /// The number of written rows when live results were last updated within a dry run.
  var uncommittedCount: Int?
  /// Whether the user was warned that another file has replaced the store's file.
  var isMoveTold = false
  /// The token of the loop source that looks for commits of other connections.
  var liveSource: Reactive.ObservationToken?
  /// What ends observers with callbacks, which these functions keep alive.
  var observerEnds: [ObjectIdentifier: () -> Void] = [:]

  /// What compares hidden properties; nil where there are none.
  var hiddenLookUp: HiddenLookUp?

  /// Counts, in a profile, the statements of each script line.
  private let trace: StatementTrace?

  init(_ engine: Engine, _ store: any OpenedStore, sharing shared: SharedStore? = nil) {
    self.engine = engine
    objectStore = store
    self.shared = shared
    formerInterruption = shared.map { FormerInterruption(of: $0.store) }
    followedWriteCount = store.writeCount
    trace =
      engine.reads.isProfiling
      ? store.trace { [lua = engine.lua] sql, seconds in
        if !StatementTrace.isBookkeeping(sql) { lua.profileQuery(seconds: seconds) }
      } : nil
    closedFlag = .allocate(capacity: 1)
    closedFlag.initialize(to: false)
    store.isInterrupted = { [lua = engine.lua, weak engine] in
      engine?.host.onWait?()
      return lua.isClosed || lua.isInterrupted
    }
  }

  deinit { closedFlag.deallocate() }

  var isClosed: Bool { closedFlag.pointee }

  func summary() -> String { "store \(objectStore.path) (\(objectStore.kind.rawValue))" }

  func checkNoBatch(_ place: @autoclosure () -> String) throws {
    if isInBatch { throw ScriptError(place(), .other("the rows of a batch insert are being read; save afterwards")) }
  }

  /// The methods and computed properties that scripts added to `entity`.
  func members(of entity: Entity) -> EntityMembers {
    if let known = members[entity] { return known }
    let new = EntityMembers()
    members[entity] = new
    return new
  }

  /// The function of a computed property of an entity or an ancestor; nil if the model has a property with the name.
  func computed(_ name: String, of entity: Entity) -> LuaReference? {
    guard entity.property(named: name) == nil else { return nil }
    var next: Entity? = entity
    while let current = next {
      if let function = members(of: current).computed[name] { return function }
      next = current.parent
    }
    return nil
  }

  /// Whether scripts defined methods that the engine calls.
  var hasHooks: Bool { members.values.contains { $0.methods.keys.contains(where: EntityHooks.mayBe) } }

  /// Creates another context of the store.
  func newContext(parent: BoundContext? = nil, sharing shared: ObjectContext? = nil) -> BoundContext {
    if contexts.count >= sweepCount {
      engine.stores.forgetDropped()
      sweepCount = max(16, contexts.count * 2)
    }
    let context = BoundContext(self, parent: parent, sharing: shared)
    contexts.append(context)
    return context
  }

  /// The context of the entity globals.
  var mainContext: BoundContext {
    if let knownMainContext { return knownMainContext }
    let new = newContext(sharing: shared?.context)
    knownMainContext = new
    return new
  }

  /// Releases the contexts without other references, without objects in Lua, and without observers.
  func forgetDroppedContexts() {
    guard contexts.count > 1 else { return }
    // Backwards, because children, which retain their parents, follow them.
    for index in contexts.indices.reversed() {
      let isMain = contexts[index] === knownMainContext
      if isMain || !isDropped(at: index) { continue }
      if let reads = contexts[index].reads { engine.reads.ofDroppedContexts.add(reads) }
      contexts.remove(at: index)
    }
  }

  /// Whether only the list retains a context, and nothing needs it.
  private func isDropped(at index: Int) -> Bool {
    isKnownUniquelyReferenced(&contexts[index]) && contexts[index].isIdle
  }

  /// Whether nothing refers to any of the contexts.
  var hasOnlyDroppedContexts: Bool {
    forgetDroppedContexts()
    guard contexts.count == 1 else { return contexts.isEmpty }
    return isDropped(at: 0)
  }

  /// Notifies every context's classes of a member that a script added to `entity` or removed.
  func memberChanged(_ name: String, of entity: Entity) {
    for context in contexts { context.memberChanged(name, of: entity) }
  }

  /// The number of objects with unsaved changes, in all contexts.
  var unsavedChangeCount: Int { isClosed ? 0 : contexts.reduce(0) { $0 + $1.objectContext.changeCount } }

  /// Closes the store; unsaved changes are lost, and its objects can no longer be read.
  func close() {
    guard !isClosed, !isBeingMigrated else { return }
    engine.stores.forgetDropped()
    end()
  }

  /// Closes the store, also one that is being migrated.
  func end() {
    retire()
    hiddenLookUp?.close()
    if let formerInterruption { return formerInterruption.restore() }
    objectStore.close()
  }

  /// Whether neither Lua nor an observer needs the store; its references in Swift are not counted.
  ///
  /// Unsaved changes keep it: what ends the run says how many there are.
  var isIdle: Bool {
    !wasMain && !isBeingMigrated && !isInBatch && observerEnds.isEmpty && liveStore?.isFollowed != true
      && unsavedChangeCount == 0 && hasOnlyDroppedContexts
  }

  /// Makes every value of the store that scripts hold report that the store is closed, and frees the objects' memory.
  func retire() {
    stopLive()
    closedFlag.pointee = true
    engine.stores.retire(self)
    engine.globals.forget(self)
    for context in contexts {
      if context.isShared { context.detach() } else { context.objectContext.reset() }
      context.objectSources.forgetAll()
    }
  }

  /// Stops all live results: they keep their rows, and observers are not called again.
  private func stopLive() {
    liveSource?.cancel()
    if shared == nil { liveStore?.stop() }
    liveStore = nil
    for end in observerEnds.values { end() }
    for context in contexts { context.liveContext = nil }
  }

  /// Brings the unchanged objects of all contexts up to date with writes that bypassed the contexts.
  func noticeRemoteWrites() {
    guard !isClosed else { return }
    for context in contexts { context.objectContext.noticeRemoteWrites() }
  }

  /// Rereads the unchanged objects of all contexts, after rows were written without the contexts.
  func refreshAllObjects() {
    for context in contexts { context.objectContext.refreshAllObjects() }
  }

  /// Removes the objects whose rows a batch request deleted from all contexts.
  func forgetDeletedRows() {
    for context in contexts { context.objectContext.forgetDeletedRows() }
  }

  func checkOpen(_ call: Call) throws {
    if isClosed { throw call.fail(.closed("store")) }
  }

  /// Throws for a store that the program around the engine has open.
  func checkOwn(_ place: String) throws {
    if shared != nil { throw ScriptError(place, .other("the store belongs to the program, which closes it")) }
  }

  /// Throws while one of the contexts is being saved.
  func checkNotSaving() throws {
    for context in contexts { try context.objectContext.checkNotSaving() }
  }
}

extension BoundStore {
  /// How many rows the connection has written so far.
  var changeCount: Int { Int(objectStore.changeCount) }
}

extension BoundStore {
  static func luaClass(of engine: Engine) -> LuaClass<BoundStore> {
    engine.classes.make(BoundStore.self, keepsIdentity: true) { definition in
      definition.close { store in
        try store.checkOwn("store")
        try store.checkNotSaving()
        store.close()
      }
    }
  }
}
