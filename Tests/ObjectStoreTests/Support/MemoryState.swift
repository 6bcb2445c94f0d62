import Modeling
import Stores

/// The rows and pairs of a `MemoryStore` at a moment; a copy is a snapshot.
struct MemoryState {
  /// A row of an entity.
  struct Row: Hashable {
    var entity: Entity
    /// By column of the entity's layout.
    var values: [Value]
    /// The places in ordered to-manys, by the column that would hold them.
    var places: [String: Int64] = [:]
  }

  /// A pair of a many-to-many relationship.
  struct Pair: Hashable {
    /// The keys that it leads to, by column.
    var ends: [String: Int64]
    var places: [String: Int64] = [:]
  }

  /// The rows by key, of each root entity.
  private(set) var rows: [Entity: [Int64: Row]] = [:]
  /// By table.
  private(set) var pairs: [String: [Pair]] = [:]
  /// The greatest key that was ever given.
  private var lastKeys: [Entity: Int64] = [:]

  func row(_ entity: Entity, _ key: Int64) -> Row? { rows[entity.root]?[key] }

  /// The keys of an entity's objects, ascending.
  func keys(of entity: Entity, includesSubentities: Bool) -> [Int64] {
    let all = rows[entity.root] ?? [:]
    return all.filter { includesSubentities ? $0.value.entity.isKind(of: entity) : $0.value.entity === entity }.keys
      .sorted()
  }

  /// Pairs that lead to nothing, in words.
  var danglingPairs: [String] {
    pairs.flatMap { table, pairs in
      pairs.filter { $0.ends.count != 2 }.map { _ in "a pair of \(table) has not two ends" }
    }
  }

  /// What the columns of rows that were there before held then, and hold now.
  func replacedValues(
    of root: Entity, since old: MemoryState, in store: MemoryStore
  ) -> [Int64: [String: (old: Value, new: Value)]] {
    var all: [Int64: [String: (old: Value, new: Value)]] = [:]
    for (key, row) in rows[root] ?? [:] {
      guard let before = old.rows[root]?[key] else { continue }
      let columns = store.layout(of: row.entity).columns
      for (column, value) in row.values.enumerated() where before.values[column] != value {
        all[key, default: [:]][columns[column].name.lowercased()] = (before.values[column], value)
      }
    }
    return all
  }

  mutating func insert(_ entity: Entity, _ values: [Value], _ key: Int64?) -> Int64 {
    let key = key ?? (lastKeys[entity.root] ?? 0) + 1
    lastKeys[entity.root] = max(lastKeys[entity.root] ?? 0, key)
    rows[entity.root, default: [:]][key] = Row(entity: entity, values: values)
    return key
  }

  mutating func set(_ value: Value, _ column: Int, of key: Int64, in root: Entity) {
    rows[root]?[key]?.values[column] = value
  }

  mutating func setPlace(_ place: Int64?, _ column: String, of key: Int64, in root: Entity) {
    rows[root]?[key]?.places[column] = place
  }

  mutating func delete(_ key: Int64, in root: Entity) { rows[root]?[key] = nil }

  mutating func changePairs(_ table: String, _ body: (inout [Pair]) -> Void) { body(&pairs[table, default: []]) }
}

extension TouchedRows {
  /// What is different between two states.
  init(from old: MemoryState, to new: MemoryState, in store: MemoryStore) {
    self.init()
    for root in store.model.entities where root.parent == nil {
      let table = Self.table(root, old.rows[root] ?? [:], new.rows[root] ?? [:], store)
      if !table.keys.isEmpty { tables[table.name.lowercased()] = table }
    }
    for (name, now) in new.pairs {
      let before = old.pairs[name] ?? []
      // A pair that has another place is reported as one that is there.
      let (ends, came) = (Set(now.map(\.ends)), Set(now).subtracting(before))
      let gone = before.filter { !ends.contains($0.ends) }
      if gone.isEmpty, came.isEmpty { continue }
      var table = Table(name: name, entity: nil)
      for pair in gone {
        for (column, key) in pair.ends { table.formerReferences?[column.lowercased(), default: []].append(.int(key)) }
      }
      for pair in came {
        for (column, key) in pair.ends { table.presentReferences[column.lowercased(), default: []].append(.int(key)) }
      }
      tables[name.lowercased()] = table
    }
  }

  private static func table(
    _ root: Entity, _ old: [Int64: MemoryState.Row], _ new: [Int64: MemoryState.Row], _ store: MemoryStore
  ) -> Table {
    var table = Table(name: store.layout(of: root).table, entity: root)
    table.inserted = new.keys.filter { old[$0] == nil }.sorted()
    table.deleted = old.keys.filter { new[$0] == nil }.sorted()
    table.updated = new.keys.filter { old[$0] != nil && old[$0] != new[$0] }.sorted()
    var columns: Set<String> = []
    for key in table.updated + table.deleted {
      guard let before = old[key] else { continue }
      let layout = store.layout(of: before.entity)
      let now = new[key]
      for (index, column) in layout.columns.enumerated() where now?.values[index] != before.values[index] {
        let name = column.name.lowercased()
        if now != nil { columns.insert(name) }
        let isReference = layout.properties.contains { property in
          if case .reference(let columns, _) = property { columns.contains(index) } else { false }
        }
        if isReference, !before.values[index].isNull {
          table.formerReferences?[name, default: []].append(before.values[index])
        }
      }
      if let now {
        for name in Set(now.places.keys).union(before.places.keys) where now.places[name] != before.places[name] {
          columns.insert(name.lowercased())
        }
      }
    }
    table.updatedColumns = columns
    return table
  }
}
