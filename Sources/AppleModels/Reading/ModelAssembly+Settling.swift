internal import Modeling

// What a single entity or property says, brought into one form.
extension ModelAssembly {
  mutating func settled(_ entity: EntityDescription) -> EntityDescription {
    var entity = entity
    if entity.className == entity.name { entity.className = nil }
    if entity.renamingIdentifier == entity.name { entity.renamingIdentifier = nil }
    keepFirstOfEachName(&entity)
    for index in entity.properties.indices {
      switch entity.properties[index] {
      case .attribute(let attribute):
        entity.properties[index] = .attribute(settled(attribute, place: "\(entity.name).\(attribute.name)"))
      case .relationship(let relationship): entity.properties[index] = .relationship(settled(relationship))
      }
    }
    return entity
  }

  private mutating func keepFirstOfEachName(_ entity: inout EntityDescription) {
    var names: Set<String> = []
    func isNew(_ name: String) -> Bool { !name.isEmpty && names.insert(name).inserted }
    let count = entity.properties.count + entity.fetchedProperties.count
    entity.properties = entity.properties.filter { isNew($0.name) }
    entity.fetchedProperties = entity.fetchedProperties.filter { isNew($0.name) }
    if entity.properties.count + entity.fetchedProperties.count < count {
      note("\(entity.name) has properties without a name, or twice the same; they are left out")
    }
  }

  /// A default that breaks the bounds is legal there and not here, so such bounds become conditions.
  private mutating func settled(_ attribute: Attribute, place: String) -> Attribute {
    var attribute = attribute
    if attribute.renamingIdentifier == attribute.name { attribute.renamingIdentifier = nil }
    if attribute.isTransient { attribute.preservesValueInHistoryOnDeletion = false }
    if attribute.type == .float, case .double(let number) = attribute.defaultValue {
      attribute.defaultValue = .double(Double("\(Float(number))") ?? number)
    }
    do {
      attribute.defaultValue = try attribute.coerce(attribute.defaultValue)
    } catch {
      note("\(place): the default is not of type \(attribute.type.rawValue)")
      attribute.defaultValue = .null
    }
    if attribute.isSound { return attribute }
    var open = attribute.unbounded
    if open.isSound {
      let broken = attribute.conditions.filter { !open.absorb($0) }
      open.validationPredicates = broken + attribute.validationPredicates
      return open
    }
    open.elements = []
    if case .json = open.defaultValue { open.defaultValue = .null }
    note("\(place): the elements are left out")
    return open
  }

  private func settled(_ relationship: Relationship) -> Relationship {
    var relationship = relationship
    if relationship.renamingIdentifier == relationship.name { relationship.renamingIdentifier = nil }
    if relationship.minimumCount ?? 0 <= 0 { relationship.minimumCount = nil }
    if relationship.maximumCount ?? 0 <= 0 { relationship.maximumCount = nil }
    if !relationship.isToMany {
      (relationship.isOrdered, relationship.minimumCount, relationship.maximumCount) = (false, nil, nil)
    }
    if let low = relationship.minimumCount, let high = relationship.maximumCount, low > high {
      relationship.minimumCount = nil
    }
    return relationship
  }

  /// Settles what is declared beside properties, of which an entity has its own only by now.
  func listsSettled(_ entity: EntityDescription) -> EntityDescription {
    var entity = entity
    settleUniqueness(&entity)
    var seen: Set<FetchIndex> = []
    entity.indexes = entity.indexes.filter { !$0.elements.isEmpty && seen.insert($0).inserted }
    if flagsIndexedAttributes {
      dropConsequences(&entity)
      dropFlags(&entity)
    }
    return entity
  }

  /// A constraint on one attribute of the entity's own is a property of the attribute.
  private func settleUniqueness(_ entity: inout EntityDescription) {
    var seen: Set<[String]> = []
    entity.uniquenessConstraints = entity.uniquenessConstraints.filter { names in
      guard !names.isEmpty, seen.insert(names).inserted else { return false }
      guard names.count == 1, let index = entity.properties.firstIndex(where: { $0.name == names[0] }),
        case .attribute(var attribute) = entity.properties[index]
      else { return true }
      attribute.isUnique = true
      entity.properties[index] = .attribute(attribute)
      return false
    }
  }

  /// Compiled models give an attribute with an index of its own another one, which is called as the attribute.
  private func dropConsequences(_ entity: inout EntityDescription) {
    let declared = entity.indexes.filter { $0.isOfOneAttribute && $0.name != $0.properties[0] }.map { $0.properties[0] }
    entity.indexes.removeAll {
      $0.isOfOneAttribute && $0.name == $0.properties[0] && declared.contains($0.properties[0])
    }
  }

  /// The flag of an attribute that has an index of its own is a consequence of it.
  private func dropFlags(_ entity: inout EntityDescription) {
    let single = Set(entity.indexes.filter(\.isOfOneAttribute).map { $0.properties[0] })
    for position in entity.properties.indices {
      guard case .attribute(var attribute) = entity.properties[position], attribute.isIndexed,
        single.contains(attribute.name)
      else { continue }
      attribute.isIndexed = false
      entity.properties[position] = .attribute(attribute)
    }
  }
}

extension FetchIndex {
  fileprivate var isOfOneAttribute: Bool { elements.count == 1 && predicate == nil }
}
