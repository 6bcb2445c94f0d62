public import Modeling
import SQLite

// Relationships that no delete rule of their destination covers.
extension SQLiteStore {
  /// The to-one relationships that lead to objects of `entity` without a delete rule there.
  public func looseReferences(to entity: Entity) -> [LooseReference] {
    references(to: entity) { store, relationship, index, source in
      guard !relationship.isToMany, case .reference = store.layout(of: source).properties[index] else { return false }
      guard let rule = source.ruleBack(at: index) else { return true }
      return rule == .noAction && store.format.emptiesReferencesWithoutAction
    }
  }

  /// The to-many relationships that lose objects of `entity` without a delete rule there.
  public func looseCollections(to entity: Entity) -> [LooseReference] {
    references(to: entity) { store, relationship, index, source in
      guard case .join(let join) = store.layout(of: source).properties[index] else { return false }
      return source.inverse(at: index) == nil && join.ownerTarget == .key && join.memberTarget == .key
    }
  }

  /// The mandatory to-one relationships that would become nil if objects of `entity` were deleted.
  package func mandatoryReferences(to entity: Entity) -> [LooseReference] {
    references(to: entity) { store, relationship, index, source in
      guard !relationship.isToMany, !relationship.isOptional,
        case .reference = store.layout(of: source).properties[index]
      else { return false }
      guard let rule = source.ruleBack(at: index) else { return true }
      return rule == .nullify || rule == .noAction && store.format.emptiesReferencesWithoutAction
    }
  }

  private func references(
    to entity: Entity, where isWanted: (SQLiteStore, Relationship, Int, Entity) -> Bool
  ) -> [LooseReference] {
    var found: [LooseReference] = []
    for source in model.entities {
      for index in (source.parent?.properties.count ?? 0)..<source.properties.count {
        guard let relationship = source.properties[index].relationship,
          entity.isKind(of: source.destination(at: index)),
          isWanted(self, relationship, index, source)
        else { continue }
        // In plain SQLite files, the foreign keys' own actions apply.
        found.append(
          LooseReference(entity: source, property: index, effect: format.leavesReferences ? .left : .emptied))
      }
    }
    return found
  }
}

extension Entity {
  /// The delete rule of the inverse of the to-one relationship at `index`; nil without an inverse.
  fileprivate func ruleBack(at index: Int) -> DeleteRule? {
    inverse(at: index).flatMap { destination(at: index).properties[$0].relationship?.deleteRule }
  }
}

// Rows that refer to others.
extension SQLiteStore {
  /// Calls `body` with each row whose to-one relationship leads to one of the rows of `entity`, and with that row.
  ///
  /// Takes one index lookup for each key, or one pass over the table if the relationship's column has no index.
  public func visitReferrers(
    of reference: LooseReference, to entity: Entity, keys: [Int64],
    _ body: (_ holder: Int64, _ target: Int64) throws -> Void
  ) throws {
    let layout = layout(of: reference.entity)
    guard !keys.isEmpty, case .reference(let columns, let target) = layout.properties[reference.property] else {
      return
    }
    let compiler = SQLCompiler(schema)
    let place = compiler.place(reference.entity)
    let names = columns.map { place.column(layout.columns[$0].name) }
    var statement = SelectStatement()
    statement.columns = layout.key.columns.map(place.column) + names
    statement.from = place.source.sql
    if let family = compiler.familyCondition(reference.entity, alias: place.alias, includesSubentities: true) {
      statement.conditions.append(SQLCondition(family.inlined))
    }
    let interner = interner(of: reference.entity)
    func run(_ condition: SQLFragment, _ values: [Value], _ body: (Statement, Int64) throws -> Void) throws {
      var statement = statement
      statement.conditions.insert(SQLCondition(condition), at: 0)
      let running = try connection.checkOut(statement.sql.text)
      defer { connection.checkIn(running) }
      for (index, value) in values.enumerated() { try running.bind(value, at: index + 1) }
      let width = layout.key.columns.count
      while try running.step() {
        try body(running, interner.map { $0.number(of: (0..<width).map(running.value)) } ?? running.integer(0))
      }
    }
    guard case .key = target, self.interner(of: entity) == nil, names.count == 1 else {
      let condition = names.map { "\($0) = \(value: .null)" as SQLFragment }.joined(separator: " AND ")
      for key in keys {
        let values = try values(of: target, entity, key)
        if values.contains(where: \.isNull) { continue }
        try run(condition, values) { _, holder in try body(holder, key) }
      }
      return
    }
    try run("\(names[0]) IN (SELECT value FROM json_each(\(value: .null)))", [Self.list(keys)]) { running, holder in
      try body(holder, running.integer(running.columnCount - 1))
    }
  }

  /// Returns the rows whose to-many relationship without an inverse contains one of the rows of `entity`.
  public func owners(of reference: LooseReference, members keys: [Int64]) throws -> Set<Int64> {
    guard !keys.isEmpty, case .join(let join) = layout(of: reference.entity).properties[reference.property] else {
      return []
    }
    let (owner, member) = (quotedName(join.ownerColumns[0]), quotedName(join.memberColumns[0]))
    let text = """
      SELECT DISTINCT \(owner) FROM \(quotedName(join.table))
      WHERE \(member) IN (SELECT value FROM json_each(?)) AND \(owner) IS NOT NULL
      """
    return Set(
      try connection.all(text, [Self.list(keys)]).compactMap { if case .int(let key) = $0[0] { key } else { nil } })
  }

  private static func list(_ keys: [Int64]) -> Value { .string("[\(keys.map(String.init).joined(separator: ","))]") }
}
