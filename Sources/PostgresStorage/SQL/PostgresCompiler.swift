import Layouts
import Modeling
import Postgres
import Queries
import Stores

/// Translates predicates and sort descriptors into SQL, as far as PostgreSQL answers exactly as `Predicate.evaluate` does.
///
/// Where it would answer otherwise - regular expressions, decimals, collections of values - functions return nil, and the
/// caller evaluates in memory. Where it would for some values, an operand has a domain. NOT is moved to the comparisons, so that only "true or not" matters at the end.
final class PostgresCompiler {
  let store: PostgresStore
  /// The elements that SUBQUERY names.
  var variables: [String: PostgresPlace] = [:]
  private var aliasCount = 0

  init(_ store: PostgresStore) { self.store = store }

  func makeAlias() -> String {
    defer { aliasCount += 1 }
    return "t\(aliasCount)"
  }

  /// Begins a SELECT from the table of `entity`.
  func place(_ entity: Entity) -> PostgresPlace {
    let alias = makeAlias()
    return PostgresPlace(
      source: PostgresSource("\(store.table(store.layout(of: entity).table)) AS \(raw: alias)"), entity: entity,
      alias: alias)
  }

  /// The condition that a row of the entity's table belongs to the entity, or to its family; nil if every row does.
  func family(_ entity: Entity, _ alias: String, includesSubentities: Bool = true) -> PostgresSQL? {
    guard let discriminator = store.layout(of: entity).discriminator else { return nil }
    if includesSubentities, entity.parent == nil { return nil }
    let members = (includesSubentities ? entity.family : [entity]).filter { !$0.isAbstract || $0 === entity }
    let names = members.compactMap { store.layout(of: $0).discriminator?.value }.map { value -> String in
      if case .string(let text) = value { text } else { value.displayText }
    }
    return "\(column: alias, discriminator.column) = ANY(\(.texts(names)))"
  }

  // MARK: Paths

  /// Joins the destinations of to-one relationships; nil if a hop cannot be joined.
  func walk(_ hops: some Sequence<ResolvedPath.Hop>, from start: PostgresPlace) -> PostgresPlace? {
    var place = start
    for hop in hops {
      guard !hop.isToMany, !hop.isCast, let next = step(from: place, along: hop.index) else { return nil }
      place = next
    }
    return place
  }

  /// Joins the destination of one to-one; nil if it cannot be joined.
  func step(from place: PostgresPlace, along relationship: Int) -> PostgresPlace? {
    let layout = store.layout(of: place.entity)
    guard case .reference(let columns, let target) = layout.properties[relationship] else { return nil }
    let destination = place.entity.destination(at: relationship)
    let others = store.layout(of: destination)
    let names = zip(columns.map { layout.columns[$0].name }, target.columns(others)).map { ($0, $1) }
    guard store.meeting(layout.table, "", others.table, "", linking: names) != nil else { return nil }
    let alias = place.source.alias(from: place.alias, along: relationship) {
      let alias = makeAlias()
      let link = names.map { column, name -> PostgresSQL in "\(column: alias, name) = \(place.column(column))" }
      let meeting = store.meeting(layout.table, place.alias, others.table, alias, linking: names) ?? []
      let table = store.table(others.table)
      return (alias, " LEFT JOIN \(table) AS \(raw: alias) ON \((link + meeting).joined(" AND "))")
    }
    return PostgresPlace(source: place.source, entity: destination, alias: alias)
  }

  /// Begins a SELECT of the members of a to-many, and returns the condition that ties them to the owner; nil if rows of the
  /// tables cannot be joined.
  func enter(
    _ relationship: Int, from owner: PostgresPlace
  ) -> (member: PostgresPlace, conditions: [PostgresSQL], order: PostgresSQL?)? {
    let destination = owner.entity.destination(at: relationship)
    let (own, others) = (store.layout(of: owner.entity), store.layout(of: destination))
    let alias = makeAlias()
    var source: PostgresSQL = "\(store.table(others.table)) AS \(raw: alias)"
    var conditions: [PostgresSQL]
    var order: PostgresSQL?
    switch own.properties[relationship] {
    case .inverse(let back, let orderColumn):
      guard case .reference(let columns, let target) = others.properties[back] else { return nil }
      let names = zip(target.columns(own), columns.map { others.columns[$0].name }).map { ($0, $1) }
      guard let meeting = store.meeting(own.table, owner.alias, others.table, alias, linking: names) else { return nil }
      conditions = names.map { "\(column: alias, $1) = \(owner.column($0))" as PostgresSQL } + meeting
      order = orderColumn.map { "\(column: alias, $0)" }
    case .join(let join):
      guard let spread = store.spread, spread[join.table] == nil, spread[others.table] == nil else { return nil }
      let pair = makeAlias()
      let link = zip(join.memberTarget.columns(others), join.memberColumns).map { name, column -> PostgresSQL in
        "\(column: alias, name) = \(column: pair, column)"
      }
      source = "\(store.table(join.table)) AS \(raw: pair) JOIN \(source) ON \(link.joined(" AND "))"
      conditions = zip(join.ownerColumns, join.ownerTarget.columns(own)).map { column, name in
        "\(column: pair, column) = \(owner.column(name))"
      }
      order = join.order.map { "\(column: pair, $0)" }
    case .column, .reference, .none: return nil
    }
    if let family = family(destination, alias) { conditions.append(family) }
    return (PostgresPlace(source: PostgresSource(source), entity: destination, alias: alias), conditions, order)
  }

