import Layouts
import Modeling
import Postgres
import Records
import Storage

/// What a transaction of ours has written, as the rows of the record, for a server without the triggers that record.
///
/// Only writers of ours are in such a record, so that live results cannot rely on it, and nothing is preserved of what is deleted.
struct SavedChanges {
  private struct Object: Hashable {
    let entity: Int
    let key: Int64
    let names: String?
  }

  private unowned let store: PostgresStore
  private let names: HistoryNames
  private(set) var entities: [String] = []
  private(set) var keys: [String?] = []
  private(set) var keyNames: [String?] = []
  private(set) var kinds: [Int64] = []
  private(set) var properties: [String?] = []

  init(_ log: CommitLog, _ store: PostgresStore, _ names: HistoryNames) {
    (self.store, self.names) = (store, names)
    for entry in log.entries {
      switch entry {
      case .inserted(let entity, let keys):
        for key in keys { add(entity, key, HistoryTables.Kind.insert, nil) }
      case .updated(let entity, let rows):
        for (row, key) in rows.keys.enumerated() {
          let changed = rows.columns.indices.filter { rows.isChanged(row, $0) }.map { rows.columns[$0] }
          addUpdate(entity, key, Set(changed))
        }
      case .deleted(let entity, let key, _): add(entity, key, HistoryTables.Kind.delete, nil)
      case .pair(let table, _, let ends): addPair(table, ends)
      default: break
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

  private mutating func addUpdate(_ entity: Entity, _ key: Int64, _ changed: Set<String>) {
    let layout = store.layout(of: entity)
    let positions = entity.properties.indices.filter { index in
      entity.properties[index].attribute?.isDerived != true
        && layout.properties[index].ownColumns.contains { changed.contains(layout.columns[$0].name.lowercased()) }
    }.compactMap { names.position(of: $0, in: entity) }
    if !positions.isEmpty { add(entity, key, HistoryTables.Kind.update, Self.bits(positions)) }
  }

  /// A pair is a change of the objects at both ends that have a property for it.
  private mutating func addPair(_ table: String, _ ends: [String: Value]) {
    for entity in store.model.entities {
      let layout = store.layout(of: entity)
      for index in (entity.parent?.properties.count ?? 0)..<entity.properties.count {
        guard case .join(let join) = layout.properties[index], join.table == table, join.ownerTarget == .key,
          join.ownerColumns.count == 1, case .int(let owner)? = ends[join.ownerColumns[0]],
          let position = names.position(of: index, in: entity)
        else { continue }
        add(entity, owner, HistoryTables.Kind.update, Self.bits([position]))
      }
    }
  }

  private static func bits(_ positions: [Int]) -> String {
    let count = (positions.max() ?? 0) / HistoryTriggers.wordLength + 1
    var words = [Int64](repeating: 0, count: count)
    for position in positions {
      let (word, bit) = position.quotientAndRemainder(dividingBy: HistoryTriggers.wordLength)
      words[word] |= Int64(1) << Int64(bit)
    }
    return words.map(String.init).joined(separator: ",")
  }
}

extension PostgresStore {
  /// Writes the record of a transaction of ours, where there are no triggers that do; called before its commit.
  func writeRecord(_ log: CommitLog) throws {
    guard let recording, recording.isWrittenBySaves, recording.names.isOn else { return }
    let changes = SavedChanges(log, self, recording.names)
    if changes.kinds.isEmpty { return }
    let (books, info) = (recording.books, transactions.info)
    _ = try pool.run(
      """
      INSERT INTO \(raw: books.transaction) (tx, time, author, context, process, store) \
      VALUES (pg_current_xact_id(), clock_timestamp(), \(info.author.map(PostgresArgument.text) ?? .null), \
      \(info.contextName.map(PostgresArgument.text) ?? .null), \(.int(recording.process)), \(.text(recording.store)))
      """)
    _ = try pool.run(
      """
      INSERT INTO \(raw: books.change) (tx, entity, key, names, kind, properties) \
      SELECT pg_current_xact_id(), v.entity::integer, v.key::bigint, v.names::jsonb, v.kind, v.properties \
      FROM unnest(\(.texts(changes.entities)), \(.texts(changes.keys)), \(.texts(changes.keyNames)), \
      \(.ints(changes.kinds)), \(.texts(changes.properties))) AS v(entity, key, names, kind, properties)
      """)
  }
}
