import Layouts
import Modeling
import Queries
import Stores

/// Computes the derived attributes of a store of our own. In a file, triggers and generated columns do that.
///
/// Attributes that depend on their row alone are computed when the row is inserted. The others are computed before a
/// commit, for the rows that the transaction has written and for those that lead to them.
struct DerivedValues {
  /// A derived attribute.
  private struct Derivation {
    let entity: Entity
    let property: Int
    let attribute: Attribute
    let expression: CompiledExpression
    /// The paths that lead to other objects.
    let hops: [[ResolvedPath.Hop]]
    /// Whether it is the time of the last change.
    let isMoment: Bool
  }

  private let derivations: [Derivation]

  /// Whether the model derives nothing.
  var isEmpty: Bool { derivations.isEmpty }

  /// - Throws: PredicateError for a derivation that cannot be read.
  init(_ model: Model) throws {
    var found: [Derivation] = []
    for entity in model.entities {
      for index in (entity.parent?.properties.count ?? 0)..<entity.properties.count {
        guard let attribute = entity.properties[index].attribute, let text = attribute.derivation else { continue }
        let expression = try Expression.parse(text)
        let hops = try expression.paths.map { try $0.resolve(in: entity).hops }.filter { !$0.isEmpty }
        found.append(
          Derivation(
            entity: entity, property: index, attribute: attribute,
            expression: try CompiledExpression(expression, entity: entity), hops: hops, isMoment: expression.callsNow))
      }
    }
    derivations = found
  }

  /// Adds the attributes that depend on a new row alone to its values.
  func add(to values: inout [Value], of entity: Entity, _ store: PostgresStore) throws {
    let own = derivations.filter { $0.hops.isEmpty && entity.isKind(of: $0.entity) }
    if own.isEmpty { return }
    let layout = store.layout(of: entity)
    let subject = RowSubject(
      kept: KeptRow(entity, key: 0, PackedRow.pack(values)), reader: SubjectReader(store, paths: []))
    for derivation in own {
      guard case .column(let column) = layout.properties[derivation.property] else { continue }
      values[column] = try value(of: derivation, subject)
    }
  }

  private func value(of derivation: Derivation, _ subject: RowSubject) throws -> Value {
    let value = try derivation.expression.value(of: subject)
    return (try? derivation.attribute.coerce(value)) ?? value
  }

  /// Computes the values that depend on a transaction's changes.
  func refresh(_ log: CommitLog, _ store: PostgresStore) throws {
    let written = log.written
    for entity in Set(derivations.map(\.entity)) {
      let own = derivations.filter { $0.entity === entity }
      var keys = written[entity.root]?.updated ?? []
      let inserted = written[entity.root]?.inserted ?? []
      var reached: Set<Int64> = []
      for derivation in own where !derivation.hops.isEmpty {
        reached.formUnion(inserted)
        for hops in derivation.hops { reached.formUnion(try owners(hops, written, log, store)) }
      }
      let changed = keys
      keys.formUnion(reached)
      for chunk in Array(keys).chunked(1_000) { try refresh(own, entity, chunk, changed, store) }
    }
  }

  /// Computes all values anew, except for the time of the last change.
  func refreshAll(_ store: PostgresStore) throws {
    for entity in Set(derivations.map(\.entity)) {
      let own = derivations.filter { $0.entity === entity }
      let keys = try store.keys(FetchRequest(entity))
      for chunk in keys.chunked(1_000) { try refresh(own, entity, chunk, [], store) }
    }
  }

