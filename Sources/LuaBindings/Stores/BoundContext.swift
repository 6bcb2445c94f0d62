internal import LiveQueries
internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Stores

/// A context in Lua: its entities and the classes of its objects.
final class BoundContext: Bound {
  static let luaName = "Context"
  var place: String { "context" }

  /// Unowned, because the engine outlives it; unsafe, because stores are also closed while the engine is being
  /// deallocated.
  unowned(unsafe) let engine: Engine
  let objectContext: ObjectContext
  /// The Lua state rather than the engine: rows are freed while the engine is being deallocated.
  private let lua: LuaState
  /// The number of bytes reported to Lua and not yet freed.
  private var accountedBytes = 0
  /// The store, which retains the context, and which is deallocated only after all its contexts.
  unowned let store: BoundStore
  /// The parent context; nil if the context saves into the store.
  let parent: BoundContext?
  /// Whether the program around the engine works in the context as well.
  let isShared: Bool
  /// Which objects the program refers to.
  private let formerReferences: ((ObjectTable) -> (Int32) -> Bool)?
  /// The existing entities, which retain the context and remove themselves. Not weak, because every call would pay for
  /// it.
  private var entities: [Entity: Unmanaged<BoundEntity>] = [:]
  private var classes: [Entity: ObjectClass] = [:]
  /// The Lua values of the objects of each table.
  private var known: [ObjectIdentifier: LuaWeakArray] = [:]
  /// The methods of each entity that the engine calls.
  var entityHooks: [Entity: EntityHooks] = [:]
  /// The functions that scripts registered for events of the context.
  var listeners: [ContextEvent: Listeners] = [:]
  /// The live results and observers of the context, if there are any.
  var liveContext: LiveContext?
  /// The lines of scripts that caused reads; nil if they are not recorded.
  private(set) var reads: ReadRecord?
  /// The objects that scripts track.
  private(set) lazy var objectSources = ObjectSources { [unowned self] object in
    let stack = engine.lua.stack
    stack.reserve(8)
    return (try? push(object, on: stack)).map { stack.popReference() }
  } observe: { [unowned self] body in
    live.observeObjects { body($0) }
  }
  /// Whether it saves automatically at the end of a turn.
  var autosaves = false
  /// The nesting depth of running `perform` blocks.
  var performDepth = 0

  init(_ store: BoundStore, parent: BoundContext? = nil, sharing shared: ObjectContext? = nil) {
    self.store = store
    self.parent = parent
    engine = store.engine
    (isShared, formerReferences) = (shared != nil, shared?.isReferenced)
    objectContext =
      shared ?? parent.map { ObjectContext(parent: $0.objectContext) } ?? ObjectContext(store: store.objectStore)
    lua = engine.lua
    if !isShared {
      objectContext.levelsOfUndo = Self.usualLevelsOfUndo
      // The rows of a program are none of its scripts' memory.
      objectContext.onMemory = { [unowned self] bytes in account(bytes) }
    }
    objectContext.onDerivedChange = { [unowned self] roots in
      for other in self.store.contexts where other !== self { other.objectContext.refreshDerivedValues(of: roots) }
    }
    objectContext.isReferenced = { [unowned self] table in isReferenced(table) }
    objectContext.onSave = { [unowned self] counts in
      self.store.wasSaved = true
      // The changes that a child context saves are written when its parent is saved.
      if self.parent == nil { engine.savedCounts.add(counts) }
    }
    objectContext.onTakeBack = { [unowned self] way, counts in
      if !counts.isEmpty { engine.takenBack.append((way, counts)) }
    }
    objectContext.hooks.willWrite = { [unowned self] rehearse in
      if self.parent == nil { try approve("save", { objectContext.unsavedCounts }, rehearsing: rehearse) }
      return try engine.host.willSave?(objectContext, rehearse)
    }
    if store.hasHooks { updateHooks() }
    if engine.reads.recordsLines { recordsReads = true }
    watchSlowReads()
  }

  /// Asks the program to approve a write. Before a question `rehearse` writes and takes it back, as what the store refuses is not
  /// asked about.
  ///
  /// - Throws: ScriptError if it does not approve; what `rehearse` throws.
  func approve(
    _ place: String, _ counts: () throws -> [Entity: WorkCounts], rehearsing rehearse: () throws -> Void = {}
  ) throws {
    if store.objectStore.isReadOnly { return }
    try engine.checkApproved(place) { try $0.changes(counts(), rehearse) }
  }

