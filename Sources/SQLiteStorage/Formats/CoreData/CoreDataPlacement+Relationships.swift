import Modeling

/// Finds the columns of relationships.
extension CoreDataPlacement {
  /// To-one relationships: `Z<NAME>` with the destination's key, and `Z<n>_<NAME>` with its entity if that has
  /// descendants.
  mutating func placeReferences(of entity: Entity) {
    for relationship in relationships(of: entity, areToMany: false) {
      if let own = keptProperty(relationship.name, relationship.renamingIdentifier, of: entity) {
        placeReference(relationship, as: own, of: entity)
        continue
      }
      let names = names(relationship.name, relationship.renamingIdentifier).map { $0.uppercased() }
      guard let column = take(names.map { "Z" + $0 }, of: entity, fits: { $0 == "INTEGER" }) else {
        notes.append(missing(relationship.name, "column Z\(names[0])", entity))
        continue
      }
      let entityColumn = entityColumn(names, relationship, of: entity)
      places[entity, default: [:]][relationship.name] = .reference(column: column.name, entityColumn: entityColumn)
    }
  }

  /// The relationships that an entity declares and stores, by name; places those that it does not store.
  private mutating func relationships(of entity: Entity, areToMany: Bool) -> [Relationship] {
    let all = entity.description.properties.compactMap(\.relationship).filter { $0.isToMany == areToMany }
    for relationship in all where relationship.isTransient {
      places[entity, default: [:]][relationship.name] = .transient
    }
    return all.filter { !$0.isTransient }.sorted { $0.name < $1.name }
  }

  private mutating func entityColumn(
    _ names: [String], _ relationship: Relationship, of entity: Entity
  ) -> String? {
    guard let destination = model.entity(named: relationship.destination), let number = numbers[destination] else {
      return nil
    }
    return take(names.map { "Z\(number)_\($0)" }, of: entity, fits: { $0 == "INTEGER" })?.name
  }

  /// To-many relationships: the inverse to-one, a column of the destination's table, or a join table.
  mutating func placeToMany(of entity: Entity) {
    for relationship in relationships(of: entity, areToMany: true) {
      guard let destination = model.entity(named: relationship.destination), numbers[destination] != nil,
        let index = entity.index(of: relationship.name)
      else { continue }
      let inverse = entity.inverse(at: index).flatMap { destination.properties[$0].relationship }
      let place: Place? =
        if let own = keptProperty(relationship.name, relationship.renamingIdentifier, of: entity) {
          self.place(relationship, as: own, inverse, of: entity, destination)
        } else if let inverse, !inverse.isToMany {
          self.place(of: inverse.name, in: destination).map { _ in inverted(relationship, by: inverse, destination) }
        } else if let join = pairs(relationship, inverse, of: entity, destination) {
          .join(join)
        } else {
          inverse == nil ? unidirectional(relationship, of: entity, destination).map(Place.join) : nil
        }
      if let place {
        places[entity, default: [:]][relationship.name] = place
      } else {
        notes.append(
          "\(entity.name).\(relationship.name): the store has no column and no table for it; it is left out.")
      }
    }
  }

  private mutating func inverted(
    _ relationship: Relationship, by inverse: Relationship, _ destination: Entity
  ) -> Place {
    let bases = names(inverse.name, inverse.renamingIdentifier).map { "Z_FOK_" + $0.uppercased() }
    guard relationship.isOrdered else { return .inverse(order: nil) }
    return .inverse(order: take(bases, of: destination, fits: { $0 == "INTEGER" })?.name)
  }

