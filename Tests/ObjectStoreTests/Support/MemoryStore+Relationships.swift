import Modeling
import Stores

extension MemoryStore {
  func members(of relationship: Int, in entity: Entity, owners: [Int64]) -> [(owner: Int64, member: Int64)] {
    owners.flatMap { owner in members(of: relationship, in: entity, owner).map { (owner, $0) } }
  }

  private func members(of relationship: Int, in entity: Entity, _ owner: Int64) -> [Int64] {
    let destination = entity.destination(at: relationship)
    var found: [(member: Int64, place: Int64)] = []
    switch layout(of: entity).properties[relationship] {
    case .inverse(let back, let order):
      for key in state.keys(of: destination, includesSubentities: true) {
        guard let row = state.row(destination, key), holds(row, back, owner) else { continue }
        found.append((key, order.flatMap { row.places[$0] } ?? .min))
      }
    case .join(let join):
      for pair in state.pairs[join.table] ?? [] where pair.ends[join.ownerColumns[0]] == owner {
        guard let member = pair.ends[join.memberColumns[0]], state.row(destination, member) != nil else { continue }
        found.append((member, join.order.flatMap { pair.places[$0] } ?? .min))
      }
    case .column, .reference, .none: break
    }
    return found.sorted { ($0.place, $0.member) < ($1.place, $1.member) }.map(\.member)
  }

  private func holds(_ row: MemoryState.Row, _ toOne: Int, _ target: Int64) -> Bool {
    guard case .reference(let columns, _) = layout(of: row.entity).properties[toOne] else { return false }
    return row.values[columns[0]] == .int(target)
  }

  func memberCounts(of relationship: Int, in entity: Entity, owners: [Int64]) -> [Int64: Int] {
    Dictionary(members(of: relationship, in: entity, owners: owners).map { ($0.owner, 1) }, uniquingKeysWith: +)
  }

  func resolve(_ reference: [Value], of relationship: Int, in entity: Entity) -> Int64? {
    guard case .int(let key)? = reference.first, state.row(entity.destination(at: relationship), key) != nil else {
      return nil
    }
    return key
  }

  func resolveAll(_ values: [Value], of relationship: Int, in entity: Entity) -> [(value: Value, key: Int64)] {
    values.compactMap { value in resolve([value], of: relationship, in: entity).map { (value, $0) } }
  }

  func referenceValues(to key: Int64, of relationship: Int, in entity: Entity) -> [Value] { [.int(key)] }

  func looseReferences(to entity: Entity) -> [LooseReference] {
    references(to: entity) { source, index in
      if case .reference = layout(of: source).properties[index] { source.inverse(at: index) == nil } else { false }
    }
  }

  func looseCollections(to entity: Entity) -> [LooseReference] {
    references(to: entity) { source, index in
      if case .join = layout(of: source).properties[index] { source.inverse(at: index) == nil } else { false }
    }
  }

  /// The relationships that lead to `entity`, each with the entity that declares it.
  func references(to entity: Entity, where isWanted: (Entity, Int) -> Bool = { _, _ in true }) -> [LooseReference] {
    model.entities.flatMap { source in
      ((source.parent?.properties.count ?? 0)..<source.properties.count).filter { index in
        source.properties[index].relationship != nil && entity.isKind(of: source.destination(at: index))
          && isWanted(source, index)
      }.map { LooseReference(entity: source, property: $0, effect: .emptied) }
    }
  }

  func visitReferrers(
    of reference: LooseReference, to entity: Entity, keys: [Int64],
    _ body: (_ holder: Int64, _ target: Int64) throws -> Void
  ) throws {
    for holder in state.keys(of: reference.entity, includesSubentities: true) {
      guard let row = state.row(reference.entity, holder) else { continue }
      for key in Set(keys) where holds(row, reference.property, key) { try body(holder, key) }
    }
  }

  func owners(of reference: LooseReference, members keys: [Int64]) -> Set<Int64> {
    guard case .join(let join) = layout(of: reference.entity).properties[reference.property] else { return [] }
    let wanted = Set(keys)
    let pairs = (state.pairs[join.table] ?? []).filter { $0.ends[join.memberColumns[0]].map(wanted.contains) == true }
    return Set(pairs.compactMap { $0.ends[join.ownerColumns[0]] })
  }
}
