internal import Foundation
internal import LiveQueries
internal import Modeling
public import ObjectGraph
internal import Queries
internal import Reactive

/// Objects of a store as they are in memory, with the changes that are not saved yet.
///
///     let quake = try Quake(context: context)
///     quake.place = "Temuco"
///     try context.save()
///
/// Observers and live results are told at the end of a turn: `save`, `undo`, `redo` and `rollback` end one, and
/// `processPendingChanges` does nothing else.
public final class ManagedObjectContext {
  /// The context that this one saves into; nil if it saves into the store.
  public let parent: ManagedObjectContext?
  /// Called with what went wrong where a property was read; prints it to standard error if nothing else is said.
  public var onError: (any Error) -> Void = { error in
    FileHandle.standardError.write(Data("\(error)\n".utf8))
  }

  let opened: OpenStore
  let base: ObjectContext
  let live: LiveContext
  private var instances: [ObjectIdentifier: Instances] = [:]
  /// What was wrong with values that were set, until `save` has said so.
  private var refusals: [any Error] = []
  private var following: ObservationToken?

  /// The instances of a table's objects, by their slots. They take themselves out when they end.
  private final class Instances {
    var bySlot: [Int32: Unmanaged<ManagedObject>] = [:]
  }

  init(_ opened: OpenStore, _ base: ObjectContext, parent: ManagedObjectContext? = nil) {
    self.opened = opened
    self.base = base
    self.parent = parent
    live = opened.live.context(base)
    base.levelsOfUndo = 100
    base.face = self
    base.isReferenced = { [unowned self] table in
      let instances = instances[ObjectIdentifier(table)]
      return { slot in instances?.bySlot[slot] != nil }
    }
  }

  deinit { following?.cancel() }

  /// A context whose changes are saved into this one: a sheet that may be dismissed.
  public convenience init(parent: ManagedObjectContext) {
    self.init(parent.opened, ObjectContext(parent: parent.base), parent: parent)
  }

  // MARK: Changes

  /// Whether the next save has anything to write.
  public var hasChanges: Bool { base.hasChanges }
  /// Inserted objects without a row.
  public var insertedObjects: [ManagedObject] { base.insertedObjects.map { object($0) } }
  /// Objects with changed values.
  public var updatedObjects: [ManagedObject] { base.updatedObjects.map { object($0) } }
  /// Objects that the next save takes away.
  public var deletedObjects: [ManagedObject] { base.deletedObjects.map { object($0) } }

  /// How a save resolves conflicts with what others wrote.
  public var mergePolicy: MergePolicy {
    get { base.mergePolicy }
    set { base.mergePolicy = newValue }
  }

  /// The author of the context's saves in the store's history.
  public var transactionAuthor: String? {
    get { base.transactionAuthor }
    set { base.transactionAuthor = newValue }
  }

  /// Saves all changes in one transaction, into the parent where there is one, and tells observers.
  ///
  /// - Throws: what was wrong with a value that was set since the last save, which is then forgotten; GraphError with every
  ///   violation or conflict, StoreError: nothing is written then. EndlessRounds if observers go on changing what they observe.
  public func save() throws {
    if let refusal = refusals.first {
      refusals = []
      throw refusal
    }
    try base.save()
    try processPendingChanges()
  }

  /// Forgets all changes and what could be undone.
  ///
  /// - Throws: EndlessRounds if observers go on changing what they observe.
  public func rollback() throws {
    refusals = []
    base.rollback()
    try processPendingChanges()
  }