  private func refresh(
    _ own: [Derivation], _ entity: Entity, _ keys: [Int64], _ changed: Set<Int64>, _ store: PostgresStore
  ) throws {
    let reader = SubjectReader(
      store, paths: own.flatMap { $0.hops.map { PropertyPath($0.compactMap { $0.relationship?.name }) } })
    var rows: [KeptRow] = []
    let cursor = try store.rows(of: entity, keys: keys)
    while try cursor.step() { rows.append(KeptRow(cursor)) }
    try reader.prefetch(rows, entity)
    for row in rows {
      let subject = RowSubject(kept: row, reader: reader)
      let layout = store.layout(of: row.entity)
      var changes: [(column: Int, value: Value)] = []
      for derivation in own where !derivation.isMoment || changed.contains(row.key) {
        guard case .column(let column) = layout.properties[derivation.property] else { continue }
        let new = try value(of: derivation, subject)
        if new != subject.attribute(at: derivation.property) { changes.append((column, new)) }
      }
      if !changes.isEmpty, try !store.pendUpdate(row.entity, key: row.key, changes) {
        _ = try store.updateRows(row.entity, [row.key], changes)
      }
    }
  }

  /// The rows from which a path leads, or led, to rows that were written.
  private func owners(
    _ hops: [ResolvedPath.Hop], _ written: [Entity: CommitLog.Written], _ log: CommitLog, _ store: PostgresStore
  ) throws -> Set<Int64> {
    var all: Set<Int64> = []
    for (index, hop) in hops.enumerated() {
      let rows = written[hop.destination.root]
      var found: Set<Int64> = []
      let members = (rows?.updated ?? []).union(rows?.inserted ?? [])
      if !members.isEmpty {
        try store.ownerLookUp(hop.index, of: hop.owner).owners(of: members) { found.insert($0) }
      }
      switch store.layout(of: hop.owner).properties[hop.index] {
      case .inverse(let back, _):
        let layout = store.layout(of: hop.destination)
        guard case .reference(let columns, _) = layout.properties[back] else { break }
        found.formUnion(log.former(layout.columns[columns[0]].name, of: hop.destination.root))
      case .join(let join): found.formUnion(log.ends(join.table, join.ownerColumns[0]))
      case .reference, .column, .none: break
      }
      for before in hops[..<index].reversed() where !found.isEmpty {
        var owners: Set<Int64> = []
        try store.ownerLookUp(before.index, of: before.owner).owners(of: found) { owners.insert($0) }
        found = owners
      }
      all.formUnion(found)
    }
    return all
  }
}

extension CommitLog {
  /// The rows of a root entity that were written and are still there.
  struct Written {
    var inserted: Set<Int64> = []
    var updated: Set<Int64> = []
  }

  var written: [Entity: Written] {
    var written: [Entity: Written] = [:]
    for entry in entries {
      switch entry {
      case .inserted(let entity, let keys): written[entity.root, default: Written()].inserted.formUnion(keys)
      case .updated(let entity, let rows): written[entity.root, default: Written()].updated.formUnion(rows.keys)
      case .deleted(let entity, let key, _):
        written[entity.root]?.inserted.remove(key)
        written[entity.root]?.updated.remove(key)
      case .pair, .reordered, .ordered, .unknown: break
      }
    }
    return written
  }

  /// The keys that a column of rows of a root entity held before they were updated or deleted.
  func former(_ column: String, of root: Entity) -> Set<Int64> {
    var keys: Set<Int64> = []
    let name = column.lowercased()
    for entry in entries {
      switch entry {
      case .updated(let entity, let rows) where entity.root === root:
        guard let place = rows.columns.firstIndex(of: name) else { continue }
        for row in rows.keys.indices {
          if case .int(let key) = rows.olds[row * rows.columns.count + place] { keys.insert(key) }
        }
      case .deleted(let entity, _, let references) where entity.root === root:
        if case .int(let key)? = references[name] { keys.insert(key) }
      default: break
      }
    }
    return keys
  }

  /// The keys in a column of pairs that were added or removed.
  func ends(_ table: String, _ column: String) -> Set<Int64> {
    var keys: Set<Int64> = []
    for case .pair(let name, _, let values) in entries where name == table {
      if case .int(let key)? = values[column] { keys.insert(key) }
    }
    return keys
  }
}

extension Array {
  fileprivate func chunked(_ size: Int) -> [[Element]] {
    stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
  }
}
