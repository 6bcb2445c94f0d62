internal import Foundation
internal import LiveQueries
internal import Modeling
public import ObjectGraph
internal import Queries
internal import Reactive

/// The objects of a store in memory, with their unsaved changes.
///
///     let quake = Quake(context: context)
///     quake.place = "Temuco"
///     try context.save()
///
/// Observers and live results are notified at the end of a turn: `save`, `undo`, `redo`, `rollback` and
/// `processPendingChanges` each end one.
public final class ManagedObjectContext {
  /// The parent context; nil if the context saves into the store.
  public let parent: ManagedObjectContext?
  /// Called with the errors of reading properties; prints them to standard error by default.
  public var onError: (any Error) -> Void = { error in
    FileHandle.standardError.write(Data("\(error)\n".utf8))
  }

  let opened: OpenStore
  let base: ObjectContext
  let live: LiveContext
  private var instances: [ObjectIdentifier: Instances] = [:]
  /// The errors of assigned values, until `save` throws them.
  private var refusals: [any Error] = []
  private var following: ObservationToken?

  /// The instances of a table's objects, by their slots. They remove themselves when they are deallocated.
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

  /// Creates a context whose changes are saved into this one: a sheet that may be dismissed.
  public convenience init(parent: ManagedObjectContext) {
    self.init(parent.opened, ObjectContext(parent: parent.base), parent: parent)
  }

  // MARK: Changes

  /// Whether there are unsaved changes.
  public var hasChanges: Bool { base.hasChanges }
  /// Inserted objects without a row.
  public var insertedObjects: [ManagedObject] { base.insertedObjects.map { object($0) } }
  /// Objects with changed values.
  public var updatedObjects: [ManagedObject] { base.updatedObjects.map { object($0) } }
  /// Objects that the next save deletes.
  public var deletedObjects: [ManagedObject] { base.deletedObjects.map { object($0) } }

  /// Whether unchanged objects take the values that other contexts and programs save, at the end of each turn; initially
  /// true. Otherwise they keep theirs until they are refreshed, or fetched with `shouldRefreshRefetchedObjects`.
  public var automaticallyMergesChangesFromParent: Bool {
    get { base.automaticallyMergesChangesFromParent }
    set { base.automaticallyMergesChangesFromParent = newValue }
  }

  /// How a save resolves conflicts with the changes of others.
  public var mergePolicy: MergePolicy {
    get { base.mergePolicy }
    set { base.mergePolicy = newValue }
  }

  /// The author of the context's saves in the store's history.
  public var transactionAuthor: String? {
    get { base.transactionAuthor }
    set { base.transactionAuthor = newValue }
  }

  /// Saves all changes in one transaction, or into the parent, and notifies observers.
  ///
  /// - Throws: the error of a value that was assigned since the last save, which is then cleared; GraphError with every
  ///   violation or conflict, StoreError: then nothing is written. EndlessRounds if observers keep changing what they
  ///   observe.
  public func save() throws {
    opened.turn.joinTransaction()
    if let refusal = refusals.first {
      refusals = []
      throw refusal
    }
    try base.save()
    try processPendingChanges()
  }

  /// Discards all changes and the undo history.
  ///
  /// - Throws: EndlessRounds if observers keep changing what they observe.
  public func rollback() throws {
    opened.turn.joinTransaction()
    refusals = []
    base.rollback()
    try processPendingChanges()
  }

  /// Runs `body` and saves; if either throws, the changes of `body` are undone, and earlier ones stay.
  ///
  /// - Throws: the errors of `body` and `save`.
  public func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    opened.turn.joinTransaction()
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
  public func delete(_ object: ManagedObject) throws {
    opened.turn.joinTransaction()
    try object.handle.delete()
  }

  /// Makes the context read the object again; without `mergeChanges` its unsaved changes are discarded, or its unsaved
  /// deletion, with what the delete rules did.
  ///
  /// - Throws: GraphError for an object that is gone or whose deletion cannot be discarded alone, StoreError.
  public func refresh(_ object: ManagedObject, mergeChanges: Bool) throws {
    try object.handle.refresh(mergeChanges: mergeChanges)
  }

