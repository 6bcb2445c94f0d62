import Layouts
import Modeling
import Stores

// Checks of the rows.
extension Migrator {
  /// Attributes with values that do not fit their new type.
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
      let condition =
        "\(quoted) IS NOT NULL AND \(connection.converted(quoted, of: layout.table, from: type, to: newType)) IS NULL"
        + familyCondition(source.family.filter { plan.matching.result(of: $0) != nil }, layout)
      let count = try count(layout.table, condition)
      if count > 0 {
        let sample = try connection.first(
          "SELECT \(quoted) FROM \(quoteIdentifier(layout.table)) AS source WHERE \(condition) LIMIT 1")
        let what = objects(count, have: "a value") + " not of type \(newType.rawValue)"
        found.append("\(name).\(property): \(what)\(count == 1 ? ":" : ", such as") \(text(sample, of: type))")
      }
    }
    return found
  }

  /// A stored value in its display form.
  private func text(_ stored: Value?, of type: AttributeType) -> String {
    switch stored {
    case .double(let seconds)? where type == .date: Timestamp(seconds).iso8601
    case .int(let number)? where type == .boolean: number == 0 ? "false" : "true"
    case let value?: value.debugText
    case nil: ""
    }
  }

  /// Pairs whose members remain as objects to which the relationship no longer leads.
  func lostPairs() throws(StoreError) -> [String] {
    let matching = RelationshipMatching(plan: plan)
    let selection = PairSelection(old: old, matching: matching, shifts: shifts)
    var found: [String] = []
    for entity in new.model.entities {
      for index in new.ownIndices(of: entity) where entity.properties[index].relationship != nil {
        let declaration = ModelLayout.Declaration(entity, index)
        for source in matching.sources(of: declaration) {
          guard let sql = selection.lostCount(source, for: declaration),
            case .int(let count)? = try connection.first(sql), count > 0
          else { continue }
          let names = matching.lostMembers(of: source, for: declaration).map(\.name).sorted()
          found.append(
            "\(entity.name).\(declaration.name): \(objects(Int(count), have: "one")) of \(names.joined(separator: ", ")),"
              + " and it leads to \(entity.destination(at: index).name)")
        }
      }
    }
    return found
  }

  /// Required properties that are nil in some rows, and abstract entities with objects.
  func missingValues() throws(StoreError) -> [String] {
    var found: [String] = []
    for name in requiredProperties {
      guard let entity = new.model.entity(named: name.entity), let index = entity.index(of: name.property) else {
        continue
      }
      let layout = new.layouts[entity]!
      let column: Int
      switch layout.properties[index] {
      case .column(let place): column = place
      case .reference(let places, _): column = places[0]
      default: continue
      }
      let quoted = quoteIdentifier(layout.columns[column].name)
      let count = try count(layout.table, "\(quoted) IS NULL\(familyCondition(entity.family, layout))")
      if count > 0 {
        found.append("\(name.entity).\(name.property): \(objects(count, have: "no value")), and it is required")
      }
    }
    for entity in new.model.entities where entity.isAbstract && isMade(new.tableName(of: entity)) {
      let layout = new.layouts[entity]!
      let condition =
        layout.discriminator.map { "\(quoteIdentifier($0.column)) = \(quoteText(entity.name))" } ?? "1 = 1"
      let count = try count(layout.table, condition)
      if count > 0 {
        found.append("\(entity.name): it is abstract, and has \(count == 1 ? "1 object" : "\(count) objects")")
      }
    }
    return found
  }

  /// The required properties that may lack values.
  private var requiredProperties: [MigrationPlan.PropertyName] {
    var names: [MigrationPlan.PropertyName] = []
    func add(_ entity: String, _ property: String) {
      let name = MigrationPlan.PropertyName(entity: entity, property: property)
      if !names.contains(name) { names.append(name) }
    }
    for step in plan.steps {
      if case .requireProperty(let entity, let property, _) = step { add(entity, property) }
    }
    guard isSevering else { return names }
    for entity in new.model.entities {
      for index in new.ownIndices(of: entity) {
        guard let relationship = entity.properties[index].relationship, !relationship.isOptional,
          !relationship.isToMany
        else { continue }
        add(entity.name, relationship.name)
      }
    }
    return names
  }

  /// Uniqueness constraints that rows violate.
  func duplicates() throws(StoreError) -> [String] {
    var found: [String] = []
    for table in new.schema.tables {
      let known = isMade(table.name) ? [] : old.schema.table(table.name)?.indexes ?? []
      for index in table.indexes where index.isUnique && !known.contains(index) {
        let list = index.columns.map(quoteIdentifier).joined(separator: ", ")
        let condition =
          ([index.condition].compactMap { $0 } + index.columns.map { "\(quoteIdentifier($0)) IS NOT NULL" })
          .joined(separator: " AND ")
        let sql = """
          SELECT \(list) FROM \(quoteIdentifier(table.name)) WHERE \(condition) GROUP BY \(list) HAVING count(*) > 1 LIMIT 1
          """
        guard let row = try connection.all(sql).first else { continue }
        let (entity, names) = people(index, table)
        let values = row.map(\.displayText).joined(separator: ", ")
        found.append("\(entity): several objects have the same \(names.joined(separator: ", ")), \(values)")
      }
    }
    return found
  }

  /// The entity and the properties of an index, by their names in the model.
  private func people(_ index: IndexSchema, _ table: TableSchema) -> (entity: String, properties: [String]) {
    let roots = new.model.entities.filter { $0.parent == nil && new.tableName(of: $0) == table.name }
    for entity in roots.flatMap(\.family) {
      let layout = new.layouts[entity]!
      let names = index.columns.compactMap { column in
        entity.properties.indices.first { property in
          layout.properties[property].ownColumns.contains { layout.columns[$0].name == column }
        }.map { entity.properties[$0].name }
      }
      if names.count == index.columns.count { return (entity.name, names) }
    }
    return (roots.first?.name ?? table.name, index.columns)
  }

  private func familyCondition(_ entities: [Entity], _ layout: EntityLayout) -> String {
    guard let discriminator = layout.discriminator else { return "" }
    let names = entities.map { quoteText($0.name) }.joined(separator: ", ")
    return " AND \(quoteIdentifier(discriminator.column)) IN (\(names))"
  }

  private func count(_ table: String, _ condition: String) throws(StoreError) -> Int {
    guard
      case .int(let count)? = try connection.first(
        "SELECT count(*) FROM \(quoteIdentifier(table)) AS source WHERE \(condition)")
    else { return 0 }
    return Int(count)
  }

  private func objects(_ count: Int, have what: String) -> String {
    count == 1 ? "1 object has \(what)" : "\(count) objects have \(what)"
  }
}
