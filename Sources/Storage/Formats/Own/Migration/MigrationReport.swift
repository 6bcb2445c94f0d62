import Modeling
import SQLite
package import StoreErrors

/// The steps of a completed or planned migration, with its obstacles and data losses.
public struct MigrationReport: Hashable, Sendable {
  /// The steps, stage by stage and entity by entity.
  public var steps: [MigrationStep] = []
  /// The changes that cannot be inferred, and the rows that violate the new model; any obstacle stops the migration.
  public var obstacles: [String] = []
  /// The data of removed entities and properties, counted.
  public var losses: [String] = []

  package init() {}
}

extension MigrationReport: CustomStringConvertible {
  /// The report for people: one line for each step, loss and obstacle.
  public var description: String {
    var lines = steps.isEmpty && obstacles.isEmpty ? ["nothing to migrate"] : steps.map(\.description)
    lines += losses.map { "! \($0)" }
    if !obstacles.isEmpty { lines += ["refused:"] + obstacles.map { "  \($0)" } }
    return lines.joined(separator: "\n")
  }
}

// MARK: Losses

extension Migrator {
  /// The data that removed entities and properties take with them; read before anything changes.
  package func losses() throws(StoreError) -> [String] {
    var found: [String] = []
    for step in plan.steps {
      switch step {
      case .removeEntity(let name):
        guard let entity = old.model.entity(named: name), let layout = old.layouts[entity] else { continue }
        let count = try count(of: entity.family.filter { plan.matching.result(of: $0) == nil }, layout, "1 = 1")
        if count > 0 { found.append("\(count == 1 ? "1 \(name)" : "\(count) \(name) objects") would be deleted") }
      case .removeProperty(let name, let property):
        guard let entity = new.model.entity(named: name), let source = plan.matching.source(of: entity),
          let index = source.index(of: property), let count = try lostCount(source, index), count > 0
        else { continue }
        let values = source.properties[index].relationship == nil ? "value" : "link"
        found.append("\(name).\(property): \(count == 1 ? "1 \(values)" : "\(count) \(values)s") would be lost")
      default: continue
      }
    }
    return found
  }

  private func lostCount(_ source: Entity, _ index: Int) throws(StoreError) -> Int? {
    guard let layout = old.layouts[source] else { return nil }
    switch (layout.properties[index], source.properties[index]) {
    case (.column(let column), .attribute(let attribute)) where !attribute.isDerived:
      let losing = source.family.filter { entity in
        guard let result = plan.matching.result(of: entity) else { return false }
        return !result.properties.indices.contains { plan.source(ofProperty: $0, in: result) == index }
      }
      return try count(of: losing, layout, "\(quoteIdentifier(layout.columns[column].name)) IS NOT NULL")
    case (_, .relationship):
      let declaration = ModelLayout.Declaration(source, index)
      let matching = RelationshipMatching(plan: plan)
      // The inverse may remain, and the pairs with it.
      let isKept = new.model.entities.contains { entity in
        new.ownIndices(of: entity).contains { index in
          entity.properties[index].relationship != nil
            && matching.sources(of: ModelLayout.Declaration(entity, index)).contains {
              $0.declaration == declaration || $0.declaration == declaration.inverse
            }
        }
      }
      guard !isKept, let sql = PairSelection(old: old, matching: matching, shifts: shifts).count(declaration),
        case .int(let count)? = try connection.first(sql)
      else { return nil }
      return Int(count)
    default: return nil
    }
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
