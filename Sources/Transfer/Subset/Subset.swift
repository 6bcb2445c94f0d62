internal import Modeling
internal import Queries
package import Stores

/// A part of a store that is valid by itself: the keys of its objects, and why they are in it.
///
/// The destinations of mandatory to-ones are in it, those of the relationships to follow, and as many members of to-manys
/// as the model demands. Memory is a set of keys; rows are read and forgotten.
///
///     let subset = try Subset(of: store, options)
///     try StoreCopy(from: store, to: part, subset).run()
package final class Subset {
  /// Why objects are in the subset.
  package enum Reason: Hashable, Sendable {
    /// The request at this index selects them.
    case request(Int)
    /// The options follow this relationship.
    case follow(String)
    /// Objects must have this to-one.
    case mandatory(String)
    /// Objects must have so many members of this to-many.
    case minimum(String, Int)
  }

  /// Objects that are in the subset for one reason.
  package struct Share: Hashable, Sendable {
    /// The entity of the request, or the relationship's destination.
    package var entity: String
    package var count: Int
    package var reason: Reason
  }

  /// Objects that would be added by following one more relationship.
  package struct Candidate: Hashable, Sendable {
    /// The relationship, as `Quake.reports`.
    package var relationship: String
    package var entity: String
    package var count: Int
  }

  let store: any OpenedStore
  /// The keys of the objects, by root entity.
  private(set) var keys: [Entity: Set<Int64>] = [:]
  /// Why objects were taken, in the order in which they were.
  package private(set) var shares: [Share] = []
  private let relationships: [SubsetRelationship]
  private let followed: Set<SubsetRelationship>
  /// Keys whose relationships have not been followed.
  private var pending: [(root: Entity, keys: Set<Int64>)] = []
  /// The number of all objects, by root entity.
  private var totals: [Entity: Int] = [:]

  /// Finds the objects.
  ///
  /// - Throws: CopyError for wrong options, PredicateError, StoreError.
  package init(of store: any OpenedStore, _ options: SubsetOptions) throws {
    guard options.sample > 0, options.sample <= 1 else { throw CopyError.wrongSample(options.sample) }
    self.store = store
    relationships = SubsetRelationship.all(of: store)
    followed = try SubsetRelationship.named(options.follow, among: relationships)
    let roots = store.model.entities.filter { $0.parent == nil && !$0.isReadOnly }
    let requests = options.from.isEmpty ? roots.map { FetchRequest($0) } : options.from
    let sample = KeySample(options.sample)
    for (index, request) in requests.enumerated() {
      let keys = try store.keys(request).filter { sample.contains($0, of: request.entity, in: store) }
      take(Set(keys), of: request.entity, .request(index))
    }
    repeat { try follow() } while try completeMembers()
  }

  /// Whether all objects of a root entity are in the subset.
  func isWhole(_ root: Entity) throws -> Bool { try total(root) == keys[root]?.count ?? 0 }

  private func total(_ root: Entity) throws -> Int {
    if let total = totals[root] { return total }
    let total = try store.count(FetchRequest(root))
    totals[root] = total
    return total
  }

  private func take(_ found: Set<Int64>, of entity: Entity, _ reason: Reason) {
    let new = found.subtracting(keys[entity.root] ?? [])
    guard !new.isEmpty else { return }
    keys[entity.root, default: []].formUnion(new)
    pending.append((entity.root, new))
    if let index = shares.firstIndex(where: { $0.reason == reason && $0.entity == entity.name }) {
      shares[index].count += new.count
    } else {
      shares.append(Share(entity: entity.name, count: new.count, reason: reason))
    }
  }

  /// Takes what the relationships of new objects lead to, until there are no new ones.
  private func follow() throws {
    while let (root, new) = pending.popLast() {
      let own = relationships.filter { $0.entity.root === root }
      let toOnes = own.filter { $0.isMandatoryToOne || (!$0.relationship.isToMany && followed.contains($0)) }
      for (relationship, found) in try destinations(of: toOnes, root, new) {
        let reason: Reason =
          relationship.isMandatoryToOne ? .mandatory(relationship.name) : .follow(relationship.name)
        take(found, of: relationship.destination, reason)
      }
      for relationship in own where relationship.relationship.isToMany && followed.contains(relationship) {
        var found: Set<Int64> = []
        try visitMembers(of: relationship, new) { found.formUnion($0.map(\.member)) }
        take(found, of: relationship.destination, .follow(relationship.name))
      }
    }
  }

  /// Takes members of to-manys that have fewer than the model demands; returns whether there were such.
  private func completeMembers() throws -> Bool {
    for relationship in relationships where relationship.minimumCount > 0 && !followed.contains(relationship) {
      guard let owners = keys[relationship.entity.root] else { continue }
      let chosen = keys[relationship.destination.root] ?? []
      var found: Set<Int64> = []
      try visitMembers(of: relationship, owners) { pairs in
        for group in Dictionary(grouping: pairs, by: \.owner).values {
          let isIn = group.map { chosen.contains($0.member) || found.contains($0.member) }
          let present = isIn.count(where: { $0 })
          let missing = relationship.minimumCount - present
          // An optional one may also be empty.
          guard missing > 0, present > 0 || !relationship.relationship.isOptional else { continue }
          found.formUnion(zip(group, isIn).filter { !$0.1 }.map(\.0.member).sorted().prefix(missing))
        }
      }
      take(found, of: relationship.destination, .minimum(relationship.name, relationship.minimumCount))
    }
    return !pending.isEmpty
  }

  // MARK: Reading

  /// Calls `body` with the row of each object of an entity, subentities left out.
  func visitRows(of entity: Entity, _ body: (RowCursor) throws -> Void) throws {
    guard let chosen = keys[entity.root] else { return }
    try visitRows(of: entity, chosen) { if $0.entity === entity { try body($0) } }
  }

  private func visitRows(of entity: Entity, _ chosen: Set<Int64>, _ body: (RowCursor) throws -> Void) throws {
    // A pass over all rows costs less than look-ups of a large share.
    if try chosen.count * 4 >= total(entity.root) {
      let cursor = try store.cursor(FetchRequest(entity))
      defer { cursor.close() }
      while try cursor.step() {
        if chosen.contains(cursor.key) { try body(cursor) }
      }
      return
    }
    try chosen.sorted().inChunks { some in
      let cursor = try store.rows(of: entity, keys: some)
      defer { cursor.close() }
      while try cursor.step() { try body(cursor) }
    }
  }

  private func visitMembers(
    of relationship: SubsetRelationship, _ owners: Set<Int64>,
    _ body: ([(owner: Int64, member: Int64)]) throws -> Void
  ) throws {
    try owners.sorted().inChunks { some in
      try body(try store.members(of: relationship.index, in: relationship.entity, owners: some))
    }
  }

  /// The keys to which to-ones of some objects lead.
  private func destinations(
    of toOnes: [SubsetRelationship], _ root: Entity, _ chosen: Set<Int64>
  ) throws -> [SubsetRelationship: Set<Int64>] {
    guard !toOnes.isEmpty else { return [:] }
    var found: [SubsetRelationship: Set<Int64>] = [:]
    var named: [SubsetRelationship: Set<[Value]>] = [:]
    try visitRows(of: root, chosen) { cursor in
      for toOne in toOnes where cursor.entity.isKind(of: toOne.entity) {
        let layout = store.layout(of: cursor.entity)
        let values = layout.properties[toOne.index].ownColumns.map { store.value($0, in: layout, cursor) }
        if values.contains(where: \.isNull) { continue }
        if let key = store.plainKey(values, of: toOne.index, in: cursor.entity) {
          found[toOne, default: []].insert(key)
        } else {
          named[toOne, default: []].insert(values)
        }
      }
    }
    for (toOne, values) in named {
      found[toOne, default: []].formUnion(try store.keys(named: Array(values), by: toOne.index, in: toOne.entity))
    }
    return found
  }

  // MARK: What else there is

  /// The objects that each relationship that was not followed would add, without those that these would bring.
  ///
  /// - Throws: StoreError.
  package func candidates() throws -> [Candidate] {
    let open = try relationships.filter { relationship in
      try !followed.contains(relationship) && keys[relationship.entity.root] != nil
        && !isWhole(relationship.destination.root)
    }
    var found: [SubsetRelationship: Set<Int64>] = [:]
    for (root, chosen) in keys {
      let own = open.filter { $0.entity.root === root }
      found.merge(try destinations(of: own.filter { !$0.relationship.isToMany }, root, chosen)) { $1 }
      for relationship in own where relationship.relationship.isToMany {
        try visitMembers(of: relationship, chosen) { pairs in
          found[relationship, default: []].formUnion(pairs.map(\.member))
        }
      }
    }
    return open.compactMap { relationship in
      let new = (found[relationship] ?? []).subtracting(keys[relationship.destination.root] ?? [])
      guard !new.isEmpty else { return nil }
      return Candidate(relationship: relationship.name, entity: relationship.destination.name, count: new.count)
    }
  }
}

extension Array {
  /// Calls `body` with some hundred elements after the other.
  func inChunks(_ body: ([Element]) throws -> Void) rethrows {
    for start in stride(from: 0, to: count, by: 500) { try body(Array(self[start..<Swift.min(start + 500, count)])) }
  }
}