  /// Returns whether a slot of a table is referenced by Lua, or by the program.
  private func isReferenced(_ table: ObjectTable) -> (Int32) -> Bool {
    let isElsewhere = formerReferences?(table)
    guard let values = known[ObjectIdentifier(table)] else { return isElsewhere ?? { _ in false } }
    let stack = engine.lua.stack
    guard let isElsewhere else { return { slot in values.isAlive(Int(slot) + 1, on: stack) } }
    return { slot in isElsewhere(slot) || values.isAlive(Int(slot) + 1, on: stack) }
  }

  deinit {
    account(-accountedBytes)
    detach()
  }

  /// Ends all that the graph's context asks of this one: live results or the program may retain that.
  func detach() {
    objectContext.onMemory = nil
    objectContext.hooks = ObjectHooks()
    objectContext.isReferenced = formerReferences
    objectContext.onDerivedChange = nil
    objectContext.onSave = nil
    objectContext.onTakeBack = nil
    objectContext.onRead = nil
    objectContext.slowReadWatch = nil
  }

  /// Reports allocated or freed bytes of rows to Lua, for its memory limit.
  private func account(_ bytes: Int) {
    accountedBytes += bytes
    if !lua.isClosed { lua.accountExternalBytes(bytes) }
  }

  /// Whether neither Lua nor an observer needs the context; its references in Swift are not counted.
  ///
  /// Unsaved changes do not keep it: they are lost with a dropped context, as in Core Data.
  var isIdle: Bool {
    objectSources.forgetUnobserved()
    let stack = engine.lua.stack
    return performDepth == 0 && !wantsAutosave && !objectContext.isSaving && liveContext?.isFollowed != true
      && known.values.allSatisfy { $0.isEmpty(on: stack) }
  }

  /// Whether lines are recorded; turning it on starts a new record.
  var recordsReads: Bool {
    get { reads != nil }
    set {
      let reads = newValue ? ReadRecord() : nil
      self.reads = reads
      objectContext.onRead = reads.map { reads in { [lua = engine.lua] in reads.note($0, lua.stack) } }
      if newValue { objectContext.resetStatistics() }
    }
  }

  func summary() -> String {
    let changes = objectContext.changeCount
    return
      "context of \(store.objectStore.path), \(changes == 0 ? "no unsaved changes" : "\(ErrorReport.count(changes, "unsaved change"))")"
  }

  /// The entity in this context.
  func entity(_ entity: Entity) -> BoundEntity {
    if let known = entities[entity] { return known.takeUnretainedValue() }
    let new = BoundEntity(entity, self)
    entities[entity] = .passUnretained(new)
    return new
  }

  /// Removes an entity that is being deallocated.
  func forget(_ entity: Entity) { entities[entity] = nil }

  /// The entity with a name.
  ///
  /// - Throws: ScriptError with the nearest name.
  func entity(named name: String, _ place: @autoclosure () -> String) throws -> BoundEntity {
    let model = objectContext.store.model
    if let entity = model.entity(named: name) { return self.entity(entity) }
    throw ScriptError(
      place(), .unknownMember(name, of: "the model", nearest: nearest(name, model.entities.map(\.name))))
  }

  /// The Lua class of the objects of `entity` in this context.
  func objects(of entity: Entity) -> ObjectClass {
    if let known = classes[entity] { return known }
    let table = objectContext.table(for: entity)
    let array = known[ObjectIdentifier(table)] ?? LuaWeakArray(engine.lua)
    known[ObjectIdentifier(table)] = array
    let new = ObjectClass(entity, table, array, self)
    classes[entity] = new
    return new
  }

  /// Notifies the classes of `entity` and its subentities that a script added or removed a member.
  func memberChanged(_ name: String, of entity: Entity) {
    for (candidate, objects) in classes where candidate.isKind(of: entity) { objects.updateMember(name) }
    if EntityHooks.mayBe(name) { updateHooks() }
  }

  /// Records a read of an object.
  func noteRead(of object: ManagedObject) {
    if engine.tracking.flag.pointee { objectSources.access(object) }
  }

  var isClosed: Bool { store.isClosed }

  var isClosedFlag: UnsafePointer<Bool> { UnsafePointer(store.closedFlag) }