  // MARK: Operands

  /// The operand of an expression at a row; nil if the database is not asked for it.
  func operand(_ expression: Expression, at place: PostgresPlace) -> PostgresOperand? {
    switch expression {
    case .path(let path): return operand(path, at: place)
    case .variablePath(let name, let path): return variables[name].flatMap { operand(path, at: $0) }
    case .variable(let name, _): return variables[name].map(object)
    case .object: return object(place)
    case .collection(.count, of: let source, key: nil): return count(source, at: place)
    case .function(let function, let arguments, _): return operand(function, arguments, at: place)
    default: return nil
    }
  }

  func operand(_ path: PropertyPath, at place: PostgresPlace) -> PostgresOperand? {
    guard let resolved = try? path.resolve(in: place.entity), !resolved.isToMany, !resolved.hasCasts,
      resolved.elements.isEmpty
    else { return nil }
    guard let attribute = resolved.attribute else {
      guard let last = resolved.hops.last, let owner = walk(resolved.hops.dropLast(), from: place) else { return nil }
      let layout = store.layout(of: owner.entity)
      guard !last.isCast, case .reference(let columns, let target) = layout.properties[last.index] else { return nil }
      return PostgresOperand(
        columns: columns.map { owner.column(layout.columns[$0].name) }, content: .object(last.destination, target))
    }
    guard let owner = walk(resolved.hops, from: place) else { return nil }
    let layout = store.layout(of: owner.entity)
    guard case .column(let index) = layout.properties[attribute] else { return nil }
    let form = store.tables.form(layout.table, layout.columns[index].name)
    let column = "\(owner.alias).\(quoted(layout.columns[index].name))"
    return PostgresOperand(columns: [PostgresSQL(raw: form.compared(column))], content: .value(form))
  }

  private func object(_ place: PostgresPlace) -> PostgresOperand {
    PostgresOperand(
      columns: store.layout(of: place.entity).key.columns.map(place.column), content: .object(place.entity, .key))
  }

  /// The number of a to-many's members, or of the objects that a SUBQUERY finds.
  private func count(_ source: Expression, at place: PostgresPlace) -> PostgresOperand? {
    guard let found = elements(source, at: place) else { return countApart(source, at: place) }
    guard found.rest == nil else { return nil }
    return PostgresOperand(
      columns: ["(SELECT count(*) FROM \(found.place.source.sql) WHERE \(found.conditions.joined(" AND ")))"],
      content: .value(ColumnForm(own: .integer64)))
  }

  /// The objects to which an expression leads, and the path from each to the value.
  func elements(
    _ expression: Expression, at place: PostgresPlace
  ) -> (place: PostgresPlace, conditions: [PostgresSQL], rest: PropertyPath?)? {
    switch expression {
    case .path(let path): return elements(path, at: place)
    case .variablePath(let name, let path): return variables[name].flatMap { elements(path, at: $0) }
    case .subquery(let source, let name, let predicate):
      guard var found = elements(source, at: place), found.rest == nil else { return nil }
      let outer = variables.updateValue(found.place, forKey: name)
      defer { variables[name] = outer }
      // A path without the variable starts where it does outside.
      guard let condition = condition(predicate, at: place), condition.isExact else { return nil }
      found.conditions.append(condition.sql)
      return found
    default: return nil
    }
  }

  private func elements(
    _ path: PropertyPath, at place: PostgresPlace
  ) -> (place: PostgresPlace, conditions: [PostgresSQL], rest: PropertyPath?)? {
    guard let resolved = try? path.resolve(in: place.entity), resolved.toManyCount == 1, !resolved.hasCasts,
      let first = resolved.hops.firstIndex(where: \.isToMany), let owner = walk(resolved.hops[..<first], from: place),
      let (member, conditions, _) = enter(resolved.hops[first].index, from: owner)
    else { return nil }
    let rest = Array(path.components[(first + 1)...])
    return (member, conditions, rest.isEmpty ? nil : PropertyPath(rest, origin: path.origin))
  }
}
