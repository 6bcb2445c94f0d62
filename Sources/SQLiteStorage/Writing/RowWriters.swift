import Modeling
import SQLite

/// A cache of compiled statements that write rows, for further rows of the same entity and columns.
final class RowWriters {
  private var inserts: [ObjectIdentifier: InsertStatement] = [:]
  /// The texts of the row that is inserted.
  let texts = BoundTexts()
  /// The UPDATEs of each entity, oldest first.
  private var updates: [ObjectIdentifier: [UpdateStatement]] = [:]
  private var deletes: [ObjectIdentifier: Statement] = [:]
  /// The highest key of a deleted row, by root entity, while no row has a higher one.
  private var retiredKeys: [ObjectIdentifier: Int64] = [:]

  /// Returns the INSERT of an entity.
  func insert(_ entity: Entity, make: () throws -> InsertStatement) rethrows -> InsertStatement {
    if let known = inserts[ObjectIdentifier(entity)] { return known }
    let made = try make()
    inserts[ObjectIdentifier(entity)] = made
    return made
  }

  /// The number of UPDATEs that are kept for an entity, one for each set of columns.
  private static let updateLimit = 16

  /// Returns the UPDATE of the changed columns, if it is cached.
  func update(_ entity: Entity, _ changes: [(column: Int, value: Value)]) -> UpdateStatement? {
    guard let known = updates[ObjectIdentifier(entity)] else { return nil }
    return known.last {
      $0.columns.count == changes.count && zip($0.columns, changes).allSatisfy { $0 == $1.column }
    }
  }

  /// Caches the UPDATE of some columns of an entity, in place of the oldest one.
  func keep(_ statement: UpdateStatement, of entity: Entity) {
    var known = updates[ObjectIdentifier(entity)] ?? []
    if known.count >= Self.updateLimit { known.removeFirst() }
    known.append(statement)
    updates[ObjectIdentifier(entity)] = known
  }

  /// Returns the highest key of a deleted row that SQLite might assign to a new one.
  func retired(_ entity: Entity) -> Int64? {
    retiredKeys.isEmpty ? nil : retiredKeys[ObjectIdentifier(entity.root)]
  }

  /// Records the key of a deleted row.
  func retire(_ key: Int64, of entity: Entity) {
    let id = ObjectIdentifier(entity.root)
    retiredKeys[id] = max(key, retiredKeys[id] ?? key)
  }

  /// Call this when rows have higher keys than the deleted ones.
  func forgetRetired(_ entity: Entity) { retiredKeys[ObjectIdentifier(entity.root)] = nil }

  /// Returns the DELETE of one row of an entity.
  func delete(_ entity: Entity, make: () throws -> Statement) rethrows -> Statement {
    if let known = deletes[ObjectIdentifier(entity)] { return known }
    let made = try make()
    deletes[ObjectIdentifier(entity)] = made
    return made
  }
}

/// An UPDATE of some columns of a row.
struct UpdateStatement {
  let statement: Statement
  /// For each parameter but those of the key, the index of the layout's column.
  let columns: [Int]
  /// The numbers of the entity's keys; nil if the row id is the key.
  let interner: KeyInterner?
}

/// An INSERT of whole rows, with the columns of its parameters.
struct InsertStatement {
  let statement: Statement
  /// For each parameter, the index of the layout's column.
  let columns: [Int]
  /// The columns, by name, that the store fills if no value is given.
  let defaulted: [Int]
  /// The numbers of the entity's keys; nil if the row id is the key.
  let interner: KeyInterner?
}
