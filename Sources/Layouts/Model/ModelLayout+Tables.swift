import Modeling

extension ModelLayout {
  func layout(of entity: Entity) -> EntityLayout {
    var columns: [ColumnLayout] = []
    func append(_ column: ColumnLayout) -> Int {
      columns.append(column)
      return columns.count - 1
    }
    let properties = placements[entity]!.enumerated().map { index, placement in
      switch placement {
      case .none: return PropertyLayout.none
      case .column(let column): return .column(append(column))
      case .reference(let column): return .reference([append(column)], .key)
      case .toMany:
        let declaration = Declaration(entity, index)
        if isJoin(declaration) { return .join(joinLayout(declaration)) }
        return .inverse(entity.inverse(at: index)!, order: orders[declaration])
      }
    }
    let hasRelatives = !entity.root.subentities.isEmpty
    return EntityLayout(
      table: tableName(of: entity), key: .rowID(Self.key), columns: columns, properties: properties,
      discriminator: hasRelatives ? (Self.discriminator, .string(entity.name)) : nil)
  }

  func table(of root: Entity) -> TableSchema {
    var table = TableSchema(name: tableName(of: root), columns: [])
    table.columns.append(ColumnSchema(name: Self.key, declaration: "INTEGER PRIMARY KEY"))
    if !root.subentities.isEmpty {
      table.columns.append(ColumnSchema(name: Self.discriminator, declaration: "TEXT NOT NULL"))
    }
    for entity in root.family {
      for index in ownIndices(of: entity) {
        switch placements[entity]![index] {
        case .column(let column):
          let isComputed = entity.properties[index].attribute?.isDerived ?? false
          table.columns.append(
            ColumnSchema(name: column.name, declaration: column.type.columnType, isComputed: isComputed))
        case .reference(let column):
          let declaration = referenceDeclaration(Declaration(entity, index))
          table.columns.append(ColumnSchema(name: column.name, declaration: declaration))
        case .toMany, .none: break
        }
      }
    }
    let kept = orders.filter { $0.key.inverse?.entity.root === root }.map(\.value).sorted()
    table.columns += kept.map { ColumnSchema(name: $0, declaration: "INTEGER") }
    return table
  }

  /// The declaration of a to-one's column. The inverse's delete rule decides the foreign key's action.
  private func referenceDeclaration(_ declaration: Declaration) -> String {
    let destination = declaration.entity.destination(at: declaration.index)
    let action: String
    switch declaration.inverse?.relationship?.deleteRule {
    case .noAction: return "INTEGER"
    case .deny: action = "NO ACTION"
    case .cascade: action = "CASCADE"
    case .nullify, nil: action = "SET NULL"
    }
    return "INTEGER REFERENCES \(quoteIdentifier(tableName(of: destination)))(\(quoteIdentifier(Self.key)))"
      + " ON DELETE \(action) DEFERRABLE INITIALLY DEFERRED"
  }
}

extension AttributeType {
  /// The declared type of one of our columns, whose affinity keeps values unchanged.
  var columnType: String {
    switch self {
    case .integer16, .integer32, .integer64, .boolean: "INTEGER"
    case .double, .float, .date: "REAL"
    case .decimal, .string, .uuid, .url, .transformable, .composite: "TEXT"
    case .data, .any: "BLOB"
    }
  }
}
