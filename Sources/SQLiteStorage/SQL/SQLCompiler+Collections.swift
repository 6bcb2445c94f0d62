import Modeling
import Queries
import SQLite

/// Paths through to-many relationships, SUBQUERY, and the operators over collections.
extension SQLCompiler {
  /// The elements of the collection that an expression leads to; nil if it leads to a single value.
  func collection(_ expression: Queries.Expression, at place: SQLPlace) throws -> SQLCollection? {
    switch expression {
    case .path(let path): return try collection(path, from: place)
    case .variablePath(let name, let path):
      let element = try variable(name, path.origin)
      return element.value == nil ? try collection(path, from: element.place) : nil
    case .subquery(let source, let variable, let predicate):
      guard var found = try elements(source, at: place) else {
        throw unsupported(.subqueryOfNoCollection)
      }
      if let rest = found.rest {
        let resolved = try resolve(rest, in: found.place.entity)
        guard resolved.attribute == nil else { throw unsupported(.subqueryOfValues, at: rest.origin) }
        found.place = try walk(resolved.hops, from: found.place, path: rest)
        found.rest = nil
      }
      let outer = variables.updateValue(found, forKey: variable)
      defer { variables[variable] = outer }
      found.conditions.append(try condition(predicate, at: place))
      return found
    case .collection(let function, let elements, let key)
    where function.isUnion:
      guard var found = try self.elements(elements, at: place) else { return nil }
      if let key { found = try extended(found, by: key) }
      found.isDistinct = function.isDistinct
      if found.isDistinct, let isThere = try isThere(found) { found.conditions.append(isThere) }
      return found
    default: return nil
    }
  }

  private func collection(_ path: PropertyPath, from place: SQLPlace) throws -> SQLCollection? {
    let resolved = try resolve(path, in: place.entity)
    guard let first = resolved.hops.firstIndex(where: \.isToMany) else { return nil }
    let owner = try self.place(walk(resolved.hops[..<first], from: place, path: path), before: resolved.hops[first])
    let (member, condition, order) = try enter(resolved.hops[first].index, from: owner, into: SQLSource())
    let found = SQLCollection(place: member, conditions: [condition], order: self.order(of: member, order))
    let rest = Array(path.components[(first + 1)...])
    return rest.isEmpty ? found : try extended(found, by: PropertyPath(rest, origin: path.origin))
  }

  /// The condition that an element is not nil; nil if it never is.
  private func isThere(_ found: SQLCollection) throws -> SQLCondition? {
    guard found.rest != nil || found.value != nil else { return nil }
    switch try found.element(self) {
    case .value(let operand): return SQLCondition("\(operand.sql) IS NOT NULL")
    case .object(let object): return SQLCondition(isNothing(object), .atom).negated
    case .list, .collection: return nil
    }
  }

  /// The collection of the values at the end of `path` from each element.
  func extended(_ collection: SQLCollection, by path: PropertyPath) throws -> SQLCollection {
    var found = collection
    if let rest = found.rest {
      let resolved = try resolve(rest, in: found.place.entity)
      found.place = try walk(resolved.hops, from: found.place, path: rest)
    }
    found.rest = path
    let resolved = try resolve(path, in: found.place.entity)
    guard let next = resolved.hops.firstIndex(where: \.isToMany) else { return found }
    let last = resolved.hops[next]
    let owner = try place(walk(resolved.hops[..<next], from: found.place, path: path), before: last)
    let (member, condition, order) = try enter(last.index, from: owner, into: owner.source)
    found.place = member
    found.conditions.append(condition)
    found.rest = nil
    found.order += self.order(of: member, order)
    let rest = Array(path.components[(next + 1)...])
    return rest.isEmpty ? found : try extended(found, by: PropertyPath(rest, origin: path.origin))
  }

  /// The order of a to-many relationship's members: their position, if the relationship is ordered, then their key.
  private func order(of member: SQLPlace, _ order: SQLFragment?) -> [SQLFragment] {
    (order.map { [$0] } ?? []) + keyColumns(member.entity).map(member.column)
  }

  /// Adds the members of a to-many relationship to a FROM clause; returns the condition that joins them to the owner.
  func enter(_ relationship: Int, from owner: SQLPlace, into source: SQLSource) throws -> (
    member: SQLPlace, condition: SQLCondition, order: SQLFragment?
  ) {
    let destination = owner.entity.destination(at: relationship)
    let layout = schema.layout(destination)
    let alias = makeAlias()
    let word = source.isEmpty ? "" : "JOIN "
    let member = SQLPlace(source: source, entity: destination, alias: alias)
    schema.tellAlias(
      alias, AliasRole(entity: destination, table: layout.table, origin: (owner.alias, relationship)))
    var conditions: [SQLFragment]
    var order: SQLFragment?
    switch schema.layout(owner.entity).properties[relationship] {
    case .inverse(_, let orderColumn):
      source.add("\(raw: word)\(name: layout.table) AS \(raw: alias)")
      conditions = [try linkCondition(from: owner, along: relationship, to: alias)]
      order = orderColumn.map(member.column)
    case .join(let join):
      let pair = makeAlias()
      schema.tellAlias(
        pair,
        AliasRole(entity: destination, table: join.table, origin: (owner.alias, relationship), isPairs: true))
      let ours = targetColumns(join.ownerTarget, of: owner.entity)
      let theirs = targetColumns(join.memberTarget, of: destination)
      let link = zip(theirs, join.memberColumns).map {
        "\(member.column($0)) = \(raw: pair).\(name: $1)" as SQLFragment
      }
      source.add("\(raw: word)\(name: join.table) AS \(raw: pair)")
      source.add("JOIN \(name: layout.table) AS \(raw: alias) ON \(link.joined(separator: " AND "))")
      conditions = zip(join.ownerColumns, ours).map { "\(raw: pair).\(name: $0) = \(owner.column($1))" }
      order = join.order.map { "\(raw: pair).\(name: $0)" }
    case .column, .reference, .none:
      throw unsupported(.notKept(owner.entity.properties[relationship].name))
    }
    if let family = familyCondition(destination, alias: alias, includesSubentities: true) { conditions.append(family) }
    return (member, .all(conditions.map { SQLCondition($0) }), order)
  }
}
