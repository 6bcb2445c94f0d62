import Layouts
import Modeling
import SQLite

extension IntrospectedEntities {
  /// Gives an entity its key and an attribute for each column.
  mutating func addColumns(
    to index: Int, _ connection: Connection, _ known: inout [String: DeclaredType]
  ) throws(StoreError) {
    let table = all[index].table
    let types = try types(of: table, connection, &known)
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
  private func types(
    of table: ForeignTable, _ connection: Connection, _ known: inout [String: DeclaredType]
  ) throws(StoreError) -> [AttributeType] {
    let declared = table.columns.map { declaredType($0.declaredType, &known) }
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
  private func declaredType(_ declaration: String, _ known: inout [String: DeclaredType]) -> DeclaredType {
    if let type = known[declaration] { return type }
    let type = DeclaredType(declaration)
    known[declaration] = type
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
}

extension Value {
  /// 0 and 1 as Booleans if the type is Boolean.
  fileprivate func asFlag(if type: AttributeType) -> Value {
    if type == .boolean, case .int(let number) = self, number == 0 || number == 1 { return .bool(number == 1) }
    return self
  }
}
