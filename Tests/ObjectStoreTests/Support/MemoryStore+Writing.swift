import Modeling
import Queries
import Stores

extension MemoryStore {
  func insert(_ entity: Entity, _ values: [Value], key: Int64?) throws -> Int64 {
    try write(entity) { state in
      if let key, state.row(entity, key) != nil { throw StoreError(.constraint("the key \(key) is taken")) }
      try checkUnique(entity, values, besides: nil, state)
      return state.insert(entity, values, key)
    }
  }

  func update(_ entity: Entity, key: Int64, _ changes: [(column: Int, value: Value)]) throws -> Bool {
    try write(entity) { state in
      guard let row = state.row(entity, key) else { return false }
      var values = row.values
      for change in changes { values[change.column] = change.value }
      try checkUnique(row.entity, values, besides: key, state)
      for change in changes { state.set(change.value, change.column, of: key, in: entity.root) }
      return true
    }
  }

  private func checkUnique(_ entity: Entity, _ values: [Value], besides key: Int64?, _ state: MemoryState) throws {
    let layout = layout(of: entity)
    for names in entity.uniquenessConstraints {
      let columns = names.compactMap { entity.index(of: $0).flatMap { layout.properties[$0].ownColumns.first } }
      let wanted = columns.map { values[$0] }
      if wanted.contains(where: \.isNull) { continue }
      for other in state.keys(of: entity.root, includesSubentities: true) where other != key {
        guard let row = state.row(entity, other), row.values.count > (columns.max() ?? 0) else { continue }
        if columns.map({ row.values[$0] }) == wanted {
          throw StoreError(.notUnique(entity: entity.name, properties: names, values: wanted))
        }
      }
    }
  }

  func delete(_ entity: Entity, key: Int64) throws -> Bool {
    try write(entity) { state in
      guard let row = state.row(entity, key) else { return false }
      state.delete(key, in: entity.root)
      for reference in references(to: row.entity) { empty(reference, key, &state) }
      for case .join(let join) in layout(of: row.entity).properties {
        state.changePairs(join.table) { $0.removeAll { $0.ends[join.ownerColumns[0]] == key } }
      }
      return true
    }
  }

  private func empty(_ reference: LooseReference, _ key: Int64, _ state: inout MemoryState) {
    switch layout(of: reference.entity).properties[reference.property] {
    case .reference(let columns, _):
      for holder in state.keys(of: reference.entity, includesSubentities: true)
      where state.row(reference.entity, holder)?.values[columns[0]] == .int(key) {
        state.set(.null, columns[0], of: holder, in: reference.entity.root)
      }
    case .join(let join): state.changePairs(join.table) { $0.removeAll { $0.ends[join.memberColumns[0]] == key } }
    case .column, .inverse, .none: break
    }
  }

  // MARK: Pairs and order

  func link(_ relationship: Int, in entity: Entity, owner: Int64, member: Int64, order: Int64?) throws {
    guard case .join(let join) = layout(of: entity).properties[relationship] else { return }
    let last = state.pairs[join.table]?.compactMap { pair in join.order.flatMap { pair.places[$0] } }.max() ?? 0
    try write(entity) { state in
      func add(_ owner: Int64, _ member: Int64, _ place: Int64?) {
        let ends = [join.ownerColumns[0]: owner, join.memberColumns[0]: member]
        state.changePairs(join.table) { pairs in
          if pairs.contains(where: { $0.ends == ends }) { return }
          var pair = MemoryState.Pair(ends: ends)
          if let column = join.order { pair.places[column] = place ?? last + 1 }
          pairs.append(pair)
        }
      }
      add(owner, member, order)
    }
  }

  func unlink(_ relationship: Int, in entity: Entity, owner: Int64, member: Int64) throws {
    guard case .join(let join) = layout(of: entity).properties[relationship] else { return }
    try write(entity) { state in
      state.changePairs(join.table) { pairs in
        pairs.removeAll { $0.ends == [join.ownerColumns[0]: owner, join.memberColumns[0]: member] }
      }
    }
  }

