import Modeling

/// The content of a column of a Core Data store, as far as a model describes it.
enum CoreDataClaim: Hashable {
  case attribute(AttributeType, isExternal: Bool)
  /// The key, the entity or the place of another object.
  case link
  /// No property of the model.
  case unknown
}

/// The columns that a model describes.
extension CoreDataPlacement {
  /// The content of the properties' columns, by `TABLE.COLUMN` in capitals.
  var claims: [String: CoreDataClaim] {
    var claims: [String: CoreDataClaim] = [:]
    for (root, columns) in taken {
      for column in columns { claims[Self.key(tableName(of: root), column)] = .link }
    }
    for (entity, properties) in places {
      for (name, place) in properties {
        switch place {
        case .column(let column):
          let attribute = entity.description.properties.first { $0.name == name }?.attribute
          if let attribute { claim(column, attribute, in: tableName(of: entity), &claims) }
        case .join(let join) where !join.isInMembers:
          for column in join.ownerColumns + join.memberColumns + [join.order].compactMap(\.self) {
            claims[Self.key(join.table, column)] = .link
          }
        case .join, .reference, .inverse, .transient: break
        }
      }
    }
    return claims
  }

  private func claim(
    _ column: ColumnLayout, _ attribute: Attribute, in table: String, _ claims: inout [String: CoreDataClaim]
  ) {
    guard case .elements(let elements) = column.encoding else {
      claims[Self.key(table, column.name)] = .attribute(
        attribute.type, isExternal: attribute.allowsExternalBinaryDataStorage)
      return
    }
    for (element, kept) in zip(attribute.elements, elements) { claim(kept.column, element, in: table, &claims) }
  }

  static func key(_ table: String, _ column: String) -> String {
    "\(table.uppercased()).\(column.uppercased())"
  }

  /// The columns of the file that could belong to a property: all columns of entity and join tables but the framework's
  /// own.
  var columnsOfProperties: Set<String> {
    var columns: Set<String> = []
    let entities = Set(numbers.keys.filter { $0.parent == nil }.map { tableName(of: $0).uppercased() })
    for (name, table) in schema.tables {
      let isPairs = name.wholeMatch(of: /Z_[0-9]+[^0-9].*/) != nil
      guard isPairs || entities.contains(name) else { continue }
      for column in table.columns where !["Z_PK", "Z_ENT", "Z_OPT"].contains(column.name.uppercased()) {
        columns.insert(Self.key(name, column.name))
      }
    }
    return columns
  }
}
