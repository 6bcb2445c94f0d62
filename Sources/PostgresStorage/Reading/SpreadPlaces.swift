import Modeling
import Stores

/// The values by which known rows are spread over the nodes of Citus.
///
/// A statement that names the value with the key is one task of one node; with the key alone it is a task for each part of the
/// table. A row never moves, as its value cannot be updated; but another program may delete it, and make one of the same key in
/// another place. So rows that are missing where they were are looked for everywhere.
final class SpreadPlaces {
  /// More rows are forgotten.
  private static let most = 100_000
  /// More keys than these are looked for everywhere.
  private static let mostTogether = 64

  private var places: [ObjectIdentifier: [Int64: Value]] = [:]
  private var count = 0

  func note(_ entity: Entity, key: Int64, _ value: Value) {
    if count >= Self.most { (places, count) = ([:], 0) }
    if places[ObjectIdentifier(entity.root), default: [:]].updateValue(value, forKey: key) == nil { count += 1 }
  }

  /// The values of some rows; nil where one is not known, or for too many rows.
  func values(_ entity: Entity, _ keys: [Int64]) -> Set<Value>? {
    guard keys.count <= Self.mostTogether, let known = places[ObjectIdentifier(entity.root)] else { return nil }
    var values: Set<Value> = []
    for key in keys {
      guard let value = known[key] else { return nil }
      values.insert(value)
    }
    return values
  }

  /// Forgets some rows; false if none of them was known.
  func forget(_ entity: Entity, _ keys: [Int64]) -> Bool {
    let root = ObjectIdentifier(entity.root)
    let known = keys.filter { places[root]?.removeValue(forKey: $0) != nil }
    count -= known.count
    return !known.isEmpty
  }
}

extension PostgresStore {
  /// The column of the layout by which the rows of an entity are spread over nodes; nil for a table of which each node has a
  /// copy, and for tables of others.
  func spreadColumn(of entity: Entity) -> Int? {
    guard format.distributes, let name = entity.root.description.userInfo[TableDistribution.option],
      let index = entity.root.index(of: name)
    else { return nil }
    return layout(of: entity).properties[index].ownColumns.first
  }

  /// The rows of a SELECT that has the condition of some keys; nil for no keys.
  func found(
    _ place: PostgresPlace, _ keys: [Int64], _ select: (PostgresSQL) -> PostgresSQL
  ) throws -> PostgresRowSource? {
    guard let condition = keyCondition(place, keys) else { return nil }
    let result = try pool.run(select(condition))
    guard result.rowCount < keys.count, spreadPlaces.forget(place.entity, keys),
      let anywhere = keyCondition(place, keys)
    else { return PostgresRowSource(result: result) }
    return PostgresRowSource(result: try pool.run(select(anywhere)))
  }

  /// The condition that adds the places of rows to the one of their keys; nothing where they are not known.
  func placeCondition(_ place: PostgresPlace, _ keys: [Int64]) -> PostgresSQL {
    guard let column = spreadColumn(of: place.entity), let values = spreadPlaces.values(place.entity, keys) else {
      return ""
    }
    let arguments = values.compactMap { try? argument($0, column, place.entity) }
    guard arguments.count == values.count else { return "" }
    return " AND \(place.column(layout(of: place.entity).columns[column].name)) IN (\(arguments.joined(", ")))"
  }
}
