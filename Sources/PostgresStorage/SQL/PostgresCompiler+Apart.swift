import Layouts
import Modeling
import Queries
import Stores

/// Members of to-manys on a server that does not join them with their owners: those members are found first whose owners are
/// wanted, and they name these.
extension PostgresCompiler {
  /// Members by themselves: a SELECT from them, the column that names the owner, and what it holds of the owner.
  private typealias Members = (place: PostgresPlace, name: PostgresSQL, owner: PostgresSQL, rest: PropertyPath?)

  private func membersApart(_ expression: Expression, at place: PostgresPlace) -> Members? {
    guard case .path(let path) = expression, let resolved = try? path.resolve(in: place.entity),
      resolved.toManyCount == 1, !resolved.hasCasts, let first = resolved.hops.firstIndex(where: \.isToMany),
      let owner = walk(resolved.hops[..<first], from: place)
    else { return nil }
    let destination = owner.entity.destination(at: resolved.hops[first].index)
    let (own, others) = (store.layout(of: owner.entity), store.layout(of: destination))
    guard case .inverse(let back, _) = own.properties[resolved.hops[first].index],
      case .reference(let columns, let target) = others.properties[back], columns.count == 1,
      let known = target.columns(own).first
    else { return nil }
    let member = self.place(destination)
    let rest = Array(path.components[(first + 1)...])
    return (
      member, member.column(others.columns[columns[0]].name), owner.column(known),
      rest.isEmpty ? nil : PropertyPath(rest, origin: path.origin)
    )
  }

  private func conditions(_ members: Members) -> [PostgresSQL] {
    ["\(members.name) IS NOT NULL"] + (family(members.place.entity, members.place.alias).map { [$0] } ?? [])
  }

  /// ANY, ALL or NONE of members, compared with constants.
  func quantifiedApart(_ comparison: Comparison, at place: PostgresPlace, isNegated: Bool) -> PostgresCondition? {
    let isConstant = comparison.right.constantValue != nil || comparison.right.listElements != nil
    guard isConstant, let members = membersApart(comparison.left, at: place) else { return nil }
    let (isAll, exists) = (comparison.modifier == .all, (comparison.modifier == .any) != isNegated)
    guard let test = elementTest(comparison, members.place, members.rest), test.isExact || exists && !isAll else {
      return nil
    }
    let tested: PostgresSQL = isAll ? "(\(test.sql)) IS NOT TRUE" : test.sql
    let names: PostgresSQL =
      "SELECT \(members.name) FROM \(members.place.source.sql) WHERE \((conditions(members) + [tested]).joined(" AND "))"
    let sql: PostgresSQL = "\(members.owner) \(raw: exists ? "" : "NOT ")IN (\(names))"
    return PostgresCondition(sql: sql, exactness: test.isExact ? .always : .never)
  }

  /// The number of a to-many's members, counted for all owners at once.
  func countApart(_ expression: Expression, at place: PostgresPlace) -> PostgresOperand? {
    guard let members = membersApart(expression, at: place), members.rest == nil, case .path(let path) = expression,
      path.components.count == 1, let relationship = place.entity.index(of: path.names[0])
    else { return nil }
    // To-ones that are joined have numbers from 0 on.
    let alias = place.source.alias(from: place.alias, along: -1 - relationship) {
      let alias = makeAlias()
      let counted: PostgresSQL = """
        SELECT \(members.name) AS owner, count(*) AS members FROM \(members.place.source.sql) \
        WHERE \(conditions(members).joined(" AND ")) GROUP BY 1
        """
      return (alias, " LEFT JOIN (\(counted)) AS \(raw: alias) ON \(raw: alias).owner = \(members.owner)")
    }
    return PostgresOperand(
      columns: ["COALESCE(\(raw: alias).members, 0)"], content: .value(ColumnForm(own: .integer64)))
  }
}
