package import Modeling

// Keeping the numbers stable while a migration renames.
extension HistoryNames {
  /// Returns the names after a migration by `plan`: existing numbers are kept, and new names get new ones.
  package func migrated(by plan: MigrationPlan, to model: Model) -> HistoryNames {
    var result = self
    for place in entities.indices where !entities[place].isRetired {
      let source = plan.matching.old.entity(named: entities[place].name)
      let successor = source.flatMap(plan.matching.result)
      result.entities[place].name = successor?.name ?? entities[place].name
      result.entities[place].isRetired = successor == nil
    }
    var claimed: Set<Int> = []
    for root in model.entities where root.parent == nil {
      let family = continuedFamily(of: root, plan).flatMap { claimed.insert($0).inserted ? $0 : nil }
      result.renumber(root, family, from: self, plan)
    }
    return result
  }

  /// The property list used so far for a root entity's objects, if it was the same for all.
  private func continuedFamily(of root: Entity, _ plan: MigrationPlan) -> Int? {
    let families = Set(
      root.family.compactMap { plan.matching.source(of: $0) }.compactMap { number(of: $0) }.map {
        entities[$0 - 1].family
      })
    return families.count == 1 ? families.first : nil
  }

  private mutating func renumber(_ root: Entity, _ continued: Int?, from old: HistoryNames, _ plan: MigrationPlan) {
    let family = continued ?? families.count
    if continued == nil { families.append([]) }
    var properties = families[family]
    for place in properties.indices { properties[place].isRetired = true }
    // A property that moved to several subentities continues as the first of them.
    var taken: Set<Int> = []
    for entity in root.family {
      let source = plan.matching.source(of: entity)
      let former = source.flatMap { old.number(of: $0) }
      if former.map({ old.entities[$0 - 1].family == family }) != true {
        entities.append(EntityEntry(name: entity.name, family: family))
      }
      let first = entity.properties.count - entity.description.properties.count
      for index in first..<entity.properties.count {
        let entry = PropertyEntry(entity: entity.name, name: entity.properties[index].name)
        let formerIndex = plan.source(ofProperty: index, in: entity)
        let position = source.flatMap { source in formerIndex.flatMap { old.position(of: $0, in: source) } }
        if continued != nil, let position, taken.insert(position).inserted {
          properties[position] = entry
        } else {
          properties.append(entry)
        }
      }
    }
    families[family] = properties
  }
}
