import Modeling
import Queries
import SQLite

/// Expressions that are objects: SELF, to-one relationships, elements of SUBQUERY, object IDs.
extension SQLCompiler {
  /// The object that an expression refers to; nil if it is not an object.
  func object(_ expression: Queries.Expression, at place: SQLPlace) throws -> SQLObject? {
    switch expression {
    case .object: return object(at: place)
    case .variable(let name, let origin):
      let element = try variable(name, origin)
      return element.value == nil ? object(at: element.place) : nil
    case .path(let path): return try object(atEndOf: path, from: place)
    case .variablePath(let name, let path):
      let element = try variable(name, path.origin)
      return element.value == nil ? try object(atEndOf: path, from: element.place) : nil
    case .constant(.object(let id)): return constant(id)
    default: return nil
    }
  }

  /// The collection of the elements that a SUBQUERY variable refers to.
  func variable(_ name: String, _ origin: Origin?) throws -> SQLCollection {
    guard let element = variables[name] else {
      throw PredicateError(
        .unboundVariable(name, nearest: nearestName(to: name, in: variables.keys)), at: origin)
    }
    return element
  }

  private func object(at place: SQLPlace) -> SQLObject {
    SQLObject(
      entity: place.entity, target: .key, columns: keyColumns(place.entity).map(place.column), place: place,
      relationship: nil)
  }

  private func constant(_ id: ObjectID) -> SQLObject {
    // No row has the key of an object that was never saved.
    let values = id.isTemporary ? keyColumns(id.entity).map { _ in .int(id.key) } : schema.keyValues(id.entity, id.key)
    return SQLObject(
      entity: id.entity, target: .key, columns: values.map { SQLFragment(value: $0) }, place: nil, relationship: nil)
  }

  private func object(atEndOf path: PropertyPath, from start: SQLPlace) throws -> SQLObject? {
    let resolved = try resolve(path, in: start.entity)
    guard resolved.attribute == nil, !resolved.isToMany, let hop = resolved.hops.last else { return nil }
    let place = try self.place(walk(resolved.hops.dropLast(), from: start, path: path), before: hop)
    let last = hop.index
    let layout = schema.layout(place.entity)
    guard case .reference(let columns, let target) = layout.properties[last] else {
      return object(at: try step(from: place, along: last))
    }
    return SQLObject(
      entity: resolved.end, target: target, columns: columns.map { place.column(layout.columns[$0].name) },
      place: place, relationship: last)
  }

  /// The columns of two objects, side by side, that are equal where the objects are the same; nil if objects of their entities
  /// never are.
  func pairs(_ left: SQLObject, _ right: SQLObject) throws -> [(left: SQLFragment, right: SQLFragment)]? {
    guard left.entity.root === right.entity.root else { return nil }
    let (left, right) = try aligned(left, right)
    return zip(left, right).map { ($0, $1) }
  }

  /// The condition that a reference is null. A reference to a deleted row is not null.
  func isNothing(_ object: SQLObject) -> SQLFragment {
    let conditions = object.columns.map { "\($0) IS NULL" as SQLFragment }
    return conditions.count == 1 ? conditions[0] : "(\(conditions.joined(separator: " OR ")))"
  }

  /// The columns of both objects, in the same order.
  private func aligned(_ left: SQLObject, _ right: SQLObject) throws -> ([SQLFragment], [SQLFragment]) {
    if names(left) == names(right) { return (left.columns, right.columns) }
    if left.place == nil { return (values(of: left, as: right), right.columns) }
    if right.place == nil { return (left.columns, values(of: right, as: left)) }
    return (try keyed(left), try keyed(right))
  }

  private func names(_ object: SQLObject) -> [String] { targetColumns(object.target, of: object.entity) }

  /// A constant object's values for the columns of another object.
  private func values(of constant: SQLObject, as other: SQLObject) -> [SQLFragment] {
    let layout = schema.layout(constant.entity)
    let condition = zip(layout.key.columns, constant.columns).map { "\(name: $0) = \($1)" as SQLFragment }
      .joined(separator: " AND ")
    return names(other).map { "(SELECT \(name: $0) FROM \(name: layout.table) WHERE \(condition))" }
  }

  /// The key columns of an object, read from its row.
  private func keyed(_ object: SQLObject) throws -> [SQLFragment] {
    guard object.target != .key, let place = object.place, let relationship = object.relationship else {
      return object.columns
    }
    let row = try step(from: place, along: relationship)
    return keyColumns(row.entity).map(row.column)
  }

  /// The object at the end of a path as one value, for sorting, grouping and dictionaries: its key.
  func keyOperand(of path: PropertyPath, from place: SQLPlace) throws -> SQLOperand {
    guard let object = try object(.path(path), at: place) else {
      throw PredicateError(.toManyWithoutQuantifier(path.text), at: path.origin)
    }
    let key = Self.singleValue(try keyed(object))
    return SQLOperand(sql: key, kind: .any, isExact: false, type: .any, entity: object.entity)
  }

  /// The columns of a key as one value, which is ordered as they are.
  static func singleValue(_ columns: [SQLFragment]) -> SQLFragment {
    columns.count == 1 ? columns[0] : "row_key(\(columns.joined(separator: ", ")))"
  }
}
