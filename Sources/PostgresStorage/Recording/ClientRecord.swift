import Layouts
import Modeling
import Postgres
import Stores

/// The record of a transaction of ours, written by the client on a server without the triggers that record.
///
/// Such a record has only our own writes, so that live results cannot rely on it, and it preserves no values of deleted
/// rows.
struct ClientRecord {
  private unowned let store: PostgresStore
  private let names: HistoryNames
  private(set) var entities: [String] = []
  private(set) var keys: [String?] = []
  private(set) var keyNames: [String?] = []
  private(set) var kinds: [Int64] = []
  private(set) var properties: [String?] = []

  /// The entity of each row in tables of several entities.
  private var entitiesOfRows: [ObjectID: Entity] = [:]

  init(_ log: CommitLog, _ store: PostgresStore, _ names: HistoryNames) throws {
    (self.store, self.names) = (store, names)
    try findEntities(log)
    for entry in log.entries {
      switch entry {
      case .inserted(let entity, let keys):
        for key in keys { add(entity, key, RecordedKind.insert, nil) }
      case .updated(let entity, let rows):
        for (row, key) in rows.keys.enumerated() {
          let changed = rows.columns.indices.filter { rows.isChanged(row, $0) }.map { rows.columns[$0] }
          addUpdate(entity, key, Set(changed))
        }
      case .deleted(let entity, let key, _): add(entity, key, RecordedKind.delete, nil)
      case .pair(let table, _, let ends), .reordered(let table, let ends): addPair(table, ends)
      case .ordered(let entity, let owner, let relationship): addUpdate(entity, owner, relationship)
      case .unknown: break
      }
    }
  }

  /// Finds the entities of the rows that the log knows by their tables.
  private mutating func findEntities(_ log: CommitLog) throws {
    var wanted: [Entity: Set<Int64>] = [:]
    for entry in log.entries {
      switch entry {
      case .updated(let entity, let rows): wanted[entity.root, default: []].formUnion(rows.keys)
      case .pair(let table, _, let ends), .reordered(let table, let ends):
        for (entity, _, owner) in owners(table, ends) { wanted[entity.root, default: []].insert(owner) }
      case .ordered(let entity, let owner, _): wanted[entity.root, default: []].insert(owner)
      case .deleted(let entity, let key, _): entitiesOfRows[ObjectID(entity: entity.root, key: key)] = entity
      case .inserted, .unknown: break
      }
    }
    for (root, keys) in wanted where root.family.count > 1 {
      let layout = store.layout(of: root)
      guard let key = layout.key.integerName, let discriminator = layout.discriminator?.column else { continue }
      let result = try store.pool.run(
        """
        SELECT \(name: key)::bigint, \(name: discriminator) FROM \(store.table(layout.table)) \
        WHERE \(name: key) = ANY(\(.ints(keys.sorted())))
        """)
      for row in 0..<result.rowCount where !result.isNull(row, 1) {
        let id = ObjectID(entity: root, key: result.int(row, 0))
        let name = result.text(row, 1)
        entitiesOfRows[id] = root.family.first { store.layout(of: $0).discriminator?.value == .string(name) }
      }
    }
  }

  private mutating func add(_ entity: Entity, _ key: Int64, _ kind: Int64, _ bits: String?) {
    guard let number = names.number(of: entity) else { return }
    entities.append("\(number)")
    if store.interner(of: entity) == nil {
      keys.append("\(key)")
      keyNames.append(nil)
    } else {
      keys.append(nil)
      keyNames.append(JSON.array(store.keyValues(of: entity, key: key).map { .string($0.displayText) }).text)
    }
    kinds.append(kind)
    properties.append(bits)
  }

  private func entity(_ entity: Entity, _ key: Int64) -> Entity {
    entitiesOfRows[ObjectID(entity: entity.root, key: key)] ?? entity
  }

  private mutating func addUpdate(_ entity: Entity, _ key: Int64, _ relationship: Int) {
    let entity = self.entity(entity, key)
    guard let position = names.position(of: relationship, in: entity) else { return }
    add(entity, key, RecordedKind.update, Self.bits([position]))
  }

  private mutating func addUpdate(_ entity: Entity, _ key: Int64, _ changed: Set<String>) {
    let entity = self.entity(entity, key)
    let layout = store.layout(of: entity)
    let positions = entity.properties.indices.filter { index in
      entity.properties[index].attribute?.isDerived != true
        && layout.properties[index].ownColumns.contains { changed.contains(layout.columns[$0].name.lowercased()) }
    }.compactMap { names.position(of: $0, in: entity) }
    if !positions.isEmpty { add(entity, key, RecordedKind.update, Self.bits(positions)) }
  }

  /// A pair is a change of the objects at both ends that have a property for it.
  private mutating func addPair(_ table: String, _ ends: [String: Value]) {
    for (entity, index, owner) in owners(table, ends) { addUpdate(entity, owner, index) }
  }

  /// The objects at the ends of a pair, and the relationships that it belongs to.
  private func owners(_ table: String, _ ends: [String: Value]) -> [(entity: Entity, relationship: Int, key: Int64)] {
    var found: [(entity: Entity, relationship: Int, key: Int64)] = []
    for entity in store.model.entities {
      let layout = store.layout(of: entity)
      for index in (entity.parent?.properties.count ?? 0)..<entity.properties.count {
        guard case .join(let join) = layout.properties[index], join.table == table, join.ownerTarget == .key,
          join.ownerColumns.count == 1, case .int(let owner)? = ends[join.ownerColumns[0]]
        else { continue }
        found.append((entity, index, owner))
      }
    }
    return found
  }

  private static func bits(_ positions: [Int]) -> String {
    let count = (positions.max() ?? 0) / RecordedChange.wordLength + 1
    var words = [Int64](repeating: 0, count: count)
    for position in positions {
      let (word, bit) = position.quotientAndRemainder(dividingBy: RecordedChange.wordLength)
      words[word] |= Int64(1) << Int64(bit)
    }
    return words.map(String.init).joined(separator: ",")
  }

  /// Writes the record of a transaction of ours on a server without triggers; called before its commit.
  static func write(_ log: CommitLog, _ store: PostgresStore) throws {
    guard let recording = store.recording, recording.isWrittenBySaves, recording.names.isOn else { return }
    let changes = try ClientRecord(log, store, recording.names)
    if !changes.kinds.isEmpty { try changes.write(to: recording) }
  }

  private func write(to recording: PostgresRecording) throws {
    let (books, info, number) = (recording.books, store.transactions.info, PostgresArgument.int(ClientKeys.next()))
    _ = try store.pool.run(
      """
      INSERT INTO \(raw: books.transaction) (tx, time, author, context, process, store) \
      VALUES (\(number), clock_timestamp(), \(info.author.map(PostgresArgument.text) ?? .null), \
      \(info.contextName.map(PostgresArgument.text) ?? .null), \(.int(recording.process)), \(.text(recording.store)))
      """)
    _ = try store.pool.run(
      """
      INSERT INTO \(raw: books.change) (tx, entity, key, names, kind, properties) \
      SELECT \(number), v.entity::integer, v.key::bigint, v.names::jsonb, v.kind, v.properties \
      FROM unnest(\(.texts(entities)), \(.texts(keys)), \(.texts(keyNames)), \
      \(.ints(kinds)), \(.texts(properties))) AS v(entity, key, names, kind, properties)
      """)
  }
}
