import Layouts
import Modeling
import Queries
import Stores

/// A row as predicates and expressions see it when they are evaluated here.
struct RowSubject: PredicateSubject {
  let kept: KeptRow
  let reader: SubjectReader

  var entity: Entity { kept.entity }
  var objectID: ObjectID { kept.objectID }

  func attribute(at index: Int) -> Value {
    let layout = reader.store.layout(of: entity)
    guard case .column(let column) = layout.properties[index] else { return .null }
    return value(column, as: layout.columns[column].type)
  }

  private func value(_ column: Int, as type: AttributeType) -> Value {
    let row = kept.row
    return ValueCoding.decode(
      row.storageClass(column), integer: row.integer(column), real: row.real(column), bytes: row.bytes(column), as: type
    )
  }

  func reference(at index: Int) throws -> ObjectID? {
    let layout = reader.store.layout(of: entity)
    guard case .reference(let columns, let target) = layout.properties[index] else {
      return try toOne(at: index)?.objectID
    }
    let values = columns.map { value($0, as: layout.columns[$0].type) }
    if values.contains(where: \.isNull) { return nil }
    if case .key = target, case .int(let key)? = values.first {
      return ObjectID(entity: entity.destination(at: index), key: key)
    }
    return try reader.resolve(values, index, entity)
  }

  func toOne(at index: Int) throws -> (any PredicateSubject)? {
    if case .reference = reader.store.layout(of: entity).properties[index] {
      guard let id = try reference(at: index) else { return nil }
      return try reader.subject(id)
    }
    return try reader.members(of: index, of: self).first
  }

  func toMany(at index: Int) throws -> [any PredicateSubject] { try reader.members(of: index, of: self) }
}

/// Reads the destinations of relationships while many rows are evaluated: each row once, and for all rows at once if
/// `prefetch` announced them.
final class SubjectReader {
  private struct Owner: Hashable {
    let id: ObjectID
    let relationship: Int
  }

  private struct Reference: Hashable {
    let entity: Entity
    let relationship: Int
    let values: [Value]
  }

  unowned let store: PostgresStore
  private var rows: [ObjectID: KeptRow?] = [:]
  private var members: [Owner: [ObjectID]] = [:]
  private var references: [Reference: ObjectID?] = [:]
  private let paths: [PropertyPath]

  /// Reads for the evaluation of expressions with the given paths.
  init(_ store: PostgresStore, paths: [PropertyPath]) {
    self.store = store
    self.paths = paths
  }

  /// Reads the destinations of the paths from some rows of their first entity, by one question for each step.
  func prefetch(_ start: [KeptRow], _ entity: Entity) throws {
    // The rows that were read for earlier ones may be many.
    if rows.count > 20_000 || members.count > 20_000 { (rows, members, references) = ([:], [:], [:]) }
    for path in paths {
      guard let resolved = try? path.resolve(in: entity), !resolved.hops.isEmpty else { continue }
      var current = start.map { RowSubject(kept: $0, reader: self) }
      for hop in resolved.hops {
        let isLast = hop == resolved.hops.last && resolved.attribute == nil && !hop.isToMany
        if isLast, case .reference(_, .key) = store.layout(of: hop.owner).properties[hop.index] { break }
        current = try follow(hop, from: current.filter { $0.entity.isKind(of: hop.owner) })
      }
    }
  }

  private func follow(_ hop: ResolvedPath.Hop, from owners: [RowSubject]) throws -> [RowSubject] {
    if owners.isEmpty { return [] }
    var ids: [ObjectID] = []
    if case .reference = store.layout(of: hop.owner).properties[hop.index] {
      for owner in owners { if let id = try owner.reference(at: hop.index) { ids.append(id) } }
    } else {
      let unknown = owners.filter { members[Owner(id: $0.objectID, relationship: hop.index)] == nil }
      try readMembers(of: hop.index, unknown)
      for owner in owners { ids += members[Owner(id: owner.objectID, relationship: hop.index)] ?? [] }
    }
    try read(ids)
    return ids.compactMap { id in (rows[id] ?? nil).map { RowSubject(kept: $0, reader: self) } }
  }

  private func readMembers(of relationship: Int, _ owners: [RowSubject]) throws {
    for (entity, owners) in Dictionary(grouping: owners, by: \.entity) {
      let destination = entity.destination(at: relationship)
      for owner in owners { members[Owner(id: owner.objectID, relationship: relationship)] = [] }
      for (owner, member) in try store.members(of: relationship, in: entity, owners: owners.map(\.kept.key)) {
        members[Owner(id: ObjectID(entity: entity, key: owner), relationship: relationship), default: []].append(
          ObjectID(entity: destination, key: member))
      }
    }
  }

  /// Reads those of the rows that were not read yet.
  private func read(_ ids: [ObjectID]) throws {
    let unknown = ids.filter { rows[$0] == nil }
    for (entity, ids) in Dictionary(grouping: unknown, by: \.entity) {
      for id in ids { rows[id] = .some(nil) }
      let cursor = try store.rows(of: entity, keys: ids.map(\.key))
      while try cursor.step() {
        rows[ObjectID(entity: entity, key: cursor.key)] = KeptRow(cursor)
      }
    }
  }

  func subject(_ id: ObjectID) throws -> RowSubject? {
    if rows[id] == nil { try read([id]) }
    return (rows[id] ?? nil).map { RowSubject(kept: $0, reader: self) }
  }

  func members(of relationship: Int, of owner: RowSubject) throws -> [RowSubject] {
    let place = Owner(id: owner.objectID, relationship: relationship)
    if members[place] == nil { try readMembers(of: relationship, [owner]) }
    let ids = members[place] ?? []
    try read(ids)
    return ids.compactMap { id in (rows[id] ?? nil).map { RowSubject(kept: $0, reader: self) } }
  }

  func resolve(_ values: [Value], _ relationship: Int, _ entity: Entity) throws -> ObjectID? {
    let reference = Reference(entity: entity, relationship: relationship, values: values)
    if let known = references[reference] { return known }
    let key = try store.resolve(values, of: relationship, in: entity)
    let id = key.map { ObjectID(entity: entity.destination(at: relationship), key: $0) }
    references[reference] = .some(id)
    return id
  }
}
