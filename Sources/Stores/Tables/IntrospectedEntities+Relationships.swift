import Modeling

extension IntrospectedEntities {
  /// A valid foreign key: both ends, and the name of the to-one relationship.
  private struct Link {
    var place: PropertyDraft.KeyPlace
    var destination: Int
    var columns: [Int]
    var target: ReferenceTarget
    var name: String
    var deleteRule: DeleteRule

    var tables: TablePair { TablePair(from: place.entity, to: destination) }
  }

  /// The tables that foreign keys lead from and to.
  private struct TablePair: Hashable {
    var from: Int
    var to: Int
  }

  /// Makes a to-one relationship and its inverse of every foreign key that refers to an existing table.
  mutating func addForeignKeys() {
    var links: [Link] = []
    for entity in all.indices {
      for key in all[entity].table.foreignKeys.indices {
        if let link = link(PropertyDraft.KeyPlace(entity: entity, key: key)) { links.append(link) }
      }
    }
    for index in links.indices { nameToOne(&links[index]) }
    let counts = Dictionary(links.map { ($0.tables, 1) }, uniquingKeysWith: +)
    for link in links { addInverse(of: link, isOnly: counts[link.tables] == 1) }
  }

  private mutating func link(_ place: PropertyDraft.KeyPlace) -> Link? {
    let draft = all[place.entity]
    let key = draft.table.foreignKeys[place.key]
    let from = "\(draft.table.name).\(key.columns.joined(separator: ", "))"
    guard let destination = index(ofTable: key.table) else {
      notes.append("\(from) refers to the table \(key.table), which is not there.")
      return nil
    }
    let columns = key.columns.compactMap(draft.columnIndex)
    guard columns.count == key.columns.count, let target = target(of: key, in: all[destination].table) else {
      notes.append("\(from) refers to \(key.table) by columns that are no key of it.")
      return nil
    }
    let rule: DeleteRule =
      switch key.deleteAction {
      case "CASCADE": .cascade
      case "SET NULL", "SET DEFAULT": .nullify
      default: .deny
      }
    return Link(
      place: place, destination: destination, columns: columns, target: target, name: "", deleteRule: rule)
  }

  /// Adds the to-one relationship next to its column's attribute, or in place of the attribute if both have the same
  /// name.
  private mutating func nameToOne(_ link: inout Link) {
    let entity = link.place.entity
    let key = all[entity].table.foreignKeys[link.place.key]
    let column = all[entity].columns[link.columns[0]].name
    let isPlainID = asciiLowercased(column) == "id"
    let wanted =
      link.columns.count == 1 && !isPlainID ? Naming.toOne(column: column) : Naming.lowerCamelCase(key.table)
    let position = all[entity].properties.firstIndex { $0.place == .column(link.columns[0]) }
    if link.columns.count == 1, let position {
      if all[entity].properties[position].property.name == wanted {
        link.name = wanted
        all[entity].properties[position] = toOne(link)
        return
      }
      link.name = Naming.unique(wanted, among: all[entity].names)
      // Scripts set the relationship; a second way to set its column would contradict it.
      all[entity].properties[position].property.mark {
        $0.isReadOnly = true
        $0.isOptional = true
      }
      all[entity].add(toOne(link), at: position + 1)
    } else {
      link.name = Naming.unique(wanted, among: all[entity].names)
      all[entity].add(toOne(link))
    }
  }

  private func toOne(_ link: Link) -> PropertyDraft {
    var relationship = Relationship(toOne: link.name, all[link.destination].name)
    relationship.isOptional = link.columns.contains { !all[link.place.entity].isNotNull(column: $0) }
    return PropertyDraft(
      property: .relationship(relationship), place: .reference(link.place, link.columns, link.target))
  }

  private mutating func addInverse(of link: Link, isOnly: Bool) {
    let table = all[link.place.entity].table.name
    let wanted = isOnly ? Naming.toMany(table: table) : Naming.toMany(table: table, through: link.name)
    let name = Naming.unique(wanted, among: all[link.destination].names)
    var relationship = Relationship(toMany: name, all[link.place.entity].name, inverse: link.name)
    relationship.deleteRule = link.deleteRule
    all[link.destination].add(PropertyDraft(property: .relationship(relationship), place: .inverse(link.place)))
    all[link.place.entity].setInverse(of: link.name, to: name)
  }

  /// Makes two relationships of every join table.
  mutating func addJoins() {
    for table in joinTables {
      let ends = table.foreignKeys.compactMap { key -> (entity: Int, columns: [String], target: ReferenceTarget)? in
        guard let entity = index(ofTable: key.table), let target = target(of: key, in: all[entity].table) else {
          return nil
        }
        return (entity, key.columns.compactMap { table.column($0)?.name }, target)
      }
      guard ends.count == 2 else { continue }
      let isOwn = ends[0].entity == ends[1].entity
      var names: [String] = []
      for (own, other) in [(ends[0], ends[1]), (ends[1], ends[0])] {
        let wanted = isOwn ? Naming.toOne(column: other.columns[0]) : all[other.entity].table.name
        names.append(
          Naming.unique(Naming.toMany(table: wanted), among: all[own.entity].names.union(isOwn ? names : [])))
      }
      for (side, (own, other)) in [(ends[0], ends[1]), (ends[1], ends[0])].enumerated() {
        let relationship = Relationship(toMany: names[side], all[other.entity].name, inverse: names[1 - side])
        let join = JoinLayout(
          table: table.name, ownerColumns: own.columns, ownerTarget: own.target, memberColumns: other.columns,
          memberTarget: other.target)
        all[own.entity].add(PropertyDraft(property: .relationship(relationship), place: .join(join)))
      }
    }
  }
}

extension IntrospectedEntity {
  fileprivate func isNotNull(column: Int) -> Bool { table.column(columns[column].name)?.isNotNull ?? false }

  fileprivate mutating func setInverse(of name: String, to inverse: String) {
    for index in properties.indices {
      guard case .relationship(var relationship) = properties[index].property, relationship.name == name else {
        continue
      }
      relationship.inverse = inverse
      properties[index].property = .relationship(relationship)
    }
  }
}
