import Modeling
package import Queries

/// The indexes that might serve a request, derived from its conditions and its order; only the store can tell which
/// of them it would use.
///
/// Properties compared for equality come first, then one that is compared by order, or the sort keys.
package struct IndexCandidates {
  let request: FetchRequest
  /// Sets of indexes that belong together.
  package private(set) var sets: [[IndexAdvice]] = []
  private var conditions: [[Int]: Conditions] = [:]

  /// The properties of one entity, at the end of a chain of to-one relationships, that are compared with constants.
  private struct Conditions {
    var entity: Entity
    var equal: [String] = []
    var ordered: [String] = []
  }

  package init(_ request: FetchRequest) {
    self.request = request.inlined
    gather()
  }

  private mutating func gather() {
    let predicate = request.predicate ?? .constant(true)
    for term in predicate.conjuncts { add(term) }
    for (chain, found) in conditions.sorted(by: { $0.key.count < $1.key.count }) { propose(found, chain) }
    if conditions[[]] == nil, request.isLimited || request.predicate == nil { propose([], orderKeys) }
    for term in predicate.conjuncts { proposeBranches(of: term) }
    proposeMembers(predicate)
  }

  private mutating func propose(_ equal: [String], _ rest: [IndexAdvice.Key]) {
    var keys: [IndexAdvice.Key] = []
    for key in equal.map({ IndexAdvice.Key($0) }) + rest where !keys.contains(where: { $0.name == key.name }) {
      keys.append(key)
    }
    if !keys.isEmpty { sets.append([IndexAdvice(request.entity, keys)]) }
  }

  private mutating func propose(_ found: Conditions, _ chain: [Int]) {
    guard !chain.isEmpty else {
      propose(found.equal, orderKeys)
      for name in found.ordered { propose(found.equal, [IndexAdvice.Key(name)]) }
      if found.ordered.isEmpty { propose(found.equal, []) }
      return
    }
    // Rows are found at the end of the chain, and then their way back.
    var way: [IndexAdvice] = []
    var entity = request.entity
    for relationship in chain {
      way.append(IndexAdvice(entity, [IndexAdvice.Key(entity.properties[relationship].name)]))
      entity = entity.destination(at: relationship)
    }
    for last in found.ordered.isEmpty ? [nil] : found.ordered.map(Optional.some) {
      let end = IndexAdvice(entity, (found.equal + [last].compactMap { $0 }).map { IndexAdvice.Key($0) })
      sets.append([end])
      sets.append([end] + way)
    }
  }

  /// The sort keys, if they are the entity's own properties.
  private var orderKeys: [IndexAdvice.Key] {
    var keys: [IndexAdvice.Key] = []
    for descriptor in request.sortDescriptors {
      guard case .path(let path) = descriptor.expression, let resolved = try? path.resolve(in: request.entity),
        resolved.hops.isEmpty, !resolved.hasCasts, descriptor.comparator == .binary
      else { break }
      keys.append(IndexAdvice.Key(path.text, ascending: descriptor.isAscending))
    }
    // An index can be read in both directions.
    guard keys.contains(where: \.isAscending) else { return keys.map { IndexAdvice.Key($0.name) } }
    return keys
  }

  /// Collects the properties that a condition compares with constants.
  private mutating func add(_ term: Queries.Predicate) {
    guard let (path, isEquality) = term.indexedPath, let resolved = try? path.resolve(in: request.entity),
      !resolved.isToMany, !resolved.hasCasts
    else { return }
    let isObject = resolved.attribute == nil
    let chain = (isObject ? resolved.hops.dropLast() : resolved.hops[...]).map(\.index)
    let name = path.names.dropFirst(chain.count).joined(separator: ".")
    var entity = request.entity
    for relationship in chain { entity = entity.destination(at: relationship) }
    var known = conditions[chain] ?? Conditions(entity: entity)
    if isEquality, !known.equal.contains(name) { known.equal.append(name) }
    if !isEquality, !known.ordered.contains(name), !known.equal.contains(name) { known.ordered.append(name) }
    known.ordered.removeAll { known.equal.contains($0) }
    conditions[chain] = known
  }

  /// For OR, proposes an index for each of its terms.
  private mutating func proposeBranches(of term: Queries.Predicate) {
    guard case .or(let branches) = term else { return }
    var set: [IndexAdvice] = []
    for branch in branches {
      var part = request
      part.predicate = branch
      part.sortDescriptors = []
      guard let first = IndexCandidates(part).sets.last else { return }
      for advice in first where !set.contains(advice) { set.append(advice) }
    }
    sets.append(set)
    // Some of them may exist already.
    for advice in set where set.count > 1 { sets.append([advice]) }
  }

  /// For to-many relationships, proposes an index by which an owner's members are found.
  private mutating func proposeMembers(_ predicate: Queries.Predicate) {
    for path in predicate.paths {
      guard let resolved = try? path.resolve(in: request.entity), resolved.isToMany else { continue }
      for hop in resolved.hops {
        let inverse = hop.isToMany ? hop.owner.inverse(at: hop.index) : nil
        let entity = hop.destination
        guard let inverse, entity.properties[inverse].relationship?.isToMany == false else { continue }
        sets.append([IndexAdvice(entity, [IndexAdvice.Key(entity.properties[inverse].name)])])
      }
    }
  }
}

extension FetchRequest {
  /// Whether the request has a limit or an offset.
  package var isLimited: Bool { (fetchLimit ?? 0) > 0 || fetchOffset > 0 }
}

extension Queries.Predicate {
  /// The terms of an AND.
  var conjuncts: [Queries.Predicate] {
    if case .and(let terms) = self { terms.flatMap(\.conjuncts) } else { [self] }
  }

  /// The path that the condition compares with constants in a form that an index can serve, and whether for equality.
  fileprivate var indexedPath: (path: PropertyPath, isEquality: Bool)? {
    switch self {
    case .expression(.path(let path)), .not(.expression(.path(let path))): return (path, true)
    case .comparison(let comparison):
      guard comparison.modifier == .direct,
        comparison.options.intersection([.caseInsensitive, .diacriticInsensitive]).isEmpty
      else { return nil }
      switch (comparison.left, comparison.right) {
      case (.path(let path), let other) where other.paths.isEmpty:
        return comparison.comparator.isEquality.map { (path, $0) }
      case (let other, .path(let path)) where other.paths.isEmpty && comparison.comparator != .in:
        return comparison.comparator.isEquality.map { (path, $0) }
      default: return nil
      }
    default: return nil
    }
  }
}

extension Comparator {
  /// Whether the comparison is one for equality; false for a range, nil if no index can serve it.
  fileprivate var isEquality: Bool? {
    switch self {
    case .equal, .in: true
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .beginsWith, .like: false
    case .notEqual, .contains, .endsWith, .matches: nil
    }
  }
}
