public import Modeling
public import ObjectGraph
public import Queries
public import Reactive
internal import Stores

/// The observers of a context's objects: of one entity, of all entities, or of one object's value.
final class ObjectObservers {
  private unowned let context: LiveContext
  private var entities: [EntityObserver] = []
  private var everything: [ContextObserver] = []
  private var values: [ValueObserver] = []
  private var followers: [ObjectIdentifier: EntityFollower] = [:]

  private struct EntityObserver {
    var order: Int
    var name: String
    var entity: Entity
    var kinds: Set<ObjectChange.Kind>
    var body: (ObjectChange) -> Void
  }

  private struct ContextObserver {
    var order: Int
    var name: String
    var body: (ObjectChanges) -> Void
  }

  init(_ context: LiveContext) { self.context = context }

  var isEmpty: Bool { entities.isEmpty && everything.isEmpty && values.isEmpty }

  /// The tables of the observed objects, in lower case.
  var tables: Set<String> {
    let store = context.liveStore.store
    return values.reduce(into: Set(followers.values.map(\.table))) { $0.formUnion($1.tables(in: store)) }
  }

  private var turn: Turn { context.liveStore.turn }

  // MARK: Membership

  func observe(
    _ entity: Entity, _ kinds: Set<ObjectChange.Kind>, name: String?, _ body: @escaping (ObjectChange) -> Void
  ) -> ObservationToken {
    let order = turn.nextOrder()
    follow(entity.root)
    let name = name ?? "\(entity.name):on"
    entities.append(EntityObserver(order: order, name: name, entity: entity, kinds: kinds, body: body))
    return token { $0.entities.removeAll { $0.order == order } }
  }

  func observeEverything(name: String?, _ body: @escaping (ObjectChanges) -> Void) -> ObservationToken {
    let order = turn.nextOrder()
    for entity in context.liveStore.store.model.entities where entity.parent == nil { follow(entity) }
    everything.append(ContextObserver(order: order, name: name ?? "context:on", body: body))
    return token { $0.everything.removeAll { $0.order == order } }
  }

  func observe(
    _ object: ManagedObject, _ expression: Queries.Expression, name: String?,
    _ body: @escaping (Value, Value, ObjectChange) -> Void
  ) throws -> ObservationToken {
    let order = turn.nextOrder()
    let observer = try ValueObserver(order: order, name: name, object, expression, body)
    begin()
    values.append(observer)
    return token { $0.values.removeAll { $0.order == order } }
  }

  private func token(_ remove: @escaping (ObjectObservers) -> Void) -> ObservationToken {
    // Observation keeps the context alive.
    ObservationToken { [context] in
      remove(context.objects)
      context.objects.forgetIdleFollowers()
      context.observationEnded()
    }
  }

  private func begin() { context.observationBegan() }

  private func follow(_ root: Entity) {
    begin()
    guard followers[ObjectIdentifier(root)] == nil else { return }
    var follower = EntityFollower(root, context.liveStore.store)
    // Changes that are pending already are not reported.
    _ = follower.events(RoundChanges.begin, in: context.context)
    followers[ObjectIdentifier(root)] = follower
  }

  /// Ends all observations.
  func close() {
    entities = []
    everything = []
    values = []
    followers = [:]
  }

  private func forgetIdleFollowers() {
    guard everything.isEmpty else { return }
    let used = Set(entities.map { ObjectIdentifier($0.entity.root) })
    followers = followers.filter { used.contains($0.key) }
  }

  // MARK: Changes

