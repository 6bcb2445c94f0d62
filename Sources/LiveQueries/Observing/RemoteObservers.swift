public import Modeling
public import Reactive
internal import Stores

/// The observers of other connections' commits.
///
/// In a store without a history, the observed tables are followed, so that the store can report which of their rows
/// others wrote: the tables of all entities, or of the entities that an observer names.
final class RemoteObservers {
  private struct Observer {
    var order: Int
    var name: String
    /// The observed root entities; nil for all.
    var entities: [Entity]?
    var body: (RemoteChange) -> Void
  }

  private let store: any ObjectStore
  private let turn: Turn
  private var observers: [Observer] = []

  init(_ store: any ObjectStore, _ turn: Turn) { (self.store, self.turn) = (store, turn) }

  var isEmpty: Bool { observers.isEmpty }

  func add(_ name: String, _ entities: [Entity]?, _ body: @escaping (RemoteChange) -> Void) -> ObservationToken {
    let order = turn.nextOrder()
    observers.append(Observer(order: order, name: name, entities: entities?.map(\.root), body: body))
    return ObservationToken { [weak self] in self?.observers.removeAll { $0.order == order } }
  }

  /// The tables to follow, so that every changed object is reported.
  var tables: Set<String> {
    observers.reduce(into: []) { $0.formUnion(tables(of: $1.entities ?? store.model.entities)) }
  }

  /// The tables of entities that observers name.
  var namedTables: Set<String> {
    observers.reduce(into: []) { $0.formUnion(tables(of: $1.entities ?? [])) }
  }

  private func tables(of roots: [Entity]) -> Set<String> {
    var tables: Set<String> = []
    for entity in store.model.entities where roots.contains(where: { $0 === entity.root }) {
      let layout = store.layout(of: entity)
      tables.insert(layout.table)
      for case .join(let join) in layout.properties { tables.insert(join.table) }
    }
    return tables
  }

  /// Calls observers in the turn's next round, each with the changes of its entities.
  func tell(_ touched: TouchedRows) {
    for observer in observers {
      guard let change = change(touched, for: observer) else { continue }
      turn.enqueue(order: observer.order, name: observer.name) { [weak self] in
        if self?.observers.contains(where: { $0.order == observer.order }) == true { observer.body(change) }
      }
    }
  }

  /// The change for an observer; nil if it concerns none of its entities.
  private func change(_ touched: TouchedRows, for observer: Observer) -> RemoteChange? {
    let roots = observer.entities ?? store.model.entities
    let own = Set(tables(of: roots).map { $0.lowercased() })
    let tables = touched.tables.filter { observer.entities == nil || own.contains($0.key) }
    var change = RemoteChange(
      entities: [], objectIDs: [], isComplete: touched.isComplete && !tables.values.contains(where: \.isUnknown),
      author: touched.author)
    var keys: [ObjectIdentifier: Set<Int64>] = [:]
    func add(_ entity: Entity, _ new: [Int64]) {
      if !change.entities.contains(where: { $0 === entity }) { change.entities.append(entity) }
      for key in new where keys[ObjectIdentifier(entity), default: []].insert(key).inserted {
        change.objectIDs.append(ObjectID(entity: entity, key: key))
      }
    }
    for table in tables.values.sorted(by: { $0.name < $1.name }) {
      if let entity = table.entity {
        add(entity, table.inserted + table.updated + table.deleted)
      } else {
        for (entity, keys) in ends(of: table) where roots.contains(where: { $0.root === entity }) { add(entity, keys) }
      }
    }
    return change.entities.isEmpty && change.isComplete ? nil : change
  }

  /// The objects at both ends of the pairs that were removed from or added to a join table.
  private func ends(of table: TouchedRows.Table) -> [(entity: Entity, keys: [Int64])] {
    var ends: [(entity: Entity, keys: [Int64])] = []
    for entity in store.model.entities {
      for case .join(let join) in store.layout(of: entity).properties
      where join.table.lowercased() == table.name.lowercased() && join.ownerTarget == .key {
        guard let column = join.ownerColumns.first?.lowercased() else { continue }
        let values = (table.formerReferences?[column] ?? []) + (table.presentReferences[column] ?? [])
        let keys = values.compactMap { if case .int(let key) = $0 { key } else { nil } }
        if !keys.isEmpty { ends.append((entity.root, keys.sorted())) }
      }
    }
    return ends
  }
}

extension LiveStore {
  /// Calls `body` with commits of other connections, of all entities or of some; `name` is the observer's name in
  /// messages.
  ///
  /// From now on the store reports which rows others write, even without a history.
  public func observeRemoteChanges(
    of entities: [Entity]? = nil, name: String = "store:on(\"remoteChange\")", _ body: @escaping (RemoteChange) -> Void
  ) -> ObservationToken {
    let token = remoteObservers.add(name, entities, body)
    if let watch = store.commitWatch { followTables(watch) }
    return token
  }
}
