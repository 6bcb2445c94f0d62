import Modeling

/// Properties whose columns do not follow from the model alone.
extension CoreDataPlacement {
  /// Columns of which several could belong to a property, and properties of which several could have a column.
  struct Ambiguity: Hashable {
    /// `ENTITY.NAME`, with the names of elements.
    let properties: [String]
    /// `TABLE.COLUMN`.
    let columns: [String]
  }

  /// A property with a column of its own.
  private struct Leaf {
    let path: String
    let bases: [String]
    let fits: (String) -> Bool
  }

  /// The places where columns of one type could be given out in two ways.
  ///
  /// The framework numbers columns of one name in the order of its own model, which a model that was written again need not
  /// have.
  var ambiguities: [Ambiguity] {
    guard kept == nil else { return [] }
    var found: [Ambiguity] = []
    for root in numbers.keys.filter({ $0.parent == nil }).sorted(by: { $0.name < $1.name }) {
      guard let table = table(of: root) else { continue }
      let leaves = root.family.filter { numbers[$0] != nil }.flatMap(leaves)
      let bases = Set(leaves.flatMap(\.bases))
      for base in bases.sorted() {
        // A name that ends in a digit is the column of the property of that name.
        let columns = [base] + (1...9).map { base + String($0) }.filter { !bases.contains($0) }
        let present = columns.compactMap(table.column)
        let rivals = leaves.filter { $0.bases.contains(base) }
        for type in Set(present.map(\.declaredType)).sorted() {
          let places = present.filter { $0.declaredType == type }
          let properties = rivals.filter { $0.fits(type) }
          guard !properties.isEmpty, max(places.count, properties.count) > 1 else { continue }
          found.append(
            Ambiguity(properties: properties.map(\.path), columns: places.map { "\(table.name).\($0.name)" }))
        }
      }
    }
    return found
  }

  private func leaves(of entity: Entity) -> [Leaf] {
    func leaves(of attribute: Attribute, _ path: String) -> [Leaf] {
      if attribute.type == .composite {
        return attribute.elements.flatMap { leaves(of: $0, "\(path).\($0.name)") }
      }
      return [leaf(path, attribute.name, attribute.renamingIdentifier, attribute.type.fits)]
    }
    return entity.description.properties.flatMap { property in
      let path = "\(entity.name).\(property.name)"
      switch property {
      case .attribute(let attribute): return attribute.isTransient ? [] : leaves(of: attribute, path)
      case .relationship(let relationship):
        guard !relationship.isToMany, !relationship.isTransient else { return [] }
        return [leaf(path, relationship.name, relationship.renamingIdentifier, { $0 == "INTEGER" })]
      }
    }
  }

  private func leaf(
    _ path: String, _ name: String, _ identifier: String?, _ fits: @escaping (String) -> Bool
  ) -> Leaf {
    Leaf(path: path, bases: names(name, identifier).map { "Z" + $0.uppercased() }, fits: fits)
  }
}