  /// A to-many relationship without an inverse: `Z<n><NAME>` in the destination's table, where `n` is the owner's
  /// number.
  private mutating func unidirectional(
    _ relationship: Relationship, of entity: Entity, _ destination: Entity
  ) -> JoinLayout? {
    guard let number = numbers[entity] else { return nil }
    let names = names(relationship.name, relationship.renamingIdentifier).map { $0.uppercased() }
    let found = take(names.map { "Z\(number)\($0)" }, of: destination, fits: { $0 == "INTEGER" })
    guard let column = found?.name else { return nil }
    let order = take(names.map { "Z_FOK_\(number)\($0)" }, of: destination, fits: { $0 == "INTEGER" })
    var join = JoinLayout(
      table: tableName(of: destination), ownerColumns: [column], ownerTarget: .key, memberColumns: ["Z_PK"],
      memberTarget: .key)
    join.order = order?.name
    join.isInMembers = true
    return join
  }

  // MARK: Pairs

  /// `Z_<n><NAME>`, named after one of the two sides, with a column `Z_<m><NAME>` for each side: the key of an object
  /// of entity m at the end of the relationship of that name.
  private func pairs(
    _ relationship: Relationship, _ inverse: Relationship?, of entity: Entity, _ destination: Entity
  ) -> JoinLayout? {
    guard let number = numbers[entity], let other = numbers[destination], let inverse else { return nil }
    let (ours, theirs) = (
      names(relationship.name, relationship.renamingIdentifier).map { $0.uppercased() },
      names(inverse.name, inverse.renamingIdentifier).map { $0.uppercased() }
    )
    // The entity number in a column's name is that of the entity or of an ancestor, whichever declares the
    // relationship.
    let (owners, members) = (lineage(number, entity), lineage(other, destination))
    let candidates =
      owners.flatMap { n in ours.map { "Z_\(n)\($0)" } } + members.flatMap { n in theirs.map { "Z_\(n)\($0)" } }
    for name in candidates {
      guard let table = schema.table(name), kept?.hasClaims(on: table) != true else { continue }
      if relationship.name == inverse.name, entity === destination {
        if let join = symmetric(table, members, ours) { return join }
        continue
      }
      let member = column(of: table, members, ours)
      let owner = column(of: table, owners, theirs, except: member)
      guard let member, let owner else { continue }
      var join = JoinLayout(
        table: table.name, ownerColumns: [owner], ownerTarget: .key, memberColumns: [member], memberTarget: .key)
      if relationship.isOrdered { join.order = order(of: table, members, ours) }
      return join
    }
    return nil
  }

  private func lineage(_ number: Int64, _ entity: Entity) -> [Int64] {
    var numbers = [number]
    var parent = entity.parent
    while let ancestor = parent {
      if let number = self.numbers[ancestor] { numbers.append(number) }
      parent = ancestor.parent
    }
    return numbers
  }

  /// A relationship that is its own inverse: one column as usual, the other named `REFLEXIVE`.
  private func symmetric(_ table: CoreDataSchema.Table, _ numbers: [Int64], _ names: [String]) -> JoinLayout? {
    guard let member = column(of: table, numbers, names),
      let owner = table.columns.first(where: { $0.name.uppercased().contains("REFLEXIVE") })?.name
    else { return nil }
    var join = JoinLayout(
      table: table.name, ownerColumns: [owner], ownerTarget: .key, memberColumns: [member], memberTarget: .key)
    join.isSymmetric = true
    return join
  }

  private func column(
    of table: CoreDataSchema.Table, _ numbers: [Int64], _ names: [String], except taken: String? = nil
  ) -> String? {
    for number in numbers {
      for name in names {
        for suffix in [""] + (1...9).map(String.init) {
          guard let column = table.column("Z_\(number)\(name)\(suffix)"), column.name != taken else { continue }
          return column.name
        }
      }
    }
    return nil
  }

  private func order(of table: CoreDataSchema.Table, _ numbers: [Int64], _ names: [String]) -> String? {
    for number in numbers {
      for name in names {
        for suffix in [""] + (1...9).map(String.init) {
          if let column = table.column("Z_FOK_\(number)\(name)\(suffix)") { return column.name }
        }
      }
    }
    return nil
  }
}