  func setOrder(_ relationship: Int, in entity: Entity, owner: Int64, members: [Int64]) throws {
    let destination = entity.destination(at: relationship)
    let present = self.members(of: relationship, in: entity, owners: [owner]).map(\.member)
    let members = members.filter(present.contains) + present.filter { !members.contains($0) }
    try write(entity) { state in
      for (place, member) in members.enumerated() {
        switch layout(of: entity).properties[relationship] {
        case .inverse(_, let column?): state.setPlace(Int64(place + 1), column, of: member, in: destination.root)
        case .join(let join):
          guard let column = join.order else { continue }
          state.changePairs(join.table) { pairs in
            for index in pairs.indices
            where pairs[index].ends == [join.ownerColumns[0]: owner, join.memberColumns[0]: member] {
              pairs[index].places[column] = Int64(place + 1)
            }
          }
        case .inverse, .column, .reference, .none: break
        }
      }
    }
  }

  // MARK: Batches

  func batchUpdate(_ request: FetchRequest, _ changes: [(property: Int, value: Value)]) throws -> Int {
    try transaction {
      let keys = try keys(request)
      let layout = layout(of: request.entity)
      for key in keys {
        let columns = changes.compactMap { change -> (column: Int, value: Value)? in
          guard let column = layout.properties[change.property].ownColumns.first else { return nil }
          if case .object(let id) = change.value { return (column, .int(id.key)) }
          return (column, change.value)
        }
        _ = try update(request.entity, key: key, columns)
      }
      return keys.count
    }
  }

  func batchDelete(_ request: FetchRequest) throws -> Int {
    try transaction {
      let keys = try keys(request)
      var doomed: Set<ObjectID> = []
      for key in keys { try doom(request.entity, key, &doomed) }
      for id in doomed { try check(id, doomed) }
      for id in doomed { _ = try delete(id.entity, key: id.key) }
      return keys.count
    }
  }

  /// Follows cascades from an object.
  private func doom(_ entity: Entity, _ key: Int64, _ doomed: inout Set<ObjectID>) throws {
    guard let subject = MemorySubject(self, entity, key), doomed.insert(subject.objectID).inserted else { return }
    for (index, property) in subject.entity.properties.enumerated() where property.relationship?.deleteRule == .cascade
    {
      for other in others(of: subject, index) { try doom(other.entity, other.key, &doomed) }
    }
  }

  private func others(of subject: MemorySubject, _ index: Int) -> [ObjectID] {
    if subject.entity.properties[index].relationship?.isToMany == true {
      return subject.toMany(at: index).map(\.objectID)
    }
    return subject.toOne(at: index).map { [$0.objectID] } ?? []
  }

  private func check(_ id: ObjectID, _ doomed: Set<ObjectID>) throws {
    guard let subject = MemorySubject(self, id.entity, id.key) else { return }
    for (index, property) in id.entity.properties.enumerated() where property.relationship?.deleteRule == .deny {
      let left = others(of: subject, index).filter { !doomed.contains($0) }
      if !left.isEmpty {
        throw StoreError(
          .deleteDenied(entity: id.entity.name, relationship: property.name, count: left.count))
      }
    }
    let mandatory = references(to: id.entity) { source, index in
      source.properties[index].relationship.map { !$0.isToMany && !$0.isOptional } == true
    }
    for reference in mandatory {
      try visitReferrers(of: reference, to: id.entity, keys: [id.key]) { holder, _ in
        guard let holding = MemorySubject(self, reference.entity, holder), !doomed.contains(holding.objectID) else {
          return
        }
        let hold = Violation.Hold(entity: reference.entity.name, property: reference.relationship.name, count: 1)
        throw StoreError(.deleteHeld(entity: id.entity.name, hold))
      }
    }
  }
}
