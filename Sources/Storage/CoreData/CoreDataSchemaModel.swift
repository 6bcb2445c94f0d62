import Foundation
import Modeling

/// A model read off the bookkeeping and the columns of a Core Data store, for one that brings no model along.
///
/// Names are in lower case, as the columns do not tell; properties of subentities are those of the root, whose table they
/// share. A column is a to-one where the file shows that it is: by the column beside it for the destination's entity,
/// or by an index and the name of an entity.
struct CoreDataSchemaModel {
  let model: Model

  init(_ schema: CoreDataSchema) throws(ModelError) {
    var descriptions: [EntityDescription] = []
    for known in schema.registrations {
      let parent = schema.registration(number: known.parent)?.name
      var description = EntityDescription(known.name, parent: parent)
      if parent == nil {
        guard let table = schema.table("Z" + known.name) else { continue }
        description.properties = Self.properties(of: table, schema)
      }
      descriptions.append(description)
    }
    // An entity whose root has no table has none either.
    var names = Set(descriptions.filter { $0.parent == nil }.map(\.name))
    for description in descriptions where description.parent.map(names.contains) ?? false {
      names.insert(description.name)
    }
    descriptions = descriptions.filter { names.contains($0.name) }
    Self.addInverses(to: &descriptions)
    Self.addPairs(schema, to: &descriptions)
    model = try Model(descriptions)
  }

  private static func properties(of table: CoreDataSchema.Table, _ schema: CoreDataSchema) -> [Property] {
    var properties: [Property] = []
    var names: Set<String> = []
    for column in table.columns {
      let upper = column.name.uppercased()
      guard upper.hasPrefix("Z"), !upper.hasPrefix("Z_"), entityColumn(upper) == nil else { continue }
      let name = String(upper.dropFirst()).lowercased()
      guard !name.isEmpty, name.first?.isNumber == false, names.insert(name).inserted else { continue }
      if let destination = destination(of: upper, column, in: table, schema) {
        properties.append(.relationship(Relationship(toOne: name, destination)))
      } else {
        properties.append(.attribute(Attribute(name, AttributeType(coreDataColumn: column.declaredType))))
      }
    }
    return properties
  }

  /// The number and the name in `Z<n>_<NAME>`, which holds the entity that a to-one leads to.
  private static func entityColumn(_ name: String) -> (number: Int64, name: String)? {
    guard let match = name.wholeMatch(of: /Z([0-9]+)_(.+)/), let number = Int64(match.1) else { return nil }
    return (number, String(match.2))
  }

  private static func destination(
    of name: String, _ column: CoreDataSchema.Table.Column, in table: CoreDataSchema.Table, _ schema: CoreDataSchema
  ) -> String? {
    guard column.declaredType == "INTEGER" else { return nil }
    for other in table.columns {
      guard let (number, relationship) = entityColumn(other.name.uppercased()), "Z" + relationship == name else {
        continue
      }
      return schema.registration(number: number)?.name
    }
    guard schema.indexed.contains("\(table.name.uppercased()).\(name)") else { return nil }
    return schema.registrations.first { "Z" + $0.name.uppercased() == name }?.name
  }

  /// A to-many back from each to-one, named after the entity that refers, unless there is something of that name.
  private static func addInverses(to descriptions: inout [EntityDescription]) {
    for owner in descriptions.indices {
      for index in descriptions[owner].properties.indices {
        guard case .relationship(var toOne) = descriptions[owner].properties[index], !toOne.isToMany,
          let destination = descriptions.firstIndex(where: { $0.name == toOne.destination })
        else { continue }
        let name = Naming.plural(Naming.lowerCamelCase(descriptions[owner].name))
        guard !descriptions[destination].properties.contains(where: { $0.name == name }) else { continue }
        toOne.inverse = name
        descriptions[owner].properties[index] = .relationship(toOne)
        descriptions[destination].properties.append(
          .relationship(Relationship(toMany: name, descriptions[owner].name, inverse: toOne.name)))
      }
    }
  }

  /// Tables of pairs: `Z_<n>NAME` with two columns `Z_<m>NAME`, each the key of an object of entity m.
  private static func addPairs(_ schema: CoreDataSchema, to descriptions: inout [EntityDescription]) {
    for table in schema.tables.values.sorted(by: { $0.name < $1.name }) {
      guard table.name.uppercased().wholeMatch(of: /Z_[0-9]+.+/) != nil else { continue }
      let sides = table.columns.compactMap { column -> (entity: String, name: String)? in
        guard let match = column.name.uppercased().wholeMatch(of: /Z_([0-9]+)(.+)/), let number = Int64(match.1),
          let entity = schema.registration(number: number)?.name
        else { return nil }
        return (entity, String(match.2).lowercased())
      }
      guard sides.count == 2, sides[0] != sides[1] else { continue }
      for (side, other) in [(sides[0], sides[1]), (sides[1], sides[0])] {
        // What leads to this side's objects belongs to the other side's entity.
        guard let owner = descriptions.firstIndex(where: { $0.name == other.entity }),
          descriptions.contains(where: { $0.name == side.entity }),
          !descriptions[owner].properties.contains(where: { $0.name == side.name })
        else { continue }
        var relationship = Relationship(toMany: side.name, side.entity, inverse: other.name)
        let order = "Z_FOK_" + (schema.registrations.first { $0.name == side.entity }.map { String($0.number) } ?? "")
        relationship.isOrdered = table.column(order + side.name) != nil
        descriptions[owner].properties.append(.relationship(relationship))
      }
    }
  }
}

extension AttributeType {
  /// What values a column of Core Data's holds, as far as its declaration tells.
  fileprivate init(coreDataColumn declaredType: String) {
    self =
      switch declaredType {
      case "INTEGER": .integer64
      case "FLOAT": .double
      case "TIMESTAMP": .date
      case "DECIMAL": .decimal
      case "VARCHAR": .string
      default: .data
      }
  }
}
