internal import Layouts
package import Modeling
internal import Stores

/// An entity that two stores have, with the properties that are compared.
package struct ComparedEntity {
  package let first: Entity
  package let second: Entity
  package let rule: IdentityRule
  /// The attributes, by their columns on both sides.
  private(set) var attributes: [Compared] = []
  /// The to-one relationships.
  private(set) var references: [Compared] = []
  /// The to-many relationships whose pairs or order a store keeps itself.
  private(set) var members: [Compared] = []

  /// The names of properties whose values, together, no two rows of the first store have.
  let uniques: [[String]]

  /// A property by its index in both entities.
  struct Compared {
    let name: String
    let first: Int
    let second: Int
    var isOrdered = false
    /// Whether equal bytes in both columns are equal values.
    var isSameForm = false
  }

  init(_ first: Entity, _ second: Entity, _ rule: IdentityRule, _ choice: IdentityChoice, ignoring: Set<String>) {
    (self.first, self.second, self.rule) = (first, second, rule)
    let (layout, other) = (choice.first.layout(of: first), choice.second.layout(of: second))
    uniques = first.uniquenessConstraints.filter { !$0.isEmpty }
    let indices = choice.matching.indices(in: second)
    for (index, property) in first.properties.enumerated() {
      guard let found = indices[index], !ignoring.contains(property.name),
        !ignoring.contains("\(first.name).\(property.name)")
      else { continue }
      add(property, index, found, layout, other)
    }
  }

  /// Whether neither store can have two rows with the same identity, which is one attribute.
  func hasUniqueIdentity(_ layout: EntityLayout, _ other: EntityLayout) -> Bool {
    func isUnique(_ entity: Entity, _ layout: EntityLayout, _ name: String?) -> Bool {
      guard let name, let index = entity.index(of: name) else { return false }
      return entity.uniquenessConstraints.contains([name]) || layout.properties[index].ownColumns == layout.primaryKey
    }
    guard rule.names.count == 1, let compared = attributes.first(where: { $0.name == rule.names[0] }) else {
      return false
    }
    return isUnique(first, layout, first.properties[compared.first].name)
      && isUnique(second, other, second.properties[compared.second].name)
  }

  private mutating func add(
    _ property: Property, _ index: Int, _ found: Int, _ layout: EntityLayout, _ other: EntityLayout
  ) {
    var compared = Compared(name: property.name, first: index, second: found)
    switch (layout.properties[index], other.properties[found]) {
    case (.column(let left), .column(let right)):
      // Derived values follow from others.
      guard property.attribute?.isDerived != true else { return }
      let (one, two) = (layout.columns[left], other.columns[right])
      compared.isSameForm = one.type == two.type && !one.encoding.isSealed && !two.encoding.isSealed
      attributes.append(compared)
    case (.reference, .reference): references.append(compared)
    case (.none, _), (_, .none): break
    default:
      guard let relationship = property.relationship, relationship.isToMany else { return }
      compared.isOrdered = relationship.isOrdered && second.properties[found].relationship?.isOrdered == true
      let isPaired = if case .join = layout.properties[index] { isCanonical(index) } else { false }
      if compared.isOrdered || isPaired { members.append(compared) }
    }
  }

  /// Whether this side of a many-to-many relationship is compared.
  private func isCanonical(_ index: Int) -> Bool {
    guard let inverse = first.inverse(at: index) else { return true }
    let other = first.destination(at: index)
    if other.properties[inverse].relationship?.isToMany != true { return true }
    return (first.root.name, first.properties[index].name) <= (other.root.name, other.properties[inverse].name)
  }
}
