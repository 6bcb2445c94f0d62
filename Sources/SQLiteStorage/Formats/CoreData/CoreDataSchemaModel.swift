import Foundation
import Modeling

/// A model derived from the bookkeeping and the columns of a Core Data store without a model.
///
/// Names are in lower case, because the columns do not preserve it. Properties of subentities belong to the root, whose
/// table they share. A column is a to-one relationship only if the file shows it: by a second column for the
/// destination's entity, or by an index and the name of an entity.
struct CoreDataSchemaModel {
  let model: Model

  /// - Throws: ModelError if the bookkeeping has contradictions that are not skipped here.
  init(_ schema: CoreDataSchema) throws(ModelError) {
    var descriptions = Self.entities(schema)
    let roots = Self.roots(of: descriptions)
    descriptions = descriptions.filter { roots[$0.name] != nil }
    for index in descriptions.indices {
      // A reference to a missing entity becomes a number.
      descriptions[index].properties = descriptions[index].properties.map { property in
        guard let relationship = property.relationship, roots[relationship.destination] == nil else { return property }
        return .attribute(Attribute(relationship.name, .integer64))
      }
    }
    var names = FamilyNames(descriptions, roots)
    Self.addInverses(to: &descriptions, &names)
    Self.addPairs(schema, to: &descriptions, &names)
    model = try Model(descriptions)
  }

  /// The first entity of each name; entities without a parent have the properties of their table.
  private static func entities(_ schema: CoreDataSchema) -> [EntityDescription] {
    var descriptions: [EntityDescription] = []
    var names: Set<String> = []
    for known in schema.registrations {
      let parent = schema.registration(number: known.parent)?.name
      var description = EntityDescription(known.name, parent: parent)
      if parent == nil {
        guard let table = schema.table("Z" + known.name) else { continue }
        description.properties = Self.properties(of: table, schema)
      }
      if names.insert(known.name).inserted { descriptions.append(description) }
    }
    return descriptions
  }

  /// The name of each entity's root; entities whose root has no table are omitted.
  private static func roots(of descriptions: [EntityDescription]) -> [String: String] {
    let parents = Dictionary(descriptions.map { ($0.name, $0.parent) }, uniquingKeysWith: { first, _ in first })
    var roots: [String: String] = [:]
    for description in descriptions {
      var name = description.name
      // A deeper hierarchy must be a cycle.
      for _ in 0..<64 {
        guard let parent = parents[name] else { break }
        guard let parent else {
          roots[description.name] = name
          break
        }
        name = parent
      }
    }
    return roots
  }

  /// The property names of each hierarchy, which its entities share.
  private struct FamilyNames {
    private let roots: [String: String]
    private var names: [String: Set<String>] = [:]

    init(_ descriptions: [EntityDescription], _ roots: [String: String]) {
      self.roots = roots
      for description in descriptions {
        names[roots[description.name] ?? "", default: []].formUnion(description.properties.map(\.name))
      }
    }

    /// Reserves a property name for an entity; returns false if another property of its hierarchy has it.
    mutating func take(_ name: String, for entity: String) -> Bool {
      names[roots[entity] ?? "", default: []].insert(name).inserted
    }
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

  /// The number and the name in `Z<n>_<NAME>`, the column with the entity of a to-one's destination.
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

  /// Adds a to-many inverse to each to-one relationship, named after the entity that refers, unless the name is taken.
  private static func addInverses(to descriptions: inout [EntityDescription], _ names: inout FamilyNames) {
    for owner in descriptions.indices {
      for index in descriptions[owner].properties.indices {
        guard case .relationship(var toOne) = descriptions[owner].properties[index], !toOne.isToMany,
          let destination = descriptions.firstIndex(where: { $0.name == toOne.destination })
        else { continue }
        let name = Naming.plural(Naming.lowerCamelCase(descriptions[owner].name))
        guard names.take(name, for: toOne.destination) else { continue }
        toOne.inverse = name
        descriptions[owner].properties[index] = .relationship(toOne)
        descriptions[destination].properties.append(
          .relationship(Relationship(toMany: name, descriptions[owner].name, inverse: toOne.name)))
      }
    }
  }

  /// Join tables: `Z_<n>NAME` with two columns `Z_<m>NAME`, each the key of an object of entity m.
  private static func addPairs(
    _ schema: CoreDataSchema, to descriptions: inout [EntityDescription], _ names: inout FamilyNames
  ) {
    for table in schema.tables.values.sorted(by: { $0.name < $1.name }) {
      guard table.name.uppercased().wholeMatch(of: /Z_[0-9]+.+/) != nil else { continue }
      let sides = table.columns.compactMap { column -> (entity: String, name: String)? in
        guard let match = column.name.uppercased().wholeMatch(of: /Z_([0-9]+)(.+)/), let number = Int64(match.1),
          let entity = schema.registration(number: number)?.name
        else { return nil }
        return (entity, String(match.2).lowercased())
      }
      // The column for one side's objects belongs to the other side's entity. A single side is not a relationship.
      guard sides.count == 2, sides.allSatisfy({ side in descriptions.contains { $0.name == side.entity } }),
        names.take(sides[0].name, for: sides[1].entity), names.take(sides[1].name, for: sides[0].entity)
      else { continue }
      for (side, other) in [(sides[0], sides[1]), (sides[1], sides[0])] {
        guard let owner = descriptions.firstIndex(where: { $0.name == other.entity }) else { continue }
        var relationship = Relationship(toMany: side.name, side.entity, inverse: other.name)
        let order = "Z_FOK_" + (schema.registrations.first { $0.name == side.entity }.map { String($0.number) } ?? "")
        relationship.isOrdered = table.column(order + side.name) != nil
        descriptions[owner].properties.append(.relationship(relationship))
      }
    }
  }
}

extension AttributeType {
  /// The type of a Core Data column's values, as far as its declaration shows it.
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
