import Modeling
import Queries

// Attributes of the object itself, and of the destinations of its to-one relationships.
extension DerivedCompiler {
  func resolve(_ path: PropertyPath, in entity: Entity) throws(DerivationError.Obstacle) -> ResolvedPath {
    let resolved: ResolvedPath
    do { resolved = try path.resolve(in: entity) } catch {
      throw DerivationError.Obstacle.text(error)
    }
    guard !resolved.hasCasts else { throw DerivationError.Obstacle.castToEntity(path: path.text) }
    return resolved
  }

  /// The column of a path's last attribute, and the columns from which SQLite generates it, if it does.
  func column(
    _ index: Int, of entity: Entity, _ path: PropertyPath
  ) throws(DerivationError.Obstacle) -> (name: String, sources: [String], type: AttributeType) {
    guard case .column(let position)? = layout.layouts[entity]?.properties[index],
      let attribute = entity.properties[index].attribute
    else { throw DerivationError.Obstacle.notKept(path: path.text) }
    let column = layout.layouts[entity]!.columns[position]
    guard let derivation = attribute.derivation else { return (column.name, [column.name], column.type) }
    let expression = try Self.compile(derivation, ModelLayout.Declaration(entity, index).entity, layout, after: visited)
    // A derived column may use a generated column like any other column. Columns that triggers maintain would have to
    // be computed in the right order.
    guard expression.isGenerated || (path.components.count == 1 && !isQualified) else {
      throw DerivationError.Obstacle.derivedThroughRelationships(path: path.text)
    }
    return (column.name, expression.isGenerated ? expression.ownColumns.sorted() : [column.name], column.type)
  }

  mutating func path(_ path: PropertyPath) throws(DerivationError.Obstacle) -> Operand {
    let resolved = try resolve(path, in: entity)
    guard let attribute = resolved.attribute else {
      throw DerivationError.Obstacle.noAttribute(path: path.text)
    }
    if !resolved.elements.isEmpty, resolved.finalElement == nil {
      throw DerivationError.Obstacle.noElement(path: path.text)
    }
    func value(_ column: String, _ type: AttributeType) -> Operand {
      guard let element = resolved.finalElement else { return (column, type) }
      return ("json_extract(\(column), \(jsonPath(resolved.elements)))", element.type)
    }
    guard !resolved.isToMany else {
      throw DerivationError.Obstacle.manyValues(path: path.text)
    }
    let end = try column(attribute, of: resolved.end, path)
    guard !resolved.hops.isEmpty else {
      result.ownColumns.formUnion(end.sources)
      return value(own(end.name), end.type)
    }
    let hops = try hops(resolved, path)
    result.ownColumns.insert(hops[0].column)
    result.chains.append(DerivedChain(hops: hops, columns: end.sources))
    let tables = hops.indices.map { "\(quoteIdentifier(hops[$0].table)) AS t\($0 + 1)" }
    let joins = hops.indices.dropFirst().map {
      "t\($0).\(quoteIdentifier(hops[$0].column)) = t\($0 + 1).\(ModelLayout.key)"
    }
    let conditions = ["t1.\(ModelLayout.key) = \(own(hops[0].column))"] + joins
    let sql = """
      (SELECT t\(hops.count).\(quoteIdentifier(end.name)) FROM \(tables.joined(separator: ", ")) \
      WHERE \(conditions.joined(separator: " AND ")))
      """
    return value(sql, end.type)
  }

  private func hops(_ path: ResolvedPath, _ text: PropertyPath) throws(DerivationError.Obstacle) -> [DerivedChain.Hop] {
    var current = entity
    var hops: [DerivedChain.Hop] = []
    for index in path.hops.map(\.index) {
      guard case .reference(let columns, _)? = layout.layouts[current]?.properties[index] else {
        throw DerivationError.Obstacle.notKept(path: text.text)
      }
      let destination = current.destination(at: index)
      hops.append(
        DerivedChain.Hop(
          column: layout.layouts[current]!.columns[columns[0]].name, table: layout.tableName(of: destination)))
      current = destination
    }
    return hops
  }

  func own(_ column: String) -> String {
    isQualified
      ? "\(quoteIdentifier(layout.tableName(of: entity))).\(quoteIdentifier(column))" : quoteIdentifier(column)
  }
}
