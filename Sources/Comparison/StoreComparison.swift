package import Modeling
package import Queries
package import Stores

/// The comparison of two stores, or of the objects that predicates select in them.
///
///     let comparison = try StoreComparison(before, after, Options(ignore: ["updatedAt"]))
///     comparison.models.changes                     // what distinguishes the models
///     let cursor = try comparison.cursor(comparison.entities[0])
///     while let difference = try cursor.next() { print(difference.kind, difference.identity) }
///
/// Models are compared as a migration from the first to the second would. Objects are the same by an identity, which
/// `ComparedEntity.rule` says for each entity. Derived and transient attributes are not compared, and neither are
/// to-many relationships that are the inverse of a to-one: the to-one is.
package final class StoreComparison {
  package struct Options {
    /// The names of the properties by which objects are the same, for entities that have them all.
    package var by: [String] = []
    /// The names of properties that are not compared, with or without their entity: `Quake.place`.
    package var ignore: Set<String> = []
    /// The names of the entities that are compared; empty for all.
    package var entities: [String] = []
    /// Whether the subentities of `entities` are compared, too.
    package var includesSubentities = true
    /// Select the compared objects of either store.
    package var predicates: (first: Predicate?, second: Predicate?)
    /// The distance within which two numbers, or two dates in seconds, are equal.
    package var tolerance = 0.0

    package init() {}
  }

  package let first: any ObjectStore
  package let second: any ObjectStore
  /// What distinguishes the models.
  package let models: ModelDifference
  /// The entities that are compared, in the order of the first model.
  package private(set) var entities: [ComparedEntity] = []
  private let options: Options
  let sides: (first: ComparisonSide, second: ComparisonSide)

  /// Matches the models and chooses identities. It reads no rows.
  ///
  /// - Throws: ComparisonError for names that the models do not have.
  package init(_ first: any ObjectStore, _ second: any ObjectStore, _ options: Options = Options()) throws {
    (self.first, self.second, self.options) = (first, second, options)
    models = ModelDifference(from: first.model, to: second.model)
    let matching = ModelMatching(from: first.model, to: second.model)
    let choice = IdentityChoice(by: options.by, first: first, second: second, matching: matching)
    var identities: (first: [Entity: [Int]], second: [Entity: [Int]]) = ([:], [:])
    for entity in first.model.entities {
      guard let other = matching.result(of: entity) else { continue }
      let rule = choice.rule(for: entity, other)
      if case .properties(let names) = rule {
        let places = names.compactMap { entity.index(of: $0) }
        let found = matching.indices(in: other)
        identities.first[entity] = places
        identities.second[other] = places.compactMap { found[$0] }
      }
      guard !entity.isAbstract, !other.isAbstract else { continue }
      entities.append(ComparedEntity(entity, other, rule, choice, ignoring: options.ignore))
    }
    sides = (ComparisonSide(first, identities.first), ComparisonSide(second, identities.second))
    try check(matching)
    entities.removeAll { !isChosen($0) }
  }

  /// A cursor over the differences of an entity.
  ///
  /// It reads rows as it is stepped; all of them at the first step, if they would have to be sorted.
  ///
  /// - Throws: StoreError, PredicateError.
  package func cursor(_ entity: ComparedEntity) throws -> DifferenceCursor {
    func rows(sorted: Bool) throws -> (ComparedRows, ComparedRows) {
      let first = try ComparedRows(
        sides.first, entity.first, references: entity.references.map(\.first), members: entity.members.map(\.first),
        where: options.predicates.first, sorted: sorted)
      return (first, try self.rows(entity, sorted: sorted))
    }
    let canPair = canPair(entity)
    let (first, second) = try rows(sorted: !canPair)
    return DifferenceCursor(
      entity, first, second, tolerance: options.tolerance, sorted: canPair ? { try rows(sorted: true) } : nil)
  }

  /// Whether rows would have to be sorted, and have an identity by which they can be paired as they come.
  private func canPair(_ entity: ComparedEntity) -> Bool {
    guard first.traits.rowsPerRoundTrip == 0, second.traits.rowsPerRoundTrip == 0 else { return false }
    switch (IdentityForm(of: entity.first, sides.first), IdentityForm(of: entity.second, sides.second)) {
    case (.column(_, let left), .column(_, let right)): return left == right
    default: return false
    }
  }

  /// A cursor over the differences between rows of some keys, which are in the order of the identity.
  func cursor(_ entity: ComparedEntity, keys: (first: [Int64], second: [Int64])) -> DifferenceCursor {
    DifferenceCursor(
      entity,
      ComparedRows(
        sides.first, entity.first, references: entity.references.map(\.first), members: entity.members.map(\.first),
        keys: keys.first),
      ComparedRows(
        sides.second, entity.second, references: entity.references.map(\.second),
        members: entity.members.map(\.second), keys: keys.second),
      tolerance: options.tolerance)
  }

  /// Calls `body` with each object of the second store, as if the first one were empty.
  ///
  /// - Throws: StoreError, or what `body` throws.
  package func visitContents(_ body: (ObjectDifference) throws -> Void) throws {
    try second.reading {
      for entity in entities {
        let none = try ComparedRows(sides.first, entity.first, references: [], members: [], where: .constant(false))
        let cursor = DifferenceCursor(entity, none, try rows(entity), tolerance: 0)
        while let difference = try cursor.next() { try body(difference) }
      }
    }
  }

  /// The rows of the second store.
  private func rows(_ entity: ComparedEntity, sorted: Bool = true) throws -> ComparedRows {
    try ComparedRows(
      sides.second, entity.second, references: entity.references.map(\.second),
      members: entity.members.map(\.second), where: options.predicates.second, sorted: sorted)
  }

  /// Calls `body` with each difference, until it returns false, and returns the numbers of what was seen by entity.
  /// Each store shows one snapshot.
  ///
  /// - Throws: StoreError, PredicateError, ComparisonError, or what `body` throws.
  @discardableResult
  package func visit(_ body: (ObjectDifference) throws -> Bool) throws -> [DifferenceCounts] {
    try first.reading {
      try second.reading {
        var counts: [DifferenceCounts] = []
        for entity in entities {
          var count = DifferenceCounts(entity: entity.first.name)
          let cursor = try cursor(entity)
          var isOver = false
          while !isOver, let difference = try cursor.next() {
            count.numbers[difference.kind, default: 0] += 1
            isOver = try !body(difference)
          }
          count.equal = cursor.equalCount
          counts.append(count)
          if isOver { break }
        }
        return counts
      }
    }
  }

  /// The compared entity of a difference.
  package func entity(of difference: ObjectDifference) -> ComparedEntity? {
    entities.first { $0.first.name == difference.entity }
  }

  /// The properties of an entity of the first model that identify its objects, by their indices; nil if the key does.
  package func identity(of entity: Entity) -> [Int]? { sides.first.identities[entity] }

  // MARK: Names

  private func isChosen(_ entity: ComparedEntity) -> Bool {
    options.entities.isEmpty || options.entities.contains { isNamed(entity, $0) }
  }

  /// Whether a name is that of an entity, or of one above it.
  private func isNamed(_ entity: ComparedEntity, _ name: String) -> Bool {
    guard options.includesSubentities, let named = first.model.entity(named: name) else {
      return entity.first.name == name
    }
    return entity.first.isKind(of: named)
  }

  private func check(_ matching: ModelMatching) throws {
    let (model, other) = (first.model, second.model)
    let hasNames = !options.by.isEmpty || !options.ignore.isEmpty
    if entities.isEmpty, hasNames { throw ComparisonError.nothingInCommon }
    for name in options.entities where !entities.contains(where: { isNamed($0, name) }) {
      if model.entity(named: name) != nil || other.entity(named: name) != nil {
        throw ComparisonError.entityOfOneStore(name)
      }
      throw ComparisonError.unknownEntity(name, nearest: nearestName(to: name, in: model.entities.map(\.name)))
    }
    let chosen = entities.filter(isChosen)
    let names = chosen.flatMap { entity in entity.first.properties.map { (entity.first.name, $0.name) } }
    for name in options.by + options.ignore.sorted()
    where !names.contains(where: { $0.1 == name || "\($0.0).\($0.1)" == name }) {
      throw ComparisonError.unknownProperty(name, nearest: nearestName(to: name, in: names.map(\.1)))
    }
    guard !options.by.isEmpty, !chosen.contains(where: { $0.rule == .properties(options.by) }) else { return }
    throw ComparisonError.unorderedIdentity(
      entity: chosen.first { entity in options.by.allSatisfy { entity.first.index(of: $0) != nil } }?.first.name
        ?? chosen.first?.first.name ?? "", property: options.by.joined(separator: ", "))
  }
}

/// How many objects of an entity are equal, and how many are not, by the kind of difference.
package struct DifferenceCounts {
  package var entity: String
  package var equal = 0
  package var numbers: [ObjectDifference.Kind: Int] = [:]

  package subscript(_ kind: ObjectDifference.Kind) -> Int { numbers[kind] ?? 0 }
}
