import Modeling
import Stores

/// The plan for copying an entity's objects to the matching entity of another store.
struct EntityCopy {
  let source: Entity
  let sourceLayout: EntityLayout
  let target: Entity
  let targetLayout: EntityLayout
  /// Columns of both layouts, with the target's attribute.
  private(set) var attributes: [AttributeColumns] = []
  /// To-one relationships, by the property's index on both sides.
  private(set) var references: [Reference] = []
  /// To-many relationships for which the target stores pairs or an order.
  private(set) var members: [(source: Int, target: Int, isLinked: Bool, isOrdered: Bool)] = []
  /// The properties that the target does not have.
  private(set) var leftOut: [String] = []

  /// An attribute's index in the source, its columns on both sides, and the target's attribute.
  typealias AttributeColumns = (index: Int, source: Int, target: Int, attribute: Attribute)
  /// A to-one relationship, by its index on both sides.
  typealias Reference = (source: Int, target: Int)

  init(_ source: Entity, _ sourceLayout: EntityLayout, _ target: Entity, _ targetLayout: EntityLayout) {
    self.source = source
    self.sourceLayout = sourceLayout
    self.target = target
    self.targetLayout = targetLayout
    for (index, property) in source.properties.enumerated() {
      if property.isTransient { continue }
      guard let found = target.index(of: property.name) else {
        leftOut.append("\(source.name).\(property.name)")
        continue
      }
      match(property, index, found)
    }
  }

  private mutating func match(_ property: Property, _ index: Int, _ found: Int) {
    switch (sourceLayout.properties[index], targetLayout.properties[found], target.properties[found]) {
    case (.column(let from), .column(let into), .attribute(let attribute)):
      // Values that the target computes are not copied.
      if targetLayout.columns[into].isWritable { attributes.append((index, from, into, attribute)) }
    case (.reference, .reference, _): references.append((index, found))
    case (.inverse, .inverse(_, let order), _), (.join, .inverse(_, let order), _):
      if order != nil { members.append((index, found, false, true)) }
    case (.inverse, .join(let join), _), (.join, .join(let join), _):
      // Only one side of a many-to-many relationship writes the pairs.
      members.append((index, found, isCanonical(found), join.order != nil))
    default: leftOut.append("\(source.name).\(property.name)")
    }
  }

  private func isCanonical(_ index: Int) -> Bool {
    guard let inverse = target.inverse(at: index) else { return true }
    let other = target.destination(at: index)
    return (target.root.name, target.properties[index].name) <= (other.root.name, other.properties[inverse].name)
  }
}

extension Model {
  /// The entity with the same name, or the one that formerly had the name.
  func counterpart(of entity: Entity) -> Entity? {
    let names = [entity.name] + [entity.description.renamingIdentifier].compactMap(\.self)
    for name in names {
      let found = self.entity(named: name) ?? entities.first { $0.description.renamingIdentifier == name }
      if let found, !found.isAbstract, !found.isReadOnly { return found }
    }
    return nil
  }
}