  func update(_ round: RoundChanges) {
    var changes = ObjectChanges()
    let isUnknown = followers.values.contains { round.touched.tables[$0.table]?.isUnknown == true }
    changes.isComplete = round.touched.isComplete && !isUnknown
    for id in followers.keys.sorted(by: { name($0) < name($1) }) {
      let before = followers[id]?.reported ?? []
      guard let events = followers[id]?.events(round, in: context.context), let root = followers[id]?.root else {
        continue
      }
      let updated = wantsFormerValues(of: root) ? events.filter { $0.kind == .update }.map(\.key) : []
      let former =
        updated.isEmpty
        ? nil
        : FormerValues(
          round, of: root, updated, before: before, after: followers[id]?.reported ?? [], in: context.context)
      let gone = events.filter { $0.kind == .delete }.map { ObjectID(entity: root, key: $0.key) }
      var deleted = context.context.deletedObjects(gone).makeIterator()
      for event in events {
        let object = event.kind == .delete ? deleted.next() : nil
        changes.changes.append(
          ObjectChange(
            kind: event.kind, object: object ?? context.context.object(ObjectID(entity: root, key: event.key)),
            cause: round.kind, transaction: round.transaction, author: round.touched.author,
            former: event.kind == .update ? former : nil))
      }
    }
    tell(changes)
    for observer in values where observer.concerns(round, context.liveStore.store) {
      do {
        let found = try observer.next(round, in: context.context)
        observer.hasFailed = false
        guard let (new, old) = found else { continue }
        let change = ObjectChange(
          kind: .update, object: context.context.object(observer.id), cause: round.kind,
          transaction: round.transaction, author: round.touched.author)
        turn.enqueue(order: observer.order, name: observer.name) { [weak self] in
          guard self?.values.contains(where: { $0 === observer }) == true else { return }
          observer.body(new, old, change)
        }
      } catch {
        // Reported once; each turn tries again.
        if !observer.hasFailed { context.liveStore.onError(UpdateFailure(name: observer.name, reason: error)) }
        observer.hasFailed = true
      }
    }
  }

  private func wantsFormerValues(of root: Entity) -> Bool {
    entities.contains { $0.entity.root === root && $0.kinds.contains(.update) }
  }

  private func name(_ id: ObjectIdentifier) -> String { followers[id]?.root.name ?? "" }

  private func tell(_ changes: ObjectChanges) {
    for observer in entities {
      let wanted = changes.changes.filter { observer.kinds.contains($0.kind) && isKind($0, of: observer.entity) }
      guard !wanted.isEmpty else { continue }
      turn.enqueue(order: observer.order, name: observer.name) { [weak self] in
        for change in wanted {
          // An earlier call may have ended this observation.
          guard self?.entities.contains(where: { $0.order == observer.order }) == true else { return }
          observer.body(change)
        }
      }
    }
    guard !changes.changes.isEmpty || !changes.isComplete else { return }
    for observer in everything {
      turn.enqueue(order: observer.order, name: observer.name) { [weak self] in
        guard self?.everything.contains(where: { $0.order == observer.order }) == true else { return }
        observer.body(changes)
      }
    }
  }

  private func isKind(_ change: ObjectChange, of entity: Entity) -> Bool {
    guard change.object.entity.root === entity.root else { return false }
    if entity.parent == nil { return true }
    if change.kind == .delete { return change.object.entity.isKind(of: entity) }
    // Of a fault only an ancestor of its entity may be known; reading its row finds the entity.
    _ = try? change.object.exists()
    return context.context.object(change.object.objectID).entity.isKind(of: entity)
  }
}

extension RoundChanges {
  /// A round without changes.
  static var begin: RoundChanges {
    RoundChanges(
      touched: TouchedRows(), settled: [], commits: RoundCommits([]), isRemote: false, transaction: Transaction())
  }
}

extension LiveContext {
  /// Calls `body` for each object of an entity that is inserted, updated or deleted, saved or not, by any writer.
  ///
  /// A change that was reported unsaved is not reported again when it is saved; a rollback is reported as the reverse
  /// change. `name` is the observer's name in messages.
  public func observe(
    _ entity: Entity, _ kinds: Set<ObjectChange.Kind> = Set(ObjectChange.Kind.allCases), name: String? = nil,
    _ body: @escaping (ObjectChange) -> Void
  ) -> ObservationToken {
    objects.observe(entity, kinds, name: name, body)
  }

  /// Calls `body` once a turn with all changes of objects.
  public func observeObjects(name: String? = nil, _ body: @escaping (ObjectChanges) -> Void) -> ObservationToken {
    objects.observeEverything(name: name, body)
  }

  /// Calls `body` with the new and old value of an expression, such as a key path, whenever it changes.
  ///
  /// - Throws: PredicateError for names that the model does not have.
  public func observe(
    _ object: ManagedObject, _ expression: Queries.Expression, name: String? = nil,
    _ body: @escaping (Value, Value) -> Void
  ) throws -> ObservationToken {
    try objects.observe(object, expression, name: name) { new, old, _ in body(new, old) }
  }

  /// Does the same, and passes the cause of the change.
  ///
  /// - Throws: PredicateError for names that the model does not have.
  public func observe(
    _ object: ManagedObject, _ expression: Queries.Expression, name: String? = nil,
    _ body: @escaping (Value, Value, ObjectChange) -> Void
  ) throws -> ObservationToken {
    try objects.observe(object, expression, name: name, body)
  }
}