  /// Ends the turn: brings results and effects up to date and notifies observers. The changes since the last turn
  /// become one undo step.
  ///
  /// - Throws: EndlessRounds if observers keep changing what they observe.
  public func processPendingChanges() throws {
    base.closeUndoGroup()
    // Needed even without observers, so that objects show the changes of others.
    base.noticeRemoteWrites()
    try opened.turn.run()
  }

  // MARK: Undo

  /// Whether there is anything to undo.
  public var canUndo: Bool { base.canUndo }
  /// Whether there is anything to redo.
  public var canRedo: Bool { base.canRedo }

  /// The maximum number of turns to undo; initially 100.
  public var levelsOfUndo: Int {
    get { base.levelsOfUndo }
    set { base.levelsOfUndo = newValue }
  }

  /// Undoes the changes of the last turn, even after a save; returns false if there are none.
  ///
  /// - Throws: GraphError.undoTooLarge, StoreError, EndlessRounds.
  @discardableResult
  public func undo() throws -> Bool {
    opened.turn.joinTransaction()
    base.closeUndoGroup()
    let isDone = try base.undo()
    try opened.turn.run()
    return isDone
  }

  /// Redoes the changes that were undone last; returns false if there are none.
  ///
  /// - Throws: GraphError, StoreError, EndlessRounds.
  @discardableResult
  public func redo() throws -> Bool {
    opened.turn.joinTransaction()
    let isDone = try base.redo()
    try opened.turn.run()
    return isDone
  }

  // MARK: Objects

  /// Returns the object with an ID; nil if the store has no such row.
  ///
  /// - Throws: StoreError.
  public func existingObject(with id: ObjectID) throws -> ManagedObject? {
    try base.existingObject(id).map { object($0) }
  }

  /// Returns this context's object for an object of another context of the store, such as a sheet's.
  ///
  /// - Throws: StoreError.
  public func existing<Object: ManagedObject>(_ other: Object) throws -> Object? {
    try base.existingObject(other.objectID).map { object($0, as: Object.self) }
  }

  /// Inserts an object of a class. If it cannot be inserted, `save` throws the error, and the object is gone from the
  /// beginning.
  func insert(_ type: ManagedObject.Type) -> ObjectGraph.ManagedObject {
    opened.turn.joinTransaction()
    do { return try base.insert(opened.entity(of: type)) } catch {
      refuse(error)
      // Of an unknown class any entity serves: of an object that is gone nothing is read or written.
      guard let entity = (try? opened.entity(of: type)) ?? opened.store.model.entities.first else {
        preconditionFailure("the store's model has no entities")
      }
      return base.rejectedObject(of: entity)
    }
  }

  /// The instance of an object, of its entity's class.
  func object(_ handle: ObjectGraph.ManagedObject) -> ManagedObject { object(handle, as: ManagedObject.self) }

  /// The instance of an object.
  func object<Object: ManagedObject>(_ handle: ObjectGraph.ManagedObject, as type: Object.Type) -> Object {
    if let known = instances[ObjectIdentifier(handle.table)]?.bySlot[handle.slot]?.takeUnretainedValue() as? Object {
      return known
    }
    // Of a fault only an ancestor of its entity may be known; reading its row finds the entity.
    if !handle.entity.subentities.isEmpty, handle.isFault { _ = try? handle.exists() }
    let own = opened.type(of: handle.entity) as? Object.Type
    return (own ?? type).init(ObjectReference(context: self, handle: handle))
  }

  /// The instance of a to-one's destination; nil if its row was deleted.
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

  /// Begins to notify effects of changes to objects.
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

  /// Reports an error of reading.
  func report(_ error: any Error) { onError(error) }

  /// Keeps the error of an assigned value for `save`.
  func refuse(_ error: any Error) { refusals.append(error) }
}
