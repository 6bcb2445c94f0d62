import Modeling

/// The facts about a store's tables that `TouchedRows` needs, cached for each table.
final class TouchedTables {
  private var tables: [String: TouchedTable] = [:]
  private var links: [String: Links]?

  /// The columns through which rows of a table refer to one another.
  struct Links {
    /// Columns that refer, or to which others refer, in lower case.
    var columns: Set<String> = []
    /// Groups of columns that refer only together.
    var combinations: Set<[String]> = []
    /// Whether the rows are pairs of a many-to-many relationship.
    var isPairs = false

    fileprivate mutating func add(_ names: [String]) {
      let names = names.map(asciiLowercased)
      columns.formUnion(names)
      if names.count > 1 { combinations.insert(names) }
    }
  }

  /// The cached facts of the table of `changes`.
  func table(_ changes: TableChanges, of store: SQLiteStore) -> TouchedTable {
    if let known = tables[changes.name], known.recorded == changes.table { return known }
    let all = links ?? Self.links(of: store)
    links = all
    let table = TouchedTable(changes, all[asciiLowercased(changes.name)] ?? Links(), store)
    tables[changes.name] = table
    return table
  }

  private static func links(of store: SQLiteStore) -> [String: Links] {
    var links: [String: Links] = [:]
    func add(_ table: String, _ names: [String]) { links[asciiLowercased(table), default: Links()].add(names) }
    func add(_ target: ReferenceTarget, of entity: Entity) {
      if case .columns(let names) = target { add(store.layout(of: entity).table, names) }
    }
    for entity in store.model.entities {
      let layout = store.layout(of: entity)
      for (index, property) in layout.properties.enumerated() {
        switch property {
        case .reference(let columns, let target):
          add(layout.table, columns.map { layout.columns[$0].name })
          add(target, of: entity.destination(at: index))
        case .join(let join):
          add(join.table, join.ownerColumns)
          add(join.table, join.memberColumns)
          links[asciiLowercased(join.table)]?.isPairs = true
          add(join.ownerTarget, of: entity)
          add(join.memberTarget, of: entity.destination(at: index))
        case .column, .inverse, .none: break
        }
      }
    }
    return links
  }
}

/// How to read the records of a table's changes.
final class TouchedTable {
  let recorded: RecordedTable
  /// The name in lower case.
  let name: String
  let interner: KeyInterner?
  /// For each column of the entity's key, its index in a record's key.
  let keyOrder: [Int]
  let isPairs: Bool
  /// The recorded columns in lower case; those of the key follow them.
  let columns: [String]
  /// Whether each of `columns` refers, or others refer to it.
  let isLink: [Bool]
  /// References of several columns, as indices of `columns`.
  let combinations: [[Int]]
  /// For each property of the entity, its index in `columns`; negative if the property has no column of its own. Empty
  /// if the row id is not the key.
  let propertyColumns: [Int]
  /// The sets of updated columns' names.
  let updatedColumns: UpdatedColumns
  /// The key's column name for the row id; nil if rows have no row id.
  let rowIDName: String?

  init(_ changes: TableChanges, _ links: TouchedTables.Links, _ store: SQLiteStore) {
    recorded = changes.table
    name = asciiLowercased(changes.name)
    isPairs = links.isPairs
    interner = changes.entity.flatMap { store.interner(of: $0) }
    let layout = changes.entity.map { store.layout(of: $0) }
    let shape = try? store.commits?.capture.shape(of: changes.name)
    rowIDName = shape.flatMap(\.rowIDName)
    let key = changes.keyColumns.isEmpty ? [rowIDName ?? "rowid"] : changes.keyColumns
    let columns = (changes.columns + key).map(asciiLowercased)
    let keyNames = key.map(asciiLowercased)
    keyOrder = layout?.key.columns.compactMap { keyNames.firstIndex(of: asciiLowercased($0)) } ?? []
    isLink = columns.map(links.columns.contains)
    combinations = links.combinations.compactMap { names in
      let places = names.compactMap { columns.firstIndex(of: $0) }
      return places.count == names.count ? places : nil
    }
    self.columns = columns
    updatedColumns = UpdatedColumns(columns)
    if let layout, case .rowID = layout.key, changes.keyColumns.isEmpty {
      let places = Dictionary(changes.columns.enumerated().map { (asciiLowercased($1), $0) }) { first, _ in first }
      propertyColumns = layout.properties.map { property in
        guard case .column(let column) = property else { return -1 }
        return places[asciiLowercased(layout.columns[column].name)] ?? -1
      }
    } else {
      propertyColumns = []
    }
  }

  /// The key number of the row with a record's key.
  func number(of key: [Value]) -> Int64 {
    if let interner { return interner.number(of: keyOrder.map { key[$0] }) }
    if case .int(let number)? = key.first { return number }
    return 0
  }

  /// The number of `columns` that are not part of the key.
  var plainCount: Int { recorded.columns.count }
}

/// Makes sets of updated columns' names. It caches the last set, since successive saves often update the same columns.
final class UpdatedColumns {
  private let columns: [String]
  private var last: (changed: [Bool], names: Set<String>) = ([], [])

  /// The table's columns.
  init(_ columns: [String]) { self.columns = columns }

  /// The names of the marked columns.
  func names(_ changed: [Bool]) -> Set<String> {
    if !changed.contains(true) { return [] }
    if last.changed != changed { last = (changed, Set(zip(columns, changed).filter(\.1).map(\.0))) }
    return last.names
  }
}
