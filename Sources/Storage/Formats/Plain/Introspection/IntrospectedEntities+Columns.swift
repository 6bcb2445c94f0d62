import Layouts
import Modeling
import SQLite

extension IntrospectedEntities {
  /// Gives an entity its key and an attribute for each column.
  mutating func addColumns(to index: Int, _ connection: Connection) throws(StoreError) {
    let table = all[index].table
    let types = try types(of: table, connection)
    var names: Set<String> = []
    for (position, column) in table.columns.enumerated() {
      let name = Naming.unique(column.name.isEmpty ? "column" : column.name, among: names)
      names.insert(name)
      let isRowID = column.name == table.rowIDAlias
      let (attribute, hasStoreDefault) = attribute(name, column, types[position], isRowID: isRowID)
      all[index].columns.append(
        ColumnLayout(
          name: column.name, type: types[position], isWritable: !column.isGenerated, isExact: table.isStrict || isRowID,
          collation: connection.collation(ofColumn: column.name, table: table.name),
          hasStoreDefault: hasStoreDefault || isRowID))
      all[index].add(PropertyDraft(property: .attribute(attribute), place: .column(position)))
    }
    try addKey(to: index, connection)
  }

  /// Gives an entity its key and an attribute for each column, as `describe` says.
  mutating func addColumns(
    to index: Int, _ describe: (ForeignTable, ForeignColumn) -> (attribute: Attribute, column: ColumnLayout)
  ) {
    let table = all[index].table
    var names: Set<String> = []
    for (position, column) in table.columns.enumerated() {
      var (attribute, layout) = describe(table, column)
      attribute.name = Naming.unique(column.name.isEmpty ? "column" : column.name, among: names)
      names.insert(attribute.name)
      if !layout.isWritable { attribute.isReadOnly = true }
      all[index].columns.append(layout)
      all[index].add(PropertyDraft(property: .attribute(attribute), place: .column(position)))
    }
    if let name = table.rowIDName, table.kind == .table {
      all[index].key = .rowID(name)
    } else if !table.primaryKey.isEmpty {
      all[index].key = .columns(table.primaryKey)
    } else {
      all[index].key = .columns(table.columns.map(\.name))
    }
    all[index].isReadOnly = table.kind != .table || table.primaryKey.isEmpty
    if table.kind == .table, table.primaryKey.isEmpty {
      notes.append("The table \(table.name) has no key that could be used: it is read-only.")
    }
  }

  private func attribute(
    _ name: String, _ column: ForeignColumn, _ type: AttributeType, isRowID: Bool
  ) -> (attribute: Attribute, hasStoreDefault: Bool) {
    var attribute = Attribute(name, type)
    attribute.isReadOnly = column.isGenerated
    var hasStoreDefault = false
    if let sql = column.defaultSQL, !column.isGenerated {
      if let literal = literalValue(ofDefault: sql), let value = try? attribute.coerce(literal.asFlag(if: type)) {
        attribute.defaultValue = value
      } else {
        hasStoreDefault = true
      }
    }
    attribute.isOptional = !column.isNotNull || isRowID || hasStoreDefault || column.isGenerated
    return (attribute, hasStoreDefault)
  }

  /// The types of a table's columns.
  ///
  /// If a declaration gives no type, a few rows at the beginning of the table do, so that opening takes the same time for
  /// tables of any size.
  private mutating func types(
    of table: ForeignTable, _ connection: Connection
  ) throws(StoreError) -> [AttributeType] {
    let declared = table.columns.map { declaredType($0.declaredType) }
    let unclear = table.kind == .table ? declared.indices.filter { declared[$0].isSampled } : []
    var found: [Int: String] = [:]
    if !unclear.isEmpty {
      let list = unclear.map { "typeof(\(quoteIdentifier(table.columns[$0].name)))" }.joined(separator: ", ")
      for row in try connection.all("SELECT \(list) FROM \(quoteIdentifier(table.name)) LIMIT 20") {
        for (column, value) in zip(unclear, row) {
          if case .string(let storage) = value, storage != "null", found[column] == nil { found[column] = storage }
        }
      }
    }
    return declared.indices.map { declared[$0].type(found: found[$0]) }
  }

  /// Reads a declaration, and caches it: a file has few different ones.
  private mutating func declaredType(_ declaration: String) -> DeclaredType {
    if let known = declaredTypes[declaration] { return known }
    let type = DeclaredType(declaration)
    declaredTypes[declaration] = type
    return type
  }

  private mutating func addKey(to index: Int, _ connection: Connection) throws(StoreError) {
    let table = all[index].table
    if let name = table.rowIDName {
      all[index].key = .rowID(name)
    } else if table.kind == .table, !table.primaryKey.isEmpty {
      all[index].key = .columns(table.primaryKey)
    } else {
      all[index].isReadOnly = true
      all[index].key = .columns(table.columns.map(\.name))
      if table.kind == .virtual, table.column("rowid") == nil, hasRowID(table, connection) {
        all[index].key = .rowID("rowid")
      }
      if table.kind == .table {
        notes.append("The table \(table.name) has no key that could be used: it is read-only.")
      }
    }
  }

  private func hasRowID(_ table: ForeignTable, _ connection: Connection) -> Bool {
    (try? connection.prepare("SELECT rowid FROM \(quoteIdentifier(table.name))")) != nil
  }

  /// Makes the model's uniqueness constraints and indexes from those of the table, if they are over properties.
  mutating func addUniqueness(to index: Int) {
    let draft = all[index]
    for declared in draft.table.indexes where !declared.isPartial {
      guard let columns = declared.columns else { continue }
      let names = columns.compactMap(draft.propertyName)
      guard names.count == columns.count, Set(names).count == names.count else { continue }
      let attribute = draft.properties.firstIndex { $0.property.attribute != nil && [$0.property.name] == names }
      if let attribute {
        all[index].properties[attribute].property.mark {
          declared.isUnique ? ($0.isUnique = true) : ($0.isIndexed = true)
        }
      } else if declared.isUnique {
        if !all[index].uniquenessConstraints.contains(names) { all[index].uniquenessConstraints.append(names) }
      } else if !all[index].indexes.contains(names) {
        all[index].indexes.append(names)
      }
    }
  }
}

extension Property {
  /// Changes the property if it is an attribute.
  mutating func mark(_ change: (inout Attribute) -> Void) {
    guard case .attribute(var attribute) = self else { return }
    change(&attribute)
    self = .attribute(attribute)
  }
}

extension Value {
  /// 0 and 1 as Booleans if the type is Boolean.
  fileprivate func asFlag(if type: AttributeType) -> Value {
    if type == .boolean, case .int(let number) = self, number == 0 || number == 1 { return .bool(number == 1) }
    return self
  }
}
