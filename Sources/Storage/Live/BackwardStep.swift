import Modeling
import SQLite

/// A relationship of a path, walked from the rows that it leads to back to those that it starts from.
///
/// It finds the rows from which it leads to touched ones after the commit, and those from which it led there before, by
/// what references held. A to-one whose own columns changed needs no finding: its row is touched itself.
struct BackwardStep {
  let relationship: Int
  private let name: String
  let node: DependencyNode
  /// The table of pairs, in lower case.
  let pairsTable: String?

  private let kind: Kind
  /// Whether columns that refer hold their values as those referred to do, so that values can be looked up in either.
  private let isAlike: Bool
  private let interner: KeyInterner?
  private let memberInterner: KeyInterner?

  /// How the relationship is kept.
  private enum Kind {
    /// In columns of the rows it starts from. `names` asks what touched rows are called by them, where that is not
    /// their key.
    case reference(byNames: ListStatement, names: Names?)
    /// In columns of the rows it leads to.
    case inverse(byMembers: ListStatement, byReferences: ListStatement, references: [String])
    /// In a table of pairs.
    case pairs(byNames: ListStatement, names: Names?, byReferences: ListStatement, references: [String])
  }

  /// What rows are called by those that refer to them.
  private struct Names {
    /// The columns, in lower case.
    var columns: [String]
    var byKeys: ListStatement
  }

  init(_ relationship: Int, from entity: Entity, to node: DependencyNode, _ store: SQLiteStore) throws {
    self.relationship = relationship
    name = entity.properties[relationship].name
    self.node = node
    interner = store.interner(of: entity)
    memberInterner = store.interner(of: node.entity)
    let writer = BackwardSQL(entity, node.entity, store)
    func names(_ target: ReferenceTarget) -> Names? {
      guard case .columns(let columns) = target else { return nil }
      return Names(columns: columns.map(asciiLowercased), byKeys: writer.names(columns))
    }
    let (own, others) = (store.layout(of: entity), store.layout(of: node.entity))
    func areAlike(_ references: [String], of table: String, _ targets: [String], _ target: EntityLayout) -> Bool {
      store.kind == .perilune
        || ColumnNature.areSame(references, of: table, targets, of: target.table, store.connection)
    }
    switch own.properties[relationship] {
    case .reference(let columns, let target):
      let columns = columns.map { own.columns[$0].name }
      kind = .reference(byNames: writer.owners(where: columns), names: names(target))
      isAlike = areAlike(columns, of: own.table, target.columns(others), others)
      pairsTable = nil
    case .inverse(let back, _):
      guard case .reference(let columns, let target) = others.properties[back] else {
        throw SQLCompiler(store.schema).unsupported(.noInverse(entity.properties[relationship].name))
      }
      let references = columns.map { others.columns[$0].name }
      let targets = target.columns(own)
      kind = .inverse(
        byMembers: writer.owners(named: targets, byMembers: references), byReferences: writer.owners(where: targets),
        references: references.map(asciiLowercased))
      isAlike = areAlike(references, of: others.table, targets, own)
      pairsTable = nil
    case .join(let join):
      let targets = join.ownerTarget.columns(own)
      kind = .pairs(
        byNames: writer.owners(named: targets, in: join), names: names(join.memberTarget),
        byReferences: writer.owners(where: targets), references: join.ownerColumns.map(asciiLowercased))
      isAlike =
        areAlike(join.ownerColumns, of: join.table, targets, own)
        && areAlike(join.memberColumns, of: join.table, join.memberTarget.columns(others), others)
      pairsTable = asciiLowercased(join.table)
    case .column, .none:
      throw SQLCompiler(store.schema).unsupported(.notKept(entity.properties[relationship].name))
    }
  }

  /// Whether rows of a table that matters from here on were touched.
  func isReached(by touched: TouchedRows) -> Bool {
    touched.tables.keys.contains { $0 == pairsTable || node.tables.contains($0) }
  }

  /// The statements that are run for touched rows, to see their plans.
  var texts: [String] {
    switch kind {
    case .reference(let byNames, _): [byNames.text]
    case .inverse(let byMembers, let byReferences, _): [byMembers.text, byReferences.text]
    case .pairs(let byNames, _, let byReferences, _): [byNames.text, byReferences.text]
    }
  }

