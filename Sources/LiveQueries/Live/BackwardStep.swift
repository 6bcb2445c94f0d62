internal import Modeling
internal import Stores

/// One relationship of a path, followed backwards from its destination rows to its source rows.
///
/// It finds the rows from which the relationship leads to touched rows after the commit, and those from which it led
/// there before, by the former references. If a to-one's own columns changed, its row is itself touched.
struct BackwardStep {
  let relationship: Int
  /// The entity that has the relationship: the node's own, or one to which a path casts.
  let owner: Entity
  private let name: String
  let node: DependencyNode
  /// The join table, in lower case.
  let pairsTable: String?
  let lookUp: any OwnerLookUp

  /// Columns of the members, in lower case, by which others refer to them; empty if others refer by key.
  private let memberNames: [String]
  /// Columns of the members, or of pairs, in lower case, that refer to the owners; empty if the owners refer.
  private let ownerReferences: [String]

  init(_ relationship: Int, from entity: Entity, to node: DependencyNode, _ store: any ObjectStore) throws {
    self.relationship = relationship
    owner = entity
    name = entity.properties[relationship].name
    self.node = node
    lookUp = try store.ownerLookUp(relationship, of: entity)
    switch store.layout(of: entity).properties[relationship] {
    case .reference(_, let target):
      (memberNames, ownerReferences, pairsTable) = (target.names, [], nil)
    case .inverse(let back, _):
      let members = store.layout(of: node.entity)
      let references = members.properties[back].ownColumns.map { asciiLowercased(members.columns[$0].name) }
      (memberNames, ownerReferences, pairsTable) = ([], references, nil)
    case .join(let join):
      (memberNames, ownerReferences) = (join.memberTarget.names, join.ownerColumns.map(asciiLowercased))
      pairsTable = asciiLowercased(join.table)
    case .column, .none: (memberNames, ownerReferences, pairsTable) = ([], [], nil)
    }
  }

  /// Whether a commit touched rows of a table from here to the end of the path.
  func isReached(by touched: TouchedRows) -> Bool {
    touched.tables.keys.contains { $0 == pairsTable || node.tables.contains($0) }
  }

  /// Adds the keys of the rows from which the relationship leads, or led, to any of `members`.
  ///
  /// - Throws: DependencyObstacle if these rows are unknown or too many.
  func owners(of members: Set<Int64>, _ touched: TouchedRows, into found: inout KeyCollector) throws {
    if !lookUp.isAlike {
      let isTouched = !members.isEmpty || touched.tables[pairsTable ?? node.table] != nil
      if isTouched { throw DependencyObstacle(reason: .unlikeColumns(relationship: name)) }
    }
    try lookUp.owners(of: members) { try found.add($0) }
    if !memberNames.isEmpty, let names = try former(memberNames, of: node.table, touched) {
      try lookUp.owners(ofMembersNamed: names) { try found.add($0) }
    }
    if ownerReferences.isEmpty { return }
    if let names = try former(ownerReferences, of: pairsTable ?? node.table, touched) {
      try lookUp.owners(named: names) { try found.add($0) }
    }
    guard let pairsTable, let pairs = touched.tables[pairsTable] else { return }
    let present =
      ownerReferences.count == 1
      ? ReferenceNames.values(pairs.presentReferences[ownerReferences[0]] ?? [])
      : .combinations(pairs.presentCombinations[ownerReferences] ?? [])
    try lookUp.owners(named: present) { try found.add($0) }
  }

  /// The former values of columns in a table's touched rows; nil if none was touched.
  private func former(_ columns: [String], of table: String, _ touched: TouchedRows) throws -> ReferenceNames? {
    guard let rows = touched.tables[table] else { return nil }
    guard let former = rows.formerReferences else {
      let isUpdated = rows.updatedColumns.map { !$0.isDisjoint(with: columns) } ?? !rows.updated.isEmpty
      let isPairs = table == pairsTable
      if isPairs || isUpdated || !rows.deleted.isEmpty {
        throw DependencyObstacle(reason: .unknownReferences(table: rows.name))
      }
      return nil
    }
    return columns.count == 1
      ? .values(former[columns[0]] ?? []) : .combinations(rows.formerCombinations[columns] ?? [])
  }
}

extension ReferenceTarget {
  /// The columns whose values a reference repeats, in lower case; empty if it holds the key.
  fileprivate var names: [String] {
    if case .columns(let names) = self { names.map(asciiLowercased) } else { [] }
  }
}