  func checkOpen(_ place: @autoclosure () -> String) throws {
    if isClosed { throw ScriptError(place(), .closed("store")) }
  }

  /// `context:save { author = , dryRun = }`
  func save(_ call: Call) throws -> ReturnValue {
    try checkOpen(call.place)
    try store.checkNoBatch(call.place)
    let options = try call.options(1, ["author", "dryRun"])
    let author = try options.string("author")
    engine.stores.forgetDropped()
    try objectContext.save(dryRun: try options.bool("dryRun") ?? false, author: author)
    return .nothing
  }

  static let members: [Member<BoundContext>] = [
    .method(
      "save", "context:save([{ author = , dryRun = }])",
      "Validates all changes, then writes them in one transaction.", sandbox: .allowed, example: "()"
    ) { call, context in
      try context.save(call)
    },
    .method("rollback", "context:rollback()", "Drops all unsaved changes.", sandbox: .allowed, example: "()") {
      call, context in
      try context.checkOpen(call.place)
      try context.objectContext.checkNotSaving()
      context.objectContext.rollback()
      return .nothing
    },
    .method(
      "reset", "context:reset()", "Drops all objects from the context, changed or not.", sandbox: .allowed,
      example: "()"
    ) { call, context in
      try context.checkOpen(call.place)
      try context.objectContext.checkNotSaving()
      context.objectContext.reset()
      return .nothing
    },
    .method(
      "processPendingChanges", "context:processPendingChanges()",
      "Ends the turn: notifies observers, and begins the next group to undo.", sandbox: .allowed, example: "()"
    ) { call, context in
      try context.checkOpen(call.place)
      try call.engine.turns.run()
      context.objectContext.closeUndoGroup()
      return .nothing
    },
    .method(
      "refreshAllObjects", "context:refreshAllObjects()",
      "Makes unchanged objects read their values again at the next use.", sandbox: .allowed, example: "()"
    ) { call, context in
      try context.checkOpen(call.place)
      context.objectContext.refreshAllObjects()
      return .nothing
    },
    .method(
      "transaction", "context:transaction(function) -> results",
      "Calls a function and saves; an error undoes its changes.", sandbox: .allowed,
      example: "(function() Quake:first().magnitude = 5 end)"
    ) { call, context in
      try context.transaction(call)
    },
    .method(
      "diff", "context:diff() -> { inserted = , updated = , deleted = }", "The unsaved changes as data.",
      sandbox: .allowed, example: "()"
    ) {
      call, context in
      try context.diff(call)
    },
    .property(
      "hasChanges", "context.hasChanges -> boolean", "Whether the context has unsaved changes.", sandbox: .allowed
    ) {
      call, context in
      .boolean(context.objectContext.hasChanges)
    },
    .property(
      "insertedObjects", "context.insertedObjects -> list", "The objects that are new and unsaved.", sandbox: .allowed
    ) {
      call, context in
      .pushing { try context.push(context.objectContext.insertedObjects, on: $0) }
    },
    .property(
      "updatedObjects", "context.updatedObjects -> list", "The objects with unsaved changes.", sandbox: .allowed
    ) {
      call, context in
      .pushing { try context.push(context.objectContext.updatedObjects, on: $0) }
    },
    .property(
      "deletedObjects", "context.deletedObjects -> list", "The objects that the next save deletes.", sandbox: .allowed
    ) {
      call, context in
      .pushing { try context.push(context.objectContext.deletedObjects, on: $0) }
    },
    .property(
      "entities", "context.entities.Name -> entity", "The entities in this context, by name.", sandbox: .allowed
    ) {
      call, context in
      .object(EntityList(context))
    },
    .property("store", "context.store -> store", "The store of the context.", sandbox: .allowed) { call, context in
      .object(context.store)
    },
  ]

  private func transaction(_ call: Call) throws -> ReturnValue {
    try checkOpen(call.place)
    try store.checkNoBatch(call.place)
    _ = try call.function(1)
    var answer = ReturnValue.nothing
    try objectContext.transaction {
      answer = try call.results(of: 1)
      try checkOpen(call.place)
    }
    return answer
  }
}

extension BoundContext {
  static func luaClass(of engine: Engine) -> LuaClass<BoundContext> {
    engine.classes.make(BoundContext.self, keepsIdentity: true, bytes: 12 << 10)
  }
}