  /// Adds the keys of the rows from which the relationship leads, or led, to some of `members`.
  ///
  /// - Throws: DependencyObstacle where that cannot be known, or there are too many.
  func owners(of members: Set<Int64>, _ touched: TouchedRows, into found: inout KeyCollector) throws {
    if !isAlike {
      let isTouched = !members.isEmpty || touched.tables[pairsTable ?? node.table] != nil
      if isTouched { throw DependencyObstacle(reason: .unlikeColumns(relationship: name)) }
    }
    switch kind {
    case .reference(let byNames, let names):
      try run(byNames, of: members, names, touched, &found)
    case .inverse(let byMembers, let byReferences, let references):
      try byMembers.run(keys: members, memberInterner) { try found.add($0, interner) }
      try run(byReferences, former: references, of: node.table, touched, &found)
    case .pairs(let byNames, let names, let byReferences, let references):
      try run(byNames, of: members, names, touched, &found)
      guard let pairsTable, let pairs = touched.tables[pairsTable] else { return }
      try run(byReferences, former: references, of: pairsTable, touched, &found)
      if references.count == 1 {
        try run(byReferences, pairs.presentReferences[references[0]] ?? [], &found)
      } else {
        try byReferences.run(combinations: pairs.presentCombinations[references] ?? []) { try found.add($0, interner) }
      }
    }
  }

  // MARK: Parts

  /// The rows that refer to `members` by their keys, or by what else they are and were called.
  private func run(
    _ statement: ListStatement, of members: Set<Int64>, _ names: Names?, _ touched: TouchedRows,
    _ found: inout KeyCollector
  ) throws {
    guard let names else {
      return try statement.run(keys: members, memberInterner) { try found.add($0, interner) }
    }
    var present: Set<[Value?]> = []
    try names.byKeys.run(keys: members, memberInterner) { row in
      present.insert((0..<names.columns.count).map(row.value))
      return true
    }
    if names.columns.count == 1 {
      try run(statement, present.compactMap { $0[0] }, &found)
    } else {
      try statement.run(combinations: present) { try found.add($0, interner) }
    }
    try run(statement, former: names.columns, of: node.table, touched, &found)
  }

  /// The rows that columns of touched rows of a table referred to before.
  private func run(
    _ statement: ListStatement, former columns: [String], of table: String, _ touched: TouchedRows,
    _ found: inout KeyCollector
  ) throws {
    guard let rows = touched.tables[table] else { return }
    guard let former = rows.formerReferences else {
      let isUpdated = rows.updatedColumns.map { !$0.isDisjoint(with: columns) } ?? !rows.updated.isEmpty
      let isPairs = table == pairsTable
      if isPairs || isUpdated || !rows.deleted.isEmpty {
        throw DependencyObstacle(reason: .unknownReferences(table: rows.name))
      }
      return
    }
    if columns.count == 1 {
      try run(statement, former[columns[0]] ?? [], &found)
    } else {
      try statement.run(combinations: rows.formerCombinations[columns] ?? []) { try found.add($0, interner) }
    }
  }

  private func run(_ statement: ListStatement, _ values: [Value], _ found: inout KeyCollector) throws {
    let values = values.count > 1 ? Array(Set(values)) : values
    try statement.run(values: values) { try found.add($0, interner) }
  }
}

/// Keys that are gathered, each once, up to a limit.
struct KeyCollector {
  private(set) var keys: Set<Int64> = []
  let limit: Int

  init(limit: Int) { self.limit = limit }

  mutating func add(_ key: Int64) throws {
    keys.insert(key)
    if keys.count > limit { throw DependencyObstacle(reason: .tooMany) }
  }

  mutating func add(_ added: [Int64]) throws { for key in added { try add(key) } }

  /// Adds the key that a row begins with; answers that there may be more.
  mutating func add(_ row: Statement, _ interner: KeyInterner?) throws -> Bool {
    if let interner {
      try add(interner.number(of: (0..<row.columnCount).map(row.value)))
    } else {
      try add(row.integer(0))
    }
    return true
  }
}

/// Why the rows that a change affects cannot be told.
struct DependencyObstacle: Error {
  var reason: Dependencies.Reason
}
