import Modeling

extension ModelLayout {
  /// A to-many kept in a table of pairs, with its inverse; the side that sorts first gives the table its name.
  package struct RelationshipPair: Hashable {
    package var first: Declaration
    package var second: Declaration?

    package init(_ declaration: Declaration) {
      first = declaration
      second = declaration.inverse
      guard let inverse = second else { return }
      if (inverse.entity.name, inverse.name) < (declaration.entity.name, declaration.name) {
        (first, second) = (inverse, declaration)
      }
    }

    package var isSymmetric: Bool { first == second }
  }

  package struct JoinTable {
    package var pair: RelationshipPair
    package var name: String
    package var firstColumn: String
    package var secondColumn: String
    /// The place in the list of the first side's owner, and in that of the second's.
    package var firstOrder: String?
    package var secondOrder: String?
  }

  mutating func nameJoins(of entity: Entity) {
    for index in ownIndices(of: entity) {
      let declaration = Declaration(entity, index)
      guard isJoin(declaration) else { continue }
      let pair = RelationshipPair(declaration)
      guard joins[pair] == nil else { continue }
      let owner = snake(pair.first.entity.name) + "_pk"
      let destination = pair.first.entity.destination(at: pair.first.index)
      var columns = UniqueNames()
      var join = JoinTable(
        pair: pair, name: names.take(snake(pair.first.entity.name) + "_" + snake(pair.first.name)),
        firstColumn: columns.take(owner), secondColumn: "")
      let member = snake(destination.name) + "_pk"
      join.secondColumn = columns.take(member == owner ? snake(pair.first.name) + "_pk" : member)
      if pair.first.relationship?.isOrdered == true {
        join.firstOrder = columns.take(snake(pair.first.name) + "_order")
      }
      if let second = pair.second, !pair.isSymmetric, second.relationship?.isOrdered == true {
        join.secondOrder = columns.take(snake(second.name) + "_order")
      }
      joins[pair] = join
    }
  }

  package func isJoin(_ declaration: Declaration) -> Bool {
    guard let relationship = declaration.relationship, relationship.isToMany, !relationship.isTransient else {
      return false
    }
    return declaration.inverse?.relationship?.isToMany ?? true
  }

  func joinLayout(_ declaration: Declaration) -> JoinLayout {
    let join = joins[RelationshipPair(declaration)]!
    let isFirst = join.pair.first == declaration
    return JoinLayout(
      table: join.name, ownerColumns: [isFirst ? join.firstColumn : join.secondColumn], ownerTarget: .key,
      memberColumns: [isFirst ? join.secondColumn : join.firstColumn], memberTarget: .key,
      order: isFirst ? join.firstOrder : join.secondOrder, isSymmetric: join.pair.isSymmetric)
  }

  func table(of join: JoinTable) -> TableSchema {
    func reference(to entity: Entity) -> String {
      "INTEGER NOT NULL REFERENCES \(quoteIdentifier(tableName(of: entity)))"
        + "(\(quoteIdentifier(Self.key))) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED"
    }
    let first = join.pair.first
    var columns = [
      ColumnSchema(name: join.firstColumn, declaration: reference(to: first.entity)),
      ColumnSchema(name: join.secondColumn, declaration: reference(to: first.entity.destination(at: first.index))),
    ]
    columns += [join.firstOrder, join.secondOrder].compactMap { $0 }.map {
      ColumnSchema(name: $0, declaration: "INTEGER")
    }
    return TableSchema(name: join.name, columns: columns, pairKey: [join.firstColumn, join.secondColumn])
  }
}
