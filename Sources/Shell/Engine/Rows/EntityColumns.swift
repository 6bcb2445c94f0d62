internal import Modeling
internal import Storage

/// The properties of an entity as columns.
struct EntityColumns {
  let entity: Entity
  /// The properties that are shown, by their index in the entity.
  let indices: [Int]

  /// The properties called `names`, or all; for data modes without to-manys, which have no column.
  ///
  /// - Throws: UnknownColumn for a name that is no property.
  init(_ entity: Entity, isData: Bool, only names: [String]? = nil) throws(UnknownColumn) {
    self.entity = entity
    let all = entity.properties.indices.filter { index in
      !isData || entity.properties[index].relationship?.isToMany != true
    }
    guard let names else {
      indices = all
      return
    }
    indices = try names.map { (name) throws(UnknownColumn) in
      guard let index = all.first(where: { entity.properties[$0].name == name }) else {
        let known = all.map { entity.properties[$0].name }
        throw UnknownColumn(name: name, owner: entity.name, nearest: nearestName(to: name, in: known))
      }
      return index
    }
  }

  var columns: [TabularColumn] {
    indices.map { index in
      let property = entity.properties[index]
      guard let relationship = property.relationship else {
        let type = property.attribute?.type ?? .any
        var column = TabularColumn(
          property.name, type: type.rawValue, alignment: type.isNumeric ? .trailing : .leading,
          role: property.attribute?.isUnique == true ? .key : .attribute)
        column.elements = property.attribute?.elements ?? []
        return column
      }
      let arrow = relationship.isToMany ? "→→ " : "→ "
      return TabularColumn(
        property.name, type: arrow + relationship.destination, alignment: relationship.isToMany ? .trailing : .leading,
        role: relationship.isToMany ? .toMany : .toOne)
    }
  }
}

/// A requested column that does not exist.
struct UnknownColumn: Error {
  var name: String
  var owner: String
  var nearest: String?
}
