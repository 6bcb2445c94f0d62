package import Modeling

// Recorded changes in the names of the present model.
extension HistoryNames {
  /// Returns the numbers with which changes of an entity and its subentities have been recorded.
  package func numbers(of entity: Entity) -> Set<Int64> {
    let names = Set(entity.family.map(\.name))
    return Set(
      entities.indices.filter { !entities[$0].isRetired && names.contains(entities[$0].name) }.map { Int64($0 + 1) })
  }

  /// Returns the entity of the model that an entry stands for; nil if the model no longer has it.
  package func entity(of entry: EntityEntry, in model: Model) -> Entity? {
    entry.isRetired ? nil : model.entity(named: entry.name)
  }

  /// Returns the name of a property by its bit; nil if it belongs to another entity of the same table.
  package func name(
    ofProperty position: Int, of entry: EntityEntry, _ entity: Entity?, in model: Model
  ) -> String? {
    guard let property = property(position, of: entry) else { return nil }
    guard let entity, !property.isRetired, let owner = model.entity(named: property.entity) else {
      return property.name
    }
    return entity.isKind(of: owner) ? property.name : nil
  }

  /// Returns a recorded change with names; nil if it only concerns columns of other entities.
  package func change(
    _ recorded: RecordedChange, in model: Model, tombstone: [String: Value]
  ) -> HistoryChange? {
    guard let entry = entity(recorded.number) else { return nil }
    let entity = self.entity(of: entry, in: model)
    var properties: [String] = []
    if recorded.kind == .update {
      properties = recorded.positions.compactMap { name(ofProperty: $0, of: entry, entity, in: model) }
      if properties.isEmpty { return nil }
      if let entity { properties.sort { entity.index(of: $0) ?? .max < entity.index(of: $1) ?? .max } }
    }
    return HistoryChange(
      entity: entity, entityName: entry.name, key: recorded.key, kind: recorded.kind, updatedProperties: properties,
      tombstone: tombstone)
  }
}