  /// Runs `body` and saves; if either throws, the changes of `body` are undone, and earlier ones stay.
  ///
  /// - Throws: what `body` and `save` throw.
  public func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    let result = try base.transaction {
      let result = try body()
      if let refusal = refusals.first {
        refusals = []
        throw refusal
      }
      return result
    }
    try processPendingChanges()
    return result
  }

  /// Deletes an object, by the delete rules of its relationships.
  ///
  /// - Throws: GraphError, such as .readOnlyEntity; StoreError.
  public func delete(_ object: ManagedObject) throws { try object.handle.delete() }

  /// Has the object read again; without `mergeChanges` its unsaved changes are forgotten.
  ///
  /// - Throws: GraphError for an object that is gone, StoreError.
  public func refresh(_ object: ManagedObject, mergeChanges: Bool) throws {
    try object.handle.refresh(mergeChanges: mergeChanges)
  }

  /// Ends the turn: results and effects are brought up to date, observers are told, and what was changed since the last turn
  /// is one step of undo.
  ///
  /// - Throws: EndlessRounds if observers go on changing what they observe.
  public func processPendingChanges() throws {
    base.closeUndoGroup()
    // Also where nothing is followed: objects show what others wrote.
    base.noticeForeignWrites()
    try opened.turn.run()
  }

  // MARK: Undo

  /// Whether there is anything to undo.
  public var canUndo: Bool { base.canUndo }
  /// Whether there is anything to redo.
  public var canRedo: Bool { base.canRedo }

  /// How many turns can be undone; 100 at first.
  public var levelsOfUndo: Int {
    get { base.levelsOfUndo }
    set { base.levelsOfUndo = newValue }
  }

  /// Undoes what was changed in the last turn, also after a save; false if there is nothing.
  ///
  /// - Throws: GraphError.undoTooLarge, StoreError, EndlessRounds.
  @discardableResult
  public func undo() throws -> Bool {
    base.closeUndoGroup()
    let isDone = try base.undo()
    try opened.turn.run()
    return isDone
  }

  /// Does again what was undone last; false if there is nothing.
  ///
  /// - Throws: GraphError, StoreError, EndlessRounds.
  @discardableResult
  public func redo() throws -> Bool {
    let isDone = try base.redo()
    try opened.turn.run()
    return isDone
  }

  // MARK: Objects

  /// The object with an ID; nil where the store has no such row.
  ///
  /// - Throws: StoreError.
  public func existingObject(with id: ObjectID) throws -> ManagedObject? {
    try base.existingObject(id).map { object($0) }
  }

  /// The same object here as one of another context of the store: in a sheet, or back.
  ///
  /// - Throws: StoreError.
  public func existing<Object: ManagedObject>(_ other: Object) throws -> Object? {
    try base.existingObject(other.objectID).map { object($0, as: Object.self) }
  }

  /// Inserts an object of a class.
  func insert(_ type: ManagedObject.Type) throws -> ObjectGraph.ManagedObject {
    try base.insert(opened.entity(of: type))
  }

  /// The instance of an object, of the class of its entity.
  func object(_ handle: ObjectGraph.ManagedObject) -> ManagedObject { object(handle, as: ManagedObject.self) }

  /// The instance of an object.
  func object<Object: ManagedObject>(_ handle: ObjectGraph.ManagedObject, as type: Object.Type) -> Object {
    if let known = instances[ObjectIdentifier(handle.table)]?.bySlot[handle.slot]?.takeUnretainedValue() as? Object {
      return known
    }
    // Of a fault only an ancestor of its entity may be known; its row says more.
    if !handle.entity.subentities.isEmpty, handle.isFault { _ = try? handle.exists() }
    let own = opened.type(of: handle.entity) as? Object.Type
    return (own ?? type).init(ObjectReference(context: self, handle: handle))
  }

  /// The instance of an object that a to-one leads to; nil where its row is gone.
  func existing<Object: ManagedObject>(_ handle: ObjectGraph.ManagedObject, as type: Object.Type) throws -> Object? {
    try handle.exists() ? object(handle, as: type) : nil
  }

  func note(_ object: ManagedObject) {
    let table = ObjectIdentifier(object.handle.table)
    if instances[table] == nil { instances[table] = Instances() }
    instances[table]?.bySlot[object.handle.slot] = Unmanaged.passUnretained(object)
  }

  func forget(_ object: ManagedObject) {
    let instances = instances[ObjectIdentifier(object.handle.table)]
    guard instances?.bySlot[object.handle.slot]?.toOpaque() == Unmanaged.passUnretained(object).toOpaque() else {
      return
    }
    instances?.bySlot[object.handle.slot] = nil
  }

  // MARK: Telling

  /// Has objects tell effects of changes from now on.
  func followObjects() {
    guard following == nil else { return }
    following = live.observeObjects(name: "objects") { [weak self] changes in self?.tell(changes) }
  }

  private func tell(_ changes: ObjectChanges) {
    guard changes.isComplete else {
      let all = instances.values.flatMap(\.bySlot.values).map { $0.takeUnretainedValue() }
      for object in all { object.didChange() }
      return
    }
    for change in changes.changes {
      let handle = change.object
      instances[ObjectIdentifier(handle.table)]?.bySlot[handle.slot]?.takeUnretainedValue().didChange()
    }
  }

  /// Tells of what could not be read.
  func report(_ error: any Error) { onError(error) }

  /// Keeps what was wrong with a value that was set, for `save`.
  func refuse(_ error: any Error) { refusals.append(error) }
}
