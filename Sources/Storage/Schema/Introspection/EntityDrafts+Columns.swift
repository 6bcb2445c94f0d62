import Modeling

extension EntityDrafts {
  /// Gives an entity its key and an attribute for each column.
  mutating func addColumns(to index: Int, _ connection: Connection) throws(StoreError) {
    let table = all[index].table
    let samples = try samples(of: table, connection)
    for (position, column) in table.columns.enumerated() {
      let type = DeclaredType(column.declaredType).type(found: samples[position])
      let attribute = attribute(column, type, in: all[index])
      let isDefaulted = attribute.hasStoreDefault || asciiLowercased(column.name) == table.rowIDAlias.map(asciiLowercased)
      all[index].columns.append(
        ColumnLayout(
          name: column.name, type: type, isWritable: !column.isGenerated,
          isExact: table.isStrict || column.name == table.rowIDAlias,
          collation: connection.collation(ofColumn: column.name, table: table.name), hasStoreDefault: isDefaulted))
      all[index].properties.append(PropertyDraft(property: .attribute(attribute.attribute), place: .column(position)))
    }
    try addKey(to: index, connection)
  }

  private func attribute(
    _ column: ForeignColumn, _ type: AttributeType, in draft: EntityDraft
  ) -> (attribute: Attribute, hasStoreDefault: Bool) {
    let name = Naming.unique(column.name.isEmpty ? "column" : column.name, among: draft.names)
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
    let isRowID = draft.table.rowIDAlias == column.name
    attribute.isOptional = !column.isNotNull || isRowID || hasStoreDefault || column.isGenerated
    return (attribute, hasStoreDefault)
  }

  /// What the first rows hold in columns whose declarations do not say, by column.
  ///
  /// A few rows at the beginning of the table, so that opening costs the same whatever its size.
  private func samples(of table: ForeignTable, _ connection: Connection) throws(StoreError) -> [Int: String] {
    guard table.kind == .table else { return [:] }
    let unclear = table.columns.indices.filter { DeclaredType(table.columns[$0].declaredType).isSampled }
    guard !unclear.isEmpty else { return [:] }
    let list = unclear.map { "typeof(\(quoteIdentifier(table.columns[$0].name)))" }.joined(separator: ", ")
    var found: [Int: String] = [:]
    for row in try connection.all("SELECT \(list) FROM \(quoteIdentifier(table.name)) LIMIT 20") {
      for (column, value) in zip(unclear, row) {
        if case .string(let storage) = value, storage != "null", found[column] == nil { found[column] = storage }
      }
    }
    return found
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

  /// Makes uniqueness and indexes of the model from those of the table, where they are over properties.
  mutating func addUniqueness(to index: Int) {
    let draft = all[index]
    for declared in draft.table.indexes where !declared.isPartial {
      guard let columns = declared.columns else { continue }
      let names = columns.compactMap(draft.propertyName)
      guard names.count == columns.count, Set(names).count == names.count else { continue }
      let attribute = draft.properties.firstIndex { $0.property.attribute != nil && [$0.property.name] == names }
      if let attribute {
        all[index].properties[attribute].property.mark { declared.isUnique ? ($0.isUnique = true) : ($0.isIndexed = true) }
      } else if declared.isUnique {
        if !all[index].uniquenessConstraints.contains(names) { all[index].uniquenessConstraints.append(names) }
      } else if !all[index].indexes.contains(names) {
        all[index].indexes.append(names)
      }
    }
  }
}

extension Property {
  /// Changes the attribute, if it is one.
  mutating func mark(_ change: (inout Attribute) -> Void) {
    guard case .attribute(var attribute) = self else { return }
    change(&attribute)
    self = .attribute(attribute)
  }
}

extension Value {
  /// 0 and 1 as flags where a flag is expected.
  fileprivate func asFlag(if type: AttributeType) -> Value {
    if type == .boolean, case .int(let number) = self, number == 0 || number == 1 { return .bool(number == 1) }
    return self
  }
}
