import Modeling
import Queries
import SQLite

/// Key paths through to-one relationships.
extension SQLCompiler {
  /// Resolves a path's names in the model.
  func resolve(_ path: PropertyPath, in entity: Entity) throws -> ResolvedPath { try path.resolve(in: entity) }

  /// The row at the end of a path of to-one relationships, joined.
  func walk(
    _ hops: some Sequence<ResolvedPath.Hop>, from start: SQLPlace, path: PropertyPath
  ) throws -> SQLPlace {
    var place = start
    for hop in hops {
      guard !hop.isToMany else {
        throw PredicateError(.toManyWithoutQuantifier(path.text), at: path.origin)
      }
      place = try step(from: self.place(place, before: hop), along: hop.index)
    }
    return place
  }

  /// The row from which a relationship is followed.
  func place(_ place: SQLPlace, before hop: ResolvedPath.Hop) throws -> SQLPlace {
    hop.isCast ? cast(place, to: hop.owner) : place
  }

  /// The same row if its object is of `entity`, otherwise a row of nulls.
  ///
  /// This is a join rather than a CASE, so that SQLite can use an index of the compared column and begin with that row.
  private func cast(_ place: SQLPlace, to entity: Entity) -> SQLPlace {
    let alias = place.source.alias(from: place.alias, as: entity) {
      let alias = makeAlias()
      let table = schema.layout(entity).table
      schema.tellAlias(alias, AliasRole(entity: entity, table: table, origin: (place.alias, nil)))
      let sameRow = keyColumns(entity).map { "\(raw: alias).\(name: $0) = \(place.column($0))" as SQLFragment }
      let family = familyCondition(entity, alias: alias, includesSubentities: true)
      let link = (sameRow + (family.map { [$0] } ?? [])).joined(separator: " AND ")
      return (alias, "LEFT JOIN \(name: table) AS \(raw: alias) ON \(link)")
    }
    return SQLPlace(source: place.source, entity: entity, alias: alias)
  }

  /// Joins the destination of a to-one relationship.
  func step(from place: SQLPlace, along relationship: Int) throws -> SQLPlace {
    let destination = place.entity.destination(at: relationship)
    let alias = try place.source.alias(from: place.alias, along: relationship) {
      let alias = makeAlias()
      let link = try linkCondition(from: place, along: relationship, to: alias)
      let table = schema.layout(destination).table
      schema.tellAlias(alias, AliasRole(entity: destination, table: table, origin: (place.alias, relationship)))
      return (alias, "LEFT JOIN \(name: schema.layout(destination).table) AS \(raw: alias) ON \(link)")
    }
    return SQLPlace(source: place.source, entity: destination, alias: alias)
  }

  /// The condition that the row `alias` is the destination of a relationship that columns of either side hold.
  func linkCondition(from place: SQLPlace, along relationship: Int, to alias: String) throws -> SQLFragment {
    let destination = place.entity.destination(at: relationship)
    switch schema.layout(place.entity).properties[relationship] {
    case .reference(let columns, let target):
      let layout = schema.layout(place.entity)
      let theirs = targetColumns(target, of: destination)
      return zip(theirs, columns).map { their, mine in
        "\(raw: alias).\(name: their) = \(place.column(layout.columns[mine].name))"
      }.joined(separator: " AND ")
    case .inverse(let back, _):
      let layout = schema.layout(destination)
      guard case .reference(let columns, let target) = layout.properties[back] else { break }
      let mine = targetColumns(target, of: place.entity)
      return zip(columns, mine).map { their, mine in
        "\(raw: alias).\(name: layout.columns[their].name) = \(place.column(mine))"
      }.joined(separator: " AND ")
    case .column, .join, .none: break
    }
    throw unsupported(.notKept(place.entity.properties[relationship].name))
  }

  /// The value of an attribute at the end of a path of to-one relationships.
  func value(of path: PropertyPath, from place: SQLPlace) throws -> SQLOperand {
    let resolved = try resolve(path, in: place.entity)
    guard let attribute = resolved.attribute else { return try keyOperand(of: path, from: place) }
    var end = try walk(resolved.hops, from: place, path: path)
    if resolved.endsInCast { end = cast(end, to: resolved.end) }
    return try value(ofAttribute: attribute, elements: resolved.elements, at: end, path: path)
  }

