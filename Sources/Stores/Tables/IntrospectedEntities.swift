package import Layouts
import Modeling

/// The entities of a database under construction.
package struct IntrospectedEntities {
  private(set) var tables: [ForeignTable]
  package var all: [IntrospectedEntity] = []
  /// Tables that become a relationship instead of an entity.
  private(set) var joinTables: [ForeignTable] = []
  package var notes: [String] = []
  /// The index in `all` of each table's entity, by the table's name in lower case.
  private var indices: [String: Int] = [:]

  /// The columns that foreign keys of other tables refer to, each list once, by the table's name, all in lower case; an empty list
  /// is the primary key.
  package let referencedColumns: [String: [[String]]]

  /// Creates an entity for each table that is not a join table.
  package init(_ tables: [ForeignTable]) {
    self.tables = tables
    var referenced: [String: [[String]]] = [:]
    for key in tables.flatMap(\.foreignKeys) {
      let (table, columns) = (asciiLowercased(key.table), key.target.map(asciiLowercased))
      if referenced[table]?.contains(columns) != true { referenced[table, default: []].append(columns) }
    }
    referencedColumns = referenced
    let named = Dictionary(tables.map { (asciiLowercased($0.name), $0) }, uniquingKeysWith: { first, _ in first })
    var names: Set<String> = []
    for table in tables {
      if isJoin(table, named), referenced[asciiLowercased(table.name)] == nil {
        joinTables.append(table)
        continue
      }
      let name = Naming.unique(Naming.upperCamelCase(table.name), among: names)
      names.insert(name)
      indices[asciiLowercased(table.name)] = all.count
      all.append(IntrospectedEntity(table: table, name: name))
    }
  }

  /// Whether a table consists of two foreign keys only.
  private func isJoin(_ table: ForeignTable, _ tables: [String: ForeignTable]) -> Bool {
    guard table.kind == .table, table.foreignKeys.count == 2 else { return false }
    let columns = table.foreignKeys.flatMap(\.columns).map(asciiLowercased)
    guard columns.count == table.columns.count, Set(columns).count == columns.count else { return false }
    return table.foreignKeys.allSatisfy { key in
      guard let parent = tables[asciiLowercased(key.table)] else { return false }
      return target(of: key, in: parent) != nil
    }
  }

  /// The index of the entity for the table with a name.
  package func index(ofTable name: String) -> Int? { indices[asciiLowercased(name)] }

  /// The target of a foreign key; nil if the key does not fit the table to which it refers.
  package func target(of key: ForeignKey, in table: ForeignTable) -> ReferenceTarget? {
    let names = (key.target.isEmpty ? table.primaryKey : key.target).compactMap { table.column($0)?.name }
    guard names.count == key.columns.count else { return nil }
    return names == [table.rowIDAlias] ? .key : .columns(names)
  }

  /// The finished layout of an entity.
  package func layout(of draft: IntrospectedEntity) -> EntityLayout {
    let properties = draft.properties.map { property -> PropertyLayout in
      switch property.place {
      case .column(let column): return .column(column)
      case .reference(_, let columns, let target): return .reference(columns, target)
      case .join(let join): return .join(join)
      case .inverse(let key):
        let toOne = all[key.entity].properties.firstIndex {
          if case .reference(key, _, _) = $0.place { true } else { false }
        }
        return .inverse(toOne!, order: nil)
      }
    }
    return EntityLayout(
      table: draft.table.name, key: draft.key, columns: draft.columns, properties: properties,
      primaryKey: draft.table.primaryKey.compactMap(draft.columnIndex))
  }
}
