import Modeling

/// Places by the model that the store keeps.
extension CoreDataPlacement {
  /// The property of the kept model that stands for one of this model.
  func keptProperty(_ name: String, _ identifier: String?, of entity: Entity) -> KeptPlaces.Property? {
    numbers[entity].flatMap { kept?.property(names(name, identifier), of: $0) }
  }

  /// The column that the kept model gives an attribute; nil if it knows none.
  func keptColumn(of attribute: Attribute, in entity: Entity) -> ColumnLayout? {
    guard case .column(let column)? = keptProperty(attribute.name, attribute.renamingIdentifier, of: entity)?.place
    else { return nil }
    return column
  }

  /// Takes the column of an attribute of the kept model, if values of the wanted type fit it.
  mutating func held(_ own: ColumnLayout, in entity: Entity, fits: (String) -> Bool) -> String? {
    let names = own.storedNames
    guard names.count == 1, let column = table(of: entity)?.column(names[0]), fits(column.declaredType),
      hold(column.name, in: entity)
    else { return nil }
    return column.name
  }

  /// Gives a to-one relationship the columns of the same relationship of the kept model.
  mutating func placeReference(_ relationship: Relationship, as own: KeptPlaces.Property, of entity: Entity) {
    guard case .reference(let column, let entityColumn)? = own.place,
      let destination = model.entity(named: relationship.destination), numbers[destination] == own.destination,
      hold(column, in: entity)
    else {
      notes.append(
        "\(entity.name).\(relationship.name): the store's own model has something else of that name; it is left out.")
      return
    }
    if let entityColumn { _ = hold(entityColumn, in: entity) }
    places[entity, default: [:]][relationship.name] = .reference(column: column, entityColumn: entityColumn)
  }

  /// The place of a to-many relationship, if the kept model has the same one, with the same inverse.
  mutating func place(
    _ relationship: Relationship, as own: KeptPlaces.Property, _ inverse: Relationship?, of entity: Entity,
    _ destination: Entity
  ) -> Place? {
    guard own.property.relationship?.isToMany == true, numbers[destination] == own.destination,
      isSame(inverse, own.inverse)
    else { return nil }
    switch own.place {
    case .inverse(let order):
      guard let inverse, place(of: inverse.name, in: destination) != nil else { return nil }
      guard relationship.isOrdered, let order, hold(order, in: destination) else { return .inverse(order: nil) }
      return .inverse(order: order)
    case .join(var join):
      if !relationship.isOrdered { join.order = nil }
      if join.isInMembers {
        guard hold(join.ownerColumns[0], in: destination) else { return nil }
        if let order = join.order { _ = hold(order, in: destination) }
      }
      return .join(join)
    case .column, .reference, .transient, nil: return nil
    }
  }

  private func isSame(_ inverse: Relationship?, _ name: String?) -> Bool {
    guard let inverse, let name else { return inverse == nil && name == nil }
    return names(inverse.name, inverse.renamingIdentifier).contains(name)
  }

  /// The names of an entity's stored properties in the order of the history's bits, which the kept model decides.
  func recordedNames(of entity: Entity, _ number: Int64) -> [String] {
    guard let kept else { return entity.properties.filter { !$0.isTransient }.map(\.name).sorted() }
    return kept.stored(of: number).map { own in counterpart(of: own, in: entity, number)?.name ?? own.name }
  }

  private func counterpart(of own: KeptPlaces.Property, in entity: Entity, _ number: Int64) -> Property? {
    entity.properties.first { property in
      let identifier = property.attribute?.renamingIdentifier ?? property.relationship?.renamingIdentifier
      return kept?.property(names(property.name, identifier), of: number)?.name == own.name
    }
  }

  /// The relationships that lead back from elsewhere than in the kept model: `ENTITY.NAME`.
  ///
  /// A write to one of them would change the values that the app reads in another.
  var misledRelationships: [String] {
    numbers.sorted { $0.value < $1.value }.flatMap { entity, number in
      (kept?.stored(of: number) ?? []).compactMap { own in
        guard own.property.relationship != nil, !own.isInherited,
          let index = counterpart(of: own, in: entity, number).flatMap({ entity.index(of: $0.name) }),
          let inverse = entity.inverse(at: index), case let destination = entity.destination(at: index),
          case let back = destination.properties[inverse], place(of: back.name, in: destination) != nil,
          !isSame(back.relationship, own.inverse)
        else { return nil }
        return "\(entity.name).\(own.name)"
      }
    }
  }
}

extension ColumnLayout {
  /// The column of an element of a composite attribute that is stored like this; nil if it has no such element.
  ///
  /// A single column may be that of an attribute and that of the only element of a composite.
  func part(of element: Attribute, in composite: Attribute) -> ColumnLayout? {
    guard case .elements(let elements) = encoding else { return composite.elements.count == 1 ? self : nil }
    return ([element.name] + [element.renamingIdentifier].compactMap(\.self)).firstResult { name in
      elements.first { $0.name == name }?.column
    }
  }
}
