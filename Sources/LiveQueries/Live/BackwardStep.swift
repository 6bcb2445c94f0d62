internal import Modeling
internal import Storage

/// A relationship of a path, walked from the rows that it leads to back to those that it starts from.
///
/// It finds the rows from which it leads to touched ones after the commit, and those from which it led there before, by
/// what references held. A to-one whose own columns changed needs no finding: its row is touched itself.
struct BackwardStep {
  let relationship: Int
  /// The entity among whose properties it is: the node's own, or one that paths take its objects as.
  let owner: Entity
  private let name: String
  let node: DependencyNode
  /// The table of pairs, in lower case.
  let pairsTable: String?
  let lookUp: any OwnerLookUp

  /// Columns of the members, in lower case, by which others call them; empty where that is their key.
  private let memberNames: [String]
  /// Columns of the members, or of pairs, in lower case, which call the owners; empty where the owners refer.
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

  /// Whether rows of a table that matters from here on were touched.
  func isReached(by touched: TouchedRows) -> Bool {
    touched.tables.keys.contains { $0 == pairsTable || node.tables.contains($0) }
  }

  /// Adds the keys of the rows from which the relationship leads, or led, to some of `members`.
  ///
  /// - Throws: DependencyObstacle where that cannot be known, or there are too many.
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

  /// What columns of touched rows of a table held before; nil where none was touched.
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
  /// The columns that a reference repeats, in lower case; empty where it holds the key.
  fileprivate var names: [String] {
    if case .columns(let names) = self { names.map(asciiLowercased) } else { [] }
  }
}
