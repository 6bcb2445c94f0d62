package import Modeling

extension ModelLayout {
  /// Adds a column for each derived attribute, either generated or maintained by triggers.
  mutating func addDerivedColumns() throws(DerivationError) {
    for entity in model.entities {
      for index in ownIndices(of: entity) {
        guard let attribute = entity.properties[index].attribute, let derivation = attribute.derivation else {
          continue
        }
        guard case .column(let position)? = layouts[entity]?.properties[index] else { continue }
        let column = layouts[entity]!.columns[position]
        do throws(DerivationError.Obstacle) {
          try add(DerivedCompiler.compile(derivation, entity, self), column, tableName(of: entity))
        } catch {
          throw DerivationError(
            entity: entity.name, attribute: attribute.name, derivation: derivation, obstacle: error)
        }
      }
    }
  }

  /// The columns of a root entity's table that triggers derive from other rows.
  package func columnsOfOtherRows(of root: Entity) -> [String] {
    root.family.flatMap { entity in
      ownIndices(of: entity).compactMap { index -> String? in
        guard let derivation = entity.properties[index].attribute?.derivation,
          case .column(let column)? = layouts[entity]?.properties[index],
          let expression = try? DerivedCompiler.compile(derivation, entity, self),
          !expression.chains.isEmpty || !expression.collections.isEmpty
        else { return nil }
        return layouts[entity]?.columns[column].name
      }
    }
  }

  private mutating func add(
    _ expression: DerivedExpression, _ column: ColumnLayout, _ table: String
  ) throws(DerivationError.Obstacle) {
    guard let columns = schema.table(table)?.columns,
      let place = columns.firstIndex(where: { $0.name == column.name })
    else { return }
    if expression.isGenerated {
      schema.change(table) { $0.columns[place].declaration += " GENERATED ALWAYS AS (\(expression.sql)) VIRTUAL" }
      return
    }
    let triggers = DerivedTriggers(expression, table: table, column: column.name, others: columns)
    let computation = ComputationSchema(
      column: column.name,
      statement: triggers.computation(where: expression.isNow ? "\(quoteIdentifier(column.name)) IS NULL" : nil),
      isMoment: expression.isNow)
    schema.change(table) { $0.computations.append(computation) }
    for (owner, body) in triggers.all where schema.table(owner) != nil {
      let name = names.take("\(table)_\(column.name)_trigger")
      let trigger = TriggerSchema(name: name, sql: "CREATE TRIGGER \(quoteIdentifier(name)) \(body)")
      schema.change(owner) { $0.triggers.append(trigger) }
    }
  }
}
