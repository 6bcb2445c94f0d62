internal import Modeling

// Names that lead nowhere, and contradictions between entities.
extension ModelAssembly {
  /// Leaves out what leads to entities that are not there.
  mutating func settleNames() {
    let names = Set(entities.map(\.name))
    for index in entities.indices {
      let entity = entities[index]
      for property in entity.properties {
        guard let destination = property.relationship?.destination, !names.contains(destination) else { continue }
        note("\(entity.name).\(property.name) leads to \(destination), which is not there")
      }
      entities[index].properties.removeAll { $0.relationship.map { !names.contains($0.destination) } ?? false }
      for fetched in entity.fetchedProperties where !names.contains(fetched.fetchRequest.entity) {
        let destination = fetched.fetchRequest.entity
        let mistake = destination.isEmpty ? "names no entity to fetch" : "fetches \(destination), which is not there"
        note("\(entity.name).\(fetched.name) \(mistake)")
      }
      entities[index].fetchedProperties.removeAll { !names.contains($0.fetchRequest.entity) }
    }
    for (name, template) in templates where !names.contains(template.entity) {
      note("The fetch request \(name) fetches \(template.entity), which is not there")
      templates[name] = nil
    }
    configurations = configurations.mapValues { $0.filter(names.contains).sorted() }
  }

  /// Takes away what a model refuses, so that the rest can be used.
  mutating func repair(_ error: ModelError) throws(AppleModelError) {
    guard let index = entities.firstIndex(where: { $0.name == error.entity }) else {
      throw AppleModelError(.damaged("\(error.entity) contradicts itself"))
    }
    switch error.fact {
    case .unknownProperty(let name, _, _):
      note("\(error.entity): a constraint or an index on \(name), which is not there, is left out")
      entities[index].uniquenessConstraints.removeAll { $0.contains(name) }
      entities[index].indexes.removeAll { $0.properties.contains(name) }
    case .unknownInverse(let name, _, _), .inverseMismatch(let name, _):
      try change(error, at: index) { property in
        guard case .relationship(var relationship) = property else { return nil }
        relationship.inverse = nil
        return .relationship(relationship)
      }
      note("\(error.entity).\(error.property ?? ""): \(name) does not lead back, so it has no inverse")
    default:
      try change(error, at: index) { _ in nil }
      note("\(error.entity).\(error.property ?? "") contradicts itself and is left out")
    }
  }

  /// Replaces the property that an error is about, or takes it out.
  private mutating func change(
    _ error: ModelError, at index: Int, by mend: (Property) -> Property?
  ) throws(AppleModelError) {
    guard let name = error.property, let owner = owner(of: name, from: index) else {
      throw AppleModelError(.damaged("\(error.entity) contradicts itself"))
    }
    if let position = entities[owner].properties.firstIndex(where: { $0.name == name }) {
      if let mended = mend(entities[owner].properties[position]) {
        entities[owner].properties[position] = mended
      } else {
        entities[owner].properties.remove(at: position)
      }
    } else {
      entities[owner].fetchedProperties.removeAll { $0.name == name }
    }
  }

  /// The entity that declares a property, which may be an ancestor.
  private func owner(of name: String, from index: Int) -> Int? {
    var current: Int? = index
    for _ in 0...Nesting.inheritance {
      guard let candidate = current else { return nil }
      let entity = entities[candidate]
      if (entity.properties.map(\.name) + entity.fetchedProperties.map(\.name)).contains(name) { return candidate }
      current = entity.parent.flatMap { parent in entities.firstIndex { $0.name == parent } }
    }
    return nil
  }
}
