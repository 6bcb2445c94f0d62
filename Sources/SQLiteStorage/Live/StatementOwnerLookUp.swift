import Modeling
import SQLite

/// Finds the owners of members by statements that are compiled once for each length of their lists.
final class StatementOwnerLookUp: OwnerLookUp {
  let isAlike: Bool
  private let connection: Connection
  private let kind: Kind
  private let interner: KeyInterner?
  private let memberInterner: KeyInterner?

  /// Where the relationship is stored.
  private enum Kind {
    /// In columns of the owners. `names` reads the referenced values of members; nil if owners refer to them by key.
    case reference(byNames: ListStatement, names: Names?)
    /// In columns of the members.
    case inverse(byMembers: ListStatement, byReferences: ListStatement)
    /// In a join table.
    case pairs(byNames: ListStatement, names: Names?, byReferences: ListStatement)
  }

  /// The values by which owners refer to members.
  private struct Names {
    var columnCount: Int
    var byKeys: ListStatement
  }

  /// Prepares to follow the relationship of `entity` at an index backwards.
  ///
  /// - Throws: PredicateError for a relationship that is not stored.
  init(_ relationship: Int, of entity: Entity, _ store: SQLiteStore) throws {
    let member = entity.destination(at: relationship)
    connection = store.connection
    interner = store.interner(of: entity)
    memberInterner = store.interner(of: member)
    let writer = BackwardSQL(entity, member, store)
    func names(_ target: ReferenceTarget) -> Names? {
      guard case .columns(let columns) = target else { return nil }
      return Names(columnCount: columns.count, byKeys: writer.names(columns))
    }
    let (own, others) = (store.layout(of: entity), store.layout(of: member))
    func areAlike(_ references: [String], of table: String, _ targets: [String], _ target: EntityLayout) -> Bool {
      store.format.declaresSchema
        || ColumnNature.areSame(references, of: table, targets, of: target.table, store.connection)
    }
    switch own.properties[relationship] {
    case .reference(let columns, let target):
      let columns = columns.map { own.columns[$0].name }
      kind = .reference(byNames: writer.owners(where: columns), names: names(target))
      isAlike = areAlike(columns, of: own.table, target.columns(others), others)
    case .inverse(let back, _):
      guard case .reference(let columns, let target) = others.properties[back] else {
        throw SQLCompiler(store.schema).unsupported(.noInverse(entity.properties[relationship].name))
      }
      let references = columns.map { others.columns[$0].name }
      let targets = target.columns(own)
      kind = .inverse(
        byMembers: writer.owners(named: targets, byMembers: references), byReferences: writer.owners(where: targets))
      isAlike = areAlike(references, of: others.table, targets, own)
    case .join(let join):
      let targets = join.ownerTarget.columns(own)
      kind = .pairs(
        byNames: writer.owners(named: targets, in: join), names: names(join.memberTarget),
        byReferences: writer.owners(where: targets))
      isAlike =
        areAlike(join.ownerColumns, of: join.table, targets, own)
        && areAlike(join.memberColumns, of: join.table, join.memberTarget.columns(others), others)
    case .column, .none:
      throw SQLCompiler(store.schema).unsupported(.notKept(entity.properties[relationship].name))
    }
  }

  func scans() throws -> Bool {
    let statements =
      switch kind {
      case .reference(let byNames, _): [byNames]
      case .inverse(let byMembers, let byReferences): [byMembers, byReferences]
      case .pairs(let byNames, _, let byReferences): [byNames, byReferences]
      }
    return try statements.contains { statement in
      try connection.all("EXPLAIN QUERY PLAN " + statement.text).contains { row in
        if case .string(let detail)? = row.last { detail.hasPrefix("SCAN") } else { false }
      }
    }
  }

  func owners(of members: Set<Int64>, _ body: (Int64) throws -> Void) throws {
    switch kind {
    case .reference(let byNames, let names?), .pairs(let byNames, let names?, _):
      var present: Set<[Value?]> = []
      try names.byKeys.run(keys: members, memberInterner) { row in
        present.insert((0..<names.columnCount).map(row.value))
        return true
      }
      try run(
        byNames, names.columnCount == 1 ? .values(present.compactMap { $0[0] }) : .combinations(present), body)
    case .reference(let statement, nil), .pairs(let statement, nil, _), .inverse(let statement, _):
      try statement.run(keys: members, memberInterner) { try tell($0, body) }
    }
  }

  func owners(ofMembersNamed names: ReferenceNames, _ body: (Int64) throws -> Void) throws {
    switch kind {
    case .reference(let byNames, _), .pairs(let byNames, _, _): try run(byNames, names, body)
    case .inverse: break
    }
  }

  func owners(named names: ReferenceNames, _ body: (Int64) throws -> Void) throws {
    switch kind {
    case .reference: break
    case .inverse(_, let byReferences), .pairs(_, _, let byReferences): try run(byReferences, names, body)
    }
  }

  // MARK: Parts

  private func run(
    _ statement: ListStatement, _ names: ReferenceNames, _ body: (Int64) throws -> Void
  ) throws {
    switch names {
    case .values(let values):
      try statement.run(values: values.count > 1 ? Array(Set(values)) : values) { try tell($0, body) }
    case .combinations(let combinations): try statement.run(combinations: combinations) { try tell($0, body) }
    }
  }

  /// Passes the key at the start of a row to `body`; always returns true, to continue.
  private func tell(_ row: Statement, _ body: (Int64) throws -> Void) throws -> Bool {
    if let interner {
      try body(interner.number(of: (0..<row.columnCount).map(row.value)))
    } else {
      try body(row.integer(0))
    }
    return true
  }
}
