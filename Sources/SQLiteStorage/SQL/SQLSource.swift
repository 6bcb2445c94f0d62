import Modeling
import SQLite

/// The FROM clause of a SELECT under construction: tables, and joins along to-one relationships, each made once.
///
/// All paths of a request that follow the same relationships share their joins. Joins are LEFT joins: a path through a
/// null reference, or through one to a deleted row, yields null.
final class SQLSource {
  private(set) var tables: [SQLFragment] = []
  private var joined: [Step: String] = [:]

  /// A to-one relationship followed from an alias, or a cast of its row to an entity.
  private struct Step: Hashable {
    var alias: String
    var relationship: Int?
    var entity: Entity?
  }

  /// The text after FROM.
  var sql: SQLFragment { tables.joined(separator: " ") }

  var isEmpty: Bool { tables.isEmpty }

  /// Adds a table, or a join.
  func add(_ table: SQLFragment) { tables.append(table) }

  /// The alias of the destination of a to-one relationship; the first call adds the join.
  func alias(from alias: String, along relationship: Int, join: () throws -> (alias: String, sql: SQLFragment)) rethrows
    -> String
  {
    try self.alias(Step(alias: alias, relationship: relationship), join: join)
  }

  /// The alias of the row of another alias, if its object is of `entity`; the first call adds the join.
  func alias(from alias: String, as entity: Entity, join: () throws -> (alias: String, sql: SQLFragment)) rethrows
    -> String
  {
    try self.alias(Step(alias: alias, entity: entity), join: join)
  }

  private func alias(_ step: Step, join: () throws -> (alias: String, sql: SQLFragment)) rethrows -> String {
    if let known = joined[step] { return known }
    let (alias, sql) = try join()
    joined[step] = alias
    tables.append(sql)
    return alias
  }
}

/// A row of an entity's table within a SELECT, by its alias.
struct SQLPlace {
  var source: SQLSource
  var entity: Entity
  var alias: String

  /// A column of the object's table.
  func column(_ name: String) -> SQLFragment { "\(raw: alias).\(name: name)" }
}
