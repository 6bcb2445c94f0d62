import Modeling
import SQLite

/// Compiled statements that write rows, kept for the next row of the same entity and columns.
final class RowWriters {
  private var inserts: [ObjectIdentifier: InsertStatement] = [:]
  /// The UPDATEs of each entity, in the order in which they were made.
  private var updates: [ObjectIdentifier: [(columns: [Int], statement: Statement)]] = [:]
  private var deletes: [ObjectIdentifier: Statement] = [:]
  /// The highest key that a row was deleted under, by root entity, while no row has a higher one.
  private var retiredKeys: [ObjectIdentifier: Int64] = [:]

  /// The INSERT of an entity.
  func insert(_ entity: Entity, make: () throws -> InsertStatement) rethrows -> InsertStatement {
    if let known = inserts[ObjectIdentifier(entity)] { return known }
    let made = try make()
    inserts[ObjectIdentifier(entity)] = made
    return made
  }

  /// So many UPDATEs of an entity are kept, for as many sets of columns.
  private static let updateLimit = 16

  /// The UPDATE of the columns that are changed, if it was kept.
  func update(_ entity: Entity, _ changes: [(column: Int, value: Value)]) -> Statement? {
    guard let known = updates[ObjectIdentifier(entity)] else { return nil }
    let found = known.last {
      $0.columns.count == changes.count && zip($0.columns, changes).allSatisfy { $0 == $1.column }
    }
    return found?.statement
  }

  /// Keeps the UPDATE of some columns of an entity, in place of the one that was kept longest.
  func keep(_ statement: Statement, of entity: Entity, _ columns: [Int]) {
    var known = updates[ObjectIdentifier(entity)] ?? []
    if known.count >= Self.updateLimit { known.removeFirst() }
    known.append((columns, statement))
    updates[ObjectIdentifier(entity)] = known
  }

  /// The highest key of a deleted row that SQLite might give to a new one.
  func retired(_ entity: Entity) -> Int64? {
    retiredKeys.isEmpty ? nil : retiredKeys[ObjectIdentifier(entity.root)]
  }

  /// Notes that a row was deleted.
  func retire(_ key: Int64, of entity: Entity) {
    let id = ObjectIdentifier(entity.root)
    retiredKeys[id] = max(key, retiredKeys[id] ?? key)
  }

  /// Notes that rows have higher keys than those deleted.
  func forgetRetired(_ entity: Entity) { retiredKeys[ObjectIdentifier(entity.root)] = nil }

  /// The DELETE of one row of an entity.
  func delete(_ entity: Entity, make: () throws -> Statement) rethrows -> Statement {
    if let known = deletes[ObjectIdentifier(entity)] { return known }
    let made = try make()
    deletes[ObjectIdentifier(entity)] = made
    return made
  }
}

/// An INSERT of whole rows, and which of the row's values each parameter takes.
struct InsertStatement {
  let statement: Statement
  /// For each parameter, the index of the layout's column.
  let columns: [Int]
  /// The columns, by name, that the store fills where nothing is given.
  let defaulted: [Int]
  /// The numbers of the entity's keys; nil where the row id is the key.
  let interner: KeyInterner?
}
