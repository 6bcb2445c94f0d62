import Layouts
import Modeling
import StoreErrors

/// How the tables of a model are spread over the nodes of Citus.
///
/// An entity whose `userInfo` has `distributed` is spread by that property: its column is part of the key, and of references
/// between entities that are spread alike. All others are reference tables, of which each node has a copy; pairs of objects of
/// which one is spread lie with their owner.
struct TableDistribution {
  /// The option in an entity's `userInfo`.
  static let option = "distributed"

  /// The distribution column of each table that has one, by the table's name.
  private var columns: [String: String] = [:]
  /// The tables of pairs that are spread by their owner.
  private var pairs: [String: String] = [:]
  private let tables: [String]

  /// - Throws: StoreError, `.notDistributable` for a property that is not kept in one column, or if something is unique without it.
  init(_ layout: ModelLayout, path: String) throws(StoreError) {
    tables = layout.schema.tables.map(\.name)
    for entity in layout.model.entities where entity.parent == nil {
      guard let name = entity.description.userInfo[Self.option], let own = layout.layouts[entity] else { continue }
      guard let index = entity.index(of: name), let column = own.properties[index].ownColumns.first else {
        throw StoreError(.notDistributable(entity: entity.name, by: name, unique: []), path: path)
      }
      columns[own.table] = own.columns[column].name
      let indexes = layout.schema.table(own.table)?.indexes ?? []
      for unique in indexes where unique.isUnique && !unique.columns.contains(own.columns[column].name) {
        throw StoreError(.notDistributable(entity: entity.name, by: name, unique: unique.columns), path: path)
      }
    }
    for entity in layout.model.entities {
      for case .join(let join) in layout.layouts[entity]?.properties ?? [] where pairs[join.table] == nil {
        let ends = [layout.layouts[entity]?.table, join.memberTable(in: layout, of: entity)].compactMap(\.self)
        if ends.contains(where: { columns[$0] != nil }) { pairs[join.table] = join.ownerColumns[0] }
      }
    }
  }

  /// The distribution column of a table of objects; nil for a table that is not spread.
  func column(of table: String) -> String? { columns[table] }

  /// The column that a table is spread by, also one of pairs; nil for a table of which each node has a copy.
  func place(of table: String) -> String? { columns[table] ?? pairs[table] }

  /// The statement that spreads a table, or gives each node a copy of it.
  func statement(for table: String) -> String {
    place(of: table).map {
      "SELECT create_distributed_table(\(Self.literal(quoted(table))), \(Self.literal($0)))"
    } ?? Self.reference(table)
  }

  /// The columns of the primary key of a table that is spread. Its index finds rows by their keys alone, too.
  func key(_ table: String) -> String? { columns[table].map { "\(quoted(ModelLayout.key)), \(quoted($0))" } }

  /// The foreign key of a column that refers to another table, as Citus has them: to every reference table, and between tables
  /// that are spread alike with the column by which they are.
  func reference(_ table: String, _ column: ColumnSchema) -> String? {
    guard let start = column.declaration.range(of: "REFERENCES "),
      let target = tables.first(where: { column.declaration[start.upperBound...].hasPrefix(quoted($0)) })
    else { return nil }
    let begin = "ALTER TABLE \(quoted(table)) ADD FOREIGN KEY"
    let (own, other) = (columns[table], columns[target])
    if pairs[table] != nil { return nil }
    guard let other else {
      return "\(begin) (\(quoted(column.name))) REFERENCES \(quoted(target)) (\(quoted(ModelLayout.key)))"
    }
    guard let own, own != column.name else { return nil }
    return "\(begin) (\(quoted(own)), \(quoted(column.name))) "
      + "REFERENCES \(quoted(target)) (\(quoted(other)), \(quoted(ModelLayout.key)))"
  }

  /// The statements that spread the tables. Reference tables come first.
  var statements: [String] {
    (tables.filter { place(of: $0) == nil } + tables.filter { place(of: $0) != nil }).map(statement)
  }

  /// The statement that gives each node a copy of a table.
  static func reference(_ table: String) -> String { "SELECT create_reference_table(\(literal(quoted(table))))" }

  private static func literal(_ text: String) -> String { quoted(text, by: "'") }
}

extension JoinLayout {
  /// The table of the objects at the members' end.
  fileprivate func memberTable(in layout: ModelLayout, of entity: Entity) -> String? {
    let index = layout.layouts[entity]?.properties.firstIndex {
      if case .join(let join) = $0 { join == self } else { false }
    }
    return index.flatMap { layout.layouts[entity.destination(at: $0)]?.table }
  }
}
