import Layouts
import Modeling
package import StoreErrors
import Stores

// The content that has no place in the new model.
extension Migrator {
  /// The data that the new model has no place for; read before anything changes.
  package func losses() throws(StoreError) -> [String] {
    var found: [String] = []
    for step in plan.steps {
      switch step {
      case .removeEntity(let name):
        guard let entity = old.model.entity(named: name), let layout = old.layouts[entity] else { continue }
        // Each subentity that goes has a step of its own.
        let count = try count(of: [entity], layout, "1 = 1")
        if count > 0 { found.append("\(count == 1 ? "1 \(name)" : "\(count) \(name) objects") would be deleted") }
      case .removeProperty(let name, let property):
        if let source = source(of: name) { found += try loss(name, property, source, source.index(of: property)) }
      case .changeDerivation(let name, let property):
        // A stored attribute is computed from now on.
        guard let source = source(of: name), let index = former(property, of: name),
          source.properties[index].attribute?.isDerived == false
        else { continue }
        found += try loss(name, property, source, index)
      case .changeRelationship(let name, let property, let rules) where rules.contains(MigrationPlan.unordered):
        guard let source = source(of: name), let index = former(property, of: name),
          let count = try linkCount(ModelLayout.Declaration(source, index)), count > 0
        else { continue }
        found.append("\(name).\(property): the order of \(count == 1 ? "1 link" : "\(count) links") would be lost")
      default: continue
      }
    }
    for severed in plan.severed.sorted(by: { ($0.entity, $0.property) < ($1.entity, $1.property) }) {
      guard let source = source(of: severed.entity) else { continue }
      found += try loss(severed.entity, severed.property, source, former(severed.property, of: severed.entity))
    }
    return found
  }

  /// The old entity of a new one with a name.
  private func source(of name: String) -> Entity? {
    new.model.entity(named: name).flatMap { plan.matching.source(of: $0) }
  }

  /// The index, in the old entity, of a property of the new one.
  private func former(_ property: String, of name: String) -> Int? {
    guard let entity = new.model.entity(named: name), let index = entity.index(of: property) else { return nil }
    return plan.matching.source(ofProperty: index, in: entity)
  }

  private func loss(
    _ name: String, _ property: String, _ source: Entity, _ index: Int?
  ) throws(StoreError) -> [String] {
    guard let index, let count = try lostCount(source, index), count > 0 else { return [] }
    let values = source.properties[index].relationship == nil ? "value" : "link"
    return ["\(name).\(property): \(count == 1 ? "1 \(values)" : "\(count) \(values)s") would be lost"]
  }

  private func lostCount(_ source: Entity, _ index: Int) throws(StoreError) -> Int? {
    guard let layout = old.layouts[source] else { return nil }
    switch (layout.properties[index], source.properties[index]) {
    case (.column(let column), .attribute(let attribute)) where !attribute.isDerived:
      let losing = source.family.filter { entity in
        guard let result = plan.matching.result(of: entity) else { return false }
        return !result.properties.indices.contains {
          result.properties[$0].isStored && plan.source(ofProperty: $0, in: result) == index
        }
      }
      return try count(of: losing, layout, "\(quoteIdentifier(layout.columns[column].name)) IS NOT NULL")
    case (_, .relationship):
      let declaration = ModelLayout.Declaration(source, index)
      let matching = RelationshipMatching(plan: plan)
      // The inverse may remain, and the pairs with it.
      let isKept = new.model.entities.contains { entity in
        new.ownIndices(of: entity).contains { index in
          entity.properties[index].relationship?.isTransient == false
            && matching.sources(of: ModelLayout.Declaration(entity, index)).contains {
              $0.declaration == declaration || $0.declaration == declaration.inverse
            }
        }
      }
      return isKept ? nil : try linkCount(declaration)
    default: return nil
    }
  }

  private func linkCount(_ declaration: ModelLayout.Declaration) throws(StoreError) -> Int? {
    let selection = PairSelection(old: old, matching: RelationshipMatching(plan: plan), shifts: shifts)
    guard let sql = selection.count(declaration), case .int(let count)? = try connection.first(sql) else { return nil }
    return Int(count)
  }

  private func count(of entities: [Entity], _ layout: EntityLayout, _ condition: String) throws(StoreError) -> Int {
    guard !entities.isEmpty else { return 0 }
    var sql = "SELECT count(*) FROM \(quoteIdentifier(layout.table)) WHERE \(condition)"
    if let discriminator = layout.discriminator {
      let names = entities.map { quoteText($0.name) }.joined(separator: ", ")
      sql += " AND \(quoteIdentifier(discriminator.column)) IN (\(names))"
    }
    guard case .int(let count)? = try connection.first(sql) else { return 0 }
    return Int(count)
  }
}

extension Property {
  /// Whether its values are kept as they are given.
  fileprivate var isStored: Bool { !isTransient && attribute?.isDerived != true }
}
