internal import Layouts
internal import Modeling
internal import Stores

// Objects in statements, by their identity.
extension ComparisonSide {
  /// What the columns that refer to an object hold.
  func contents(of target: ReferenceTarget, _ entity: Entity, _ identity: [Value]) -> [TableStatement.Content] {
    let layout = store.layout(of: entity)
    let condition = condition(entity, identity)
    return target.columns(layout).map { name in
      if let known = condition.first(where: { $0.column.name == name }) { return known.content }
      return .lookUp(column: name, table: layout.table, where: condition)
    }
  }

  /// The contents by which the row of an object is found.
  func condition(_ entity: Entity, _ identity: [Value]) -> [TableStatement.Setting] {
    let layout = store.layout(of: entity)
    guard let properties = identities[entity] else {
      return layout.key.columns.prefix(1).map { .init(.key($0), .value(identity.first ?? .null)) }
    }
    var settings: [TableStatement.Setting] = []
    for (property, value) in zip(properties, identity) {
      switch layout.properties[property] {
      case .column(let column): settings.append(.init(layout.columns[column], .value(value)))
      case .reference(let columns, let target):
        let contents = contents(of: target, entity.destination(at: property), [value])
        settings += zip(columns, contents).map { .init(layout.columns[$0], $1) }
      case .inverse, .join, .none: break
      }
    }
    // Objects of other entities in the table may have the same values.
    if let (column, value) = layout.discriminator, entity.parent != nil, entity.subentities.isEmpty {
      settings.append(.init(.key(column), .value(value)))
    }
    return settings
  }
}
