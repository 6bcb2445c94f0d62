import Layouts
import Modeling
import Stores

/// Selects the pairs of a relationship from the tables of an old layout, with the keys of a new one.
struct PairSelection {
  let old: ModelLayout
  let matching: RelationshipMatching
  let shifts: KeyShifts

  /// The table and columns of the pairs.
  private struct Place {
    var table: String
    var owner: String
    var member: String
    /// The column with the member's place in the owner's order, and the column with the owner's place in the member's.
    var order: String?
    var otherOrder: String?
  }

  /// A SELECT of owner, member, the member's place and the owner's; nil if no pair remains.
  func select(_ source: RelationshipMatching.Source, for declaration: ModelLayout.Declaration) -> String? {
    guard let place = place(of: source) else { return nil }
    let destination = declaration.entity.destination(at: declaration.index)
    let columns = [
      shifts.shifted(quoteIdentifier(place.owner), from: source.owner, to: declaration.entity) + " AS owner",
      shifts.shifted(quoteIdentifier(place.member), from: source.member, to: destination) + " AS member",
      (place.order.map(quoteIdentifier) ?? "CAST(NULL AS INTEGER)") + " AS place",
      (place.otherOrder.map(quoteIdentifier) ?? "CAST(NULL AS INTEGER)") + " AS other",
    ]
    var conditions = [place.owner, place.member].map { "\(quoteIdentifier($0)) IS NOT NULL" }
    let strangers = [
      (place.owner, source.owner, matching.outsiders(source.owner, declaration.entity)),
      (place.member, source.member, matching.outsiders(source.member, destination)),
    ]
    for (column, family, outsiders) in strangers where !outsiders.isEmpty {
      guard let condition = isOne(column, of: outsiders, family) else { return nil }
      conditions.append("NOT \(condition)")
    }
    let ends = [(place.owner, source.owner, declaration.entity), (place.member, source.member, destination)]
    for (column, former, entity) in ends where matching.plan.isMerged(entity.root) {
      // A dangling key might belong to another object afterwards.
      let table = quoteIdentifier(old.tableName(of: former))
      conditions.append("\(quoteIdentifier(column)) IN (SELECT \(ModelLayout.key) FROM \(table))")
    }
    return "SELECT \(columns.joined(separator: ", ")) FROM \(quoteIdentifier(place.table))"
      + " WHERE \(conditions.joined(separator: " AND "))"
  }

  /// Whether a join table already holds exactly the right pairs.
  func isKept(_ source: RelationshipMatching.Source, in join: ModelLayout.JoinTable) -> Bool {
    let declaration = join.pair.first
    let destination = declaration.entity.destination(at: declaration.index)
    guard let place = place(of: source) else { return false }
    return place.table == join.name && place.owner == join.firstColumn && place.member == join.secondColumn
      && place.order == join.firstOrder && (join.pair.isSymmetric || place.otherOrder == join.secondOrder)
      && !matching.plan.isMerged(declaration.entity.root) && !matching.plan.isMerged(destination.root)
      && matching.outsiders(source.owner, declaration.entity).isEmpty
      && matching.outsiders(source.member, destination).isEmpty
  }

  /// Counts the pairs that would be lost because their members become objects of another kind.
  func lostCount(_ source: RelationshipMatching.Source, for declaration: ModelLayout.Declaration) -> String? {
    let lost = matching.lostMembers(of: source, for: declaration)
    guard !lost.isEmpty, let place = place(of: source), let condition = isOne(place.member, of: lost, source.member)
    else { return nil }
    return "SELECT count(*) FROM \(quoteIdentifier(place.table))"
      + " WHERE \(condition) AND \(quoteIdentifier(place.owner)) IS NOT NULL"
  }

  /// Counts the pairs.
  func count(_ declaration: ModelLayout.Declaration) -> String? {
    place(of: RelationshipMatching.Source(declaration: declaration)).map { place in
      "SELECT count(*) FROM \(quoteIdentifier(place.table)) WHERE \(quoteIdentifier(place.member)) IS NOT NULL"
        + " AND \(quoteIdentifier(place.owner)) IS NOT NULL"
    }
  }

  /// The condition that a column refers to an object of one of `entities`, all of one family.
  private func isOne(_ column: String, of entities: [Entity], _ family: Entity) -> String? {
    let layout = old.layouts[family]!
    guard let discriminator = layout.discriminator else { return nil }
    let names = entities.map { quoteText($0.name) }.joined(separator: ", ")
    return "(\(quoteIdentifier(column)) IN (SELECT \(ModelLayout.key) FROM \(quoteIdentifier(layout.table))"
      + " WHERE \(quoteIdentifier(discriminator.column)) IN (\(names))))"
  }

  private func place(of source: RelationshipMatching.Source) -> Place? {
    let declaration = source.declaration
    let layout = old.layouts[declaration.entity]!
    var place: Place
    switch layout.properties[declaration.index] {
    case .reference(let columns, _):
      place = Place(table: layout.table, owner: ModelLayout.key, member: layout.columns[columns[0]].name)
      place.otherOrder = declaration.inverse.flatMap { old.orders[$0] }
    case .inverse(let inverse, let order):
      let members = old.layouts[declaration.entity.destination(at: declaration.index)]!
      guard case .reference(let columns, _) = members.properties[inverse] else { return nil }
      place = Place(
        table: members.table, owner: members.columns[columns[0]].name, member: ModelLayout.key, order: order)
    case .join(let join):
      place = Place(
        table: join.table, owner: join.ownerColumns[0], member: join.memberColumns[0], order: join.order)
      if !join.isSymmetric, let inverse = declaration.inverse,
        case .join(let other)? = old.layouts[inverse.entity]?.properties[inverse.index]
      {
        place.otherOrder = other.order
      }
    case .column, .none: return nil
    }
    if source.isReversed {
      (place.owner, place.member) = (place.member, place.owner)
      (place.order, place.otherOrder) = (place.otherOrder, place.order)
    }
    return place
  }
}
