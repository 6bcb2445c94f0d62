import Modeling
import Queries
import SQLite

/// The facts about a store that the SQL compiler needs.
struct SQLSchema {
  var layout: (Entity) -> EntityLayout
  /// The column values of a key.
  var keyValues: (Entity, Int64) -> [Value]
  /// The numbers of an entity's keys; nil where the key is the row id.
  var interner: (Entity) -> KeyInterner? = { _ in nil }
  /// The current instant, for `now()`.
  var now: () -> Timestamp = { Timestamp(0) }
  /// Called with each alias, for explanations of statements.
  var tellAlias: (String, AliasRole) -> Void = { _, _ in }
}

/// Translates predicates and expressions into SQL. Each statement has its own compiler, so that aliases never clash.
///
/// The meaning is that of `Predicate.evaluate`: three-valued, with a comparison with nil neither true nor false. Paths
/// through to-one relationships become LEFT JOINs of their SELECT; paths through to-many relationships become EXISTS or
/// correlated subqueries.
///
/// The parts: SQLCompiler+Predicates and +Comparisons for conditions, +Text for string operators, +Expressions and
/// +Functions for values, +Paths, +Objects and +Collections for relationships.
final class SQLCompiler {
  let schema: SQLSchema
  /// Whether to use only functions of SQLite's own, for SQL that the file's schema stores.
  var isBuiltInOnly = false
  /// Whether aggregate functions take the rows of a group.
  var isAggregating = false
  /// The columns that aggregates are made of in a second step; nil where they are made of rows.
  var partials: PartialColumns?
  /// The elements of each SUBQUERY, by its variable.
  var variables: [String: SQLCollection] = [:]
  private var aliasCount = 0

  init(_ schema: SQLSchema) { self.schema = schema }

  /// A new alias: t0, t1, ...
  func makeAlias() -> String {
    defer { aliasCount += 1 }
    return "t\(aliasCount)"
  }

  /// Begins a SELECT from the table of `entity`.
  func place(_ entity: Entity) -> SQLPlace {
    let source = SQLSource()
    let alias = makeAlias()
    source.add("\(name: schema.layout(entity).table) AS \(raw: alias)")
    schema.tellAlias(alias, AliasRole(entity: entity, table: schema.layout(entity).table))
    return SQLPlace(source: source, entity: entity, alias: alias)
  }

  /// Begins a SELECT of the objects that a request looks through, without its predicate.
  func rows(of request: FetchRequest) -> (statement: SelectStatement, place: SQLPlace) {
    let place = place(request.entity)
    var statement = SelectStatement()
    let family = familyCondition(
      request.entity, alias: place.alias, includesSubentities: request.includesSubentities)
    if let family { statement.conditions.append(SQLCondition(family)) }
    return (statement, place)
  }

  /// The columns that hold an object's key.
  func keyColumns(_ entity: Entity) -> [String] { schema.layout(entity).key.columns }

  /// The names of the columns whose values a reference's columns repeat.
  func targetColumns(_ target: ReferenceTarget, of entity: Entity) -> [String] {
    switch target {
    case .key: keyColumns(entity)
    case .columns(let names): names
    }
  }

  /// The condition that a row is of the entity, or of one of its subentities; nil if every row of the table is.
  func familyCondition(_ entity: Entity, alias: String, includesSubentities: Bool) -> SQLFragment? {
    guard let discriminator = schema.layout(entity).discriminator else { return nil }
    let column: SQLFragment = "\(raw: alias).\(name: discriminator.column)"
    if includesSubentities {
      if entity.parent == nil { return nil }
    }
    let members = (includesSubentities ? entity.family : [entity]).filter { !$0.isAbstract || $0 === entity }
    let values = members.compactMap { schema.layout($0).discriminator?.value }.map { SQLFragment(value: $0) }
    if values.count == 1 { return "\(column) = \(values[0])" }
    return "\(column) IN (\(values.joined(separator: ", ")))"
  }

  /// Returns the error for an expression that the store cannot answer.
  func unsupported(_ what: PredicateError.Unsupported, at origin: Origin? = nil) -> PredicateError {
    PredicateError(.unsupported(what), at: origin)
  }
}
