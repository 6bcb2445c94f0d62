import Modeling

// What the rows themselves refuse.
extension Migrator {
  /// Attributes with values that their new type does not hold.
  func unconvertibleValues() throws(StoreError) -> [String] {
    var found: [String] = []
    for step in plan.steps {
      guard case .convertAttribute(let name, let property, let type, let newType) = step,
        let entity = new.model.entity(named: name), let source = plan.matching.source(of: entity),
        let index = entity.index(of: property), let former = plan.source(ofProperty: index, in: entity),
        case .column(let column)? = old.layouts[source]?.properties[former]
      else { continue }
      let layout = old.layouts[source]!
      let quoted = quoteIdentifier(layout.columns[column].name)
      let count = try count(
        layout.table,
        "\(quoted) IS NOT NULL AND perilune_convert(\(quoted), '\(type.rawValue)', '\(newType.rawValue)') IS NULL")
      if count > 0 {
        found.append("\(name).\(property): \(objects(count, have: "a value")) that is no \(newType.rawValue)")
      }
    }
    return found
  }

  /// Required properties that are nothing in some rows, and abstract entities with objects.
  func missingValues() throws(StoreError) -> [String] {
    var found: [String] = []
    for step in plan.steps {
      switch step {
      case .requireProperty(let name, let property, _):
        guard let entity = new.model.entity(named: name), let index = entity.index(of: property) else { continue }
        let layout = new.layouts[entity]!
        let column: Int
        switch layout.properties[index] {
        case .column(let place): column = place
        case .reference(let places, _): column = places[0]
        default: continue
        }
        let quoted = quoteIdentifier(layout.columns[column].name)
        let count = try count(layout.table, "\(quoted) IS NULL\(familyCondition(entity, layout))")
        if count > 0 { found.append("\(name).\(property): \(objects(count, have: "no value")), and it is required") }
      case .moveEntity(let name):
        guard let entity = new.model.entity(named: name), entity.isAbstract,
          let discriminator = new.layouts[entity]!.discriminator
        else { continue }
        let count = try count(
          new.layouts[entity]!.table, "\(quoteIdentifier(discriminator.column)) = \(quoteText(name))")
        if count > 0 { found.append("\(name): it is abstract, and has \(count) objects") }
      default: continue
      }
    }
    return found
  }

  /// Uniqueness that rows contradict.
  func duplicates() throws(StoreError) -> [String] {
    var found: [String] = []
    for table in new.schema.tables {
      let known = old.schema.tables.flatMap(\.indexes)
      for index in table.indexes where index.isUnique && !known.contains(index) {
        let list = index.columns.map(quoteIdentifier).joined(separator: ", ")
        let condition =
          ([index.condition].compactMap { $0 } + index.columns.map { "\(quoteIdentifier($0)) IS NOT NULL" })
          .joined(separator: " AND ")
        let sql = """
          SELECT \(list) FROM \(quoteIdentifier(table.name)) WHERE \(condition) GROUP BY \(list) HAVING count(*) > 1 LIMIT 1
          """
        guard let row = try connection.all(sql).first else { continue }
        let values = row.map(\.displayText).joined(separator: ", ")
        found.append(
          "\(entityName(of: table)): several objects have the same \(index.columns.joined(separator: ", ")), \(values)")
      }
    }
    return found
  }

  private func entityName(of table: TableSchema) -> String {
    new.model.entities.first { $0.parent == nil && new.tableName(of: $0) == table.name }?.name ?? table.name
  }

  private func familyCondition(_ entity: Entity, _ layout: EntityLayout) -> String {
    guard let discriminator = layout.discriminator else { return "" }
    let names = entity.family.map { quoteText($0.name) }.joined(separator: ", ")
    return " AND \(quoteIdentifier(discriminator.column)) IN (\(names))"
  }

  private func count(_ table: String, _ condition: String) throws(StoreError) -> Int {
    guard
      case .int(let count)? = try connection.first("SELECT count(*) FROM \(quoteIdentifier(table)) WHERE \(condition)")
    else { return 0 }
    return Int(count)
  }

  private func objects(_ count: Int, have what: String) -> String {
    count == 1 ? "1 object has \(what)" : "\(count) objects have \(what)"
  }
}
