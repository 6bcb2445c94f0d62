import Modeling

/// The tables that rows are in, and what keeps them.
extension CoreDataFixture {
  /// The table of an entity and its descendants, with its indexes.
  func table(of root: Entity) -> [String] {
    var columns = ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"]
    var names: Set<String> = ["Z_PK", "Z_ENT", "Z_OPT"]
    let table = tableName(root)
    var indexes: [String] = []
    @discardableResult func add(_ base: String, _ type: String) -> String {
      var (name, count) = (base, 0)
      while !names.insert(name).inserted {
        count += 1
        name = "\(base)\(count)"
      }
      columns.append("\(name) \(type)")
      return name
    }
    func add(_ attribute: Attribute) {
      if attribute.isTransient { return }
      if attribute.type == .composite { return attribute.elements.forEach(add) }
      add("Z" + attribute.name.uppercased(), attribute.type.coreDataDeclaration)
    }
    let family = entities.filter { $0.root === root }
    for entity in family {
      for (_, property) in own(entity) { if let attribute = property.attribute { add(attribute) } }
    }
    for entity in family {
      for (index, property) in own(entity) {
        guard let relationship = property.relationship, !relationship.isToMany else { continue }
        let name = add("Z" + relationship.name.uppercased(), "INTEGER")
        indexes.append("CREATE INDEX \(table)_\(name)_INDEX ON \(table) (\(name));")
        let destination = entity.destination(at: index)
        if !destination.subentities.isEmpty {
          add("Z\(number(destination))_\(relationship.name.uppercased())", "INTEGER")
        }
        if let back = entity.inverse(at: index), let inverse = destination.properties[back].relationship,
          inverse.isToMany, inverse.isOrdered
        {
          add("Z_FOK_" + relationship.name.uppercased(), "INTEGER")
        }
      }
    }
    for owner in entities {
      for (index, property) in own(owner) {
        guard let relationship = property.relationship, relationship.isToMany, owner.inverse(at: index) == nil,
          owner.destination(at: index).root === root
        else { continue }
        let name = add("Z\(number(owner))\(relationship.name.uppercased())", "INTEGER")
        indexes.append("CREATE INDEX \(table)_\(name)_INDEX ON \(table) (\(name));")
        if relationship.isOrdered { add("Z_FOK_\(number(owner))\(relationship.name.uppercased())", "INTEGER") }
      }
    }
    if family.count > 1 { indexes.append("CREATE INDEX \(table)_Z_ENT_INDEX ON \(table) (Z_ENT);") }
    for entity in family {
      let inherited = entity.parent?.uniquenessConstraints.count ?? 0
      for names in entity.uniquenessConstraints.dropFirst(inherited) {
        let list = names.map { "Z\($0.uppercased()) COLLATE BINARY ASC" }.joined(separator: ", ")
        indexes.append(
          "CREATE UNIQUE INDEX Z_\(entity.name)_UNIQUE_\(names.joined(separator: "_")) ON \(table) (\(list));")
      }
    }
    return ["CREATE TABLE \(table) ( \(columns.joined(separator: ", ")) );"] + indexes
  }

  /// The tables of many-to-many relationships.
  func pairTables() -> [String] {
    var lines: [String] = []
    for entity in entities {
      for (index, property) in own(entity) {
        guard let relationship = property.relationship, relationship.isToMany, let back = entity.inverse(at: index),
          case let destination = entity.destination(at: index),
          let inverse = destination.properties[back].relationship, inverse.isToMany
        else { continue }
        let (here, there) = (number(entity), number(destination))
        guard here < there || (here == there && relationship.name > inverse.name) else { continue }
        let (ours, theirs) = (relationship.name.uppercased(), inverse.name.uppercased())
        let (owner, member) = ("Z_\(here)\(theirs)", "Z_\(there)\(ours)")
        var columns = ["\(owner) INTEGER", "\(member) INTEGER"]
        if relationship.isOrdered { columns.append("Z_FOK_\(there)\(ours) INTEGER") }
        if inverse.isOrdered { columns.append("Z_FOK_\(here)\(theirs) INTEGER") }
        let table = "Z_\(here)\(ours)"
        lines.append("CREATE TABLE \(table) ( \(columns.joined(separator: ", ")), PRIMARY KEY (\(owner), \(member)) );")
        lines.append("CREATE INDEX \(table)_\(member)_INDEX ON \(table) (\(member), \(owner));")
      }
    }
    return lines
  }

  /// Triggers that count the members of a one-to-many relationship.
  func triggers() -> [String] {
    var lines: [String] = []
    for entity in entities {
      for (_, property) in own(entity) {
        guard let attribute = property.attribute, let derivation = attribute.derivation,
          derivation.hasSuffix(".@count"), let index = entity.index(of: String(derivation.dropLast(7))),
          let back = entity.inverse(at: index)
        else { continue }
        let destination = entity.destination(at: index)
        lines += counting(
          attribute.name, entity, tableName(destination), "Z" + destination.properties[back].name.uppercased())
      }
    }
    return lines
  }

  private func counting(_ name: String, _ entity: Entity, _ source: String, _ column: String) -> [String] {
    let (target, count) = (tableName(entity), "Z" + name.uppercased())
    func tell(_ row: String, _ function: String = "NSCoreDataDATriggerUpdatedAffectedObjectValue") -> String {
      "SELECT \(function)('\(target)', Z_ENT, Z_PK, '\(name)', \(count)) FROM \(target) WHERE Z_PK = \(row);"
    }
    func add(_ sign: String, _ row: String, _ event: String, _ kind: String) -> String {
      """
      CREATE TRIGGER Z_DA_\(source)_\(entity.name)_\(name)_PARAMETER_\(kind) AFTER \(event) ON \(source) FOR EACH ROW
      WHEN (\(row) NOT NULL) BEGIN UPDATE \(target) SET \(count) = IFNULL(\(count), 0) \(sign) 1 WHERE Z_PK = \(row); \(tell(row)) END;
      """
    }
    return [
      add("+", "NEW.\(column)", "INSERT", "INSERT"),
      add("+", "NEW.\(column)", "UPDATE OF \(column)", "UPDATE_INCREMENT"),
      add("-", "OLD.\(column)", "UPDATE OF \(column)", "UPDATE_DECREMENT"),
      add("-", "OLD.\(column)", "DELETE", "DELETE"),
      """
      CREATE TRIGGER Z_DA_\(target)_\(entity.name)_\(name)_SOURCE_INSERT AFTER INSERT ON \(target) FOR EACH ROW
      BEGIN UPDATE \(target) SET \(count) = (SELECT IFNULL(COUNT(\(column)), 0) FROM \(source) WHERE \(column) = NEW.Z_PK)
      WHERE Z_PK = NEW.Z_PK; \(tell("NEW.Z_PK", "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue")) END;
      """,
    ]
  }
}

extension AttributeType {
  /// How Core Data declares a column of the type.
  fileprivate var coreDataDeclaration: String {
    switch self {
    case .integer16, .integer32, .integer64, .boolean: "INTEGER"
    case .double, .float: "FLOAT"
    case .decimal: "DECIMAL"
    case .date: "TIMESTAMP"
    case .string, .url: "VARCHAR"
    case .uuid, .data, .transformable, .composite, .any: "BLOB"
    }
  }
}