  /// The column of an attribute, or an element within it.
  func value(ofAttribute index: Int, elements: [String], at place: SQLPlace, path: PropertyPath) throws -> SQLOperand {
    let layout = schema.layout(place.entity)
    guard case .column(let position) = layout.properties[index],
      let attribute = place.entity.properties[index].attribute
    else { throw unsupported(.transient(path.text, isRelationship: false), at: path.origin) }
    let column = layout.columns[position]
    if case .elements(let columns) = column.encoding, !elements.isEmpty {
      if let kept = columns.column(at: elements), let element = attribute.element(at: elements) {
        var operand = SQLOperand(sql: place.operand(kept), kind: SQLKind(kept.type), type: kept.type)
        if element.type == .composite { operand.composite = element }
        operand.kept = KeptColumn(sql: place.column(kept.name), encoding: kept.encoding)
        return operand
      }
    }
    let sql = place.operand(column)
    if elements.isEmpty {
      let kind = SQLKind(column.type)
      // The evaluation in memory compares bytes, regardless of the table's collation.
      let compared: SQLFragment =
        column.collation != nil && (kind == .text || kind == .any) ? "\(sql) COLLATE BINARY" : sql
      var operand = SQLOperand(sql: compared, kind: kind, isExact: column.isExact, type: column.type)
      if column.type == .composite { operand.composite = attribute }
      if column.type == .transformable { operand.array = array(in: sql, column, of: place.entity) }
      // Bounds of texts are of use in SQLite's own order only.
      if column.encoding != .plain, !column.encoding.isDateText || column.collation == nil {
        operand.kept = KeptColumn(sql: place.column(column.name), encoding: column.encoding)
      }
      operand.lowered = loweredColumn(of: attribute, column, at: place)
      return column.isExact || column.encoding.isDateText ? operand : normalized(operand)
    }
    return element(elements, of: attribute, in: column, sql, at: place)
  }

  /// An element within a composite or transformable attribute.
  private func element(
    _ names: [String], of attribute: Attribute, in column: ColumnLayout, _ sql: SQLFragment, at place: SQLPlace
  ) -> SQLOperand {
    guard let element = attribute.element(at: names) else {
      let keys = names.map { "\"\($0)\"" }.joined(separator: ".")
      let path = SQLFragment(value: .string("$." + keys))
      let value: SQLFragment = "json_extract(\(sql), \(path))"
      var operand = SQLOperand(sql: valid(value, column, sql), kind: .any, isExact: false, type: .any)
      operand.array = array(in: sql, column, path: path, of: place.entity)
      operand.text = valid("CASE WHEN json_type(\(sql), \(path)) = 'text' THEN \(value) END", column, sql)
      return operand
    }
    // The path is written into the SQL, because an index on the element is an index on this very expression.
    var value: SQLFragment = "json_extract(\(sql), \(raw: jsonPath(names)))"
    if element.type == .data { value = "base64_data(\(value))" }
    var operand = SQLOperand(
      sql: valid(value, column, sql), kind: SQLKind(element.type), isExact: column.isExact, type: element.type)
    if element.type == .composite { operand.composite = element }
    return column.isExact ? operand : normalized(operand)
  }

  /// The value, or null if a column of a plain SQLite file holds invalid JSON.
  private func valid(_ value: SQLFragment, _ column: ColumnLayout, _ sql: SQLFragment) -> SQLFragment {
    column.isExact ? value : "CASE WHEN json_valid(\(sql)) THEN \(value) END"
  }

  /// A column of a plain SQLite file whose values may be written in several ways.
  private func normalized(_ operand: SQLOperand) -> SQLOperand {
    let function: String
    switch operand.kind {
    case .decimal: function = "decimal_text"
    case .date: function = "date_seconds"
    case .uuid: function = "uuid_text"
    default: return operand
    }
    // Decimals and UUIDs are texts, and so are values that cannot be read as one; a date is a number.
    return SQLOperand(
      sql: "\(raw: function)(\(operand.sql))", kind: operand.kind, isExact: operand.kind != .date, type: operand.type)
  }
}
