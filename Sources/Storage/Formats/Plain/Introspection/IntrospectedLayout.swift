package import Layouts
package import Modeling
import SQLite

/// The model and layouts of a plain SQLite file, derived from its schema.
///
/// A table is an entity, a foreign key a to-one with an inverse, a table of two foreign keys and nothing else a
/// many-to-many. Views and virtual tables are entities that cannot be written.
package struct IntrospectedLayout {
  package let model: Model
  package let layouts: [Entity: EntityLayout]
  package let notes: [String]

  /// Reads the schema of an open file.
  ///
  /// - Throws: StoreError; ModelError never, unless a rule of models was overlooked here.
  init(_ connection: Connection, readsDateTexts: Bool = true) throws {
    let reader = try ForeignSchemaReader(connection)
    var drafts = IntrospectedEntities(reader.tables)
    for index in drafts.all.indices { try drafts.addColumns(to: index, connection) }
    if readsDateTexts { try drafts.findDates(connection) }
    try self.init(drafts, notes: reader.notes)
  }

  /// Reads tables of another kind of database, whose columns `attribute` describes: the attribute without its name, and how it
  /// is kept.
  ///
  /// - Throws: ModelError never, unless a rule of models was overlooked here.
  package init(
    _ tables: [ForeignTable], notes: [String],
    attribute: (ForeignTable, ForeignColumn) -> (attribute: Attribute, column: ColumnLayout)
  ) throws {
    var drafts = IntrospectedEntities(tables)
    for index in drafts.all.indices { drafts.addColumns(to: index, attribute) }
    try self.init(drafts, notes: notes)
  }

  private init(_ drafts: IntrospectedEntities, notes: [String]) throws {
    var drafts = drafts
    drafts.addForeignKeys()
    drafts.addJoins()
    for index in drafts.all.indices { drafts.addUniqueness(to: index) }
    let model = try Model(drafts.all.map(\.description))
    self.model = model
    layouts = Dictionary(
      uniqueKeysWithValues: zip(model.entities, drafts.all).map { ($0, drafts.layout(of: $1)) })
    self.notes = notes + drafts.notes
  }
}

/// An entity under construction: properties in order, each with its place in the table.
struct IntrospectedEntity {
  let table: ForeignTable
  let name: String
  var properties: [PropertyDraft] = []
  /// The names of the properties. A table that thousands of others lead to has as many.
  private(set) var names: Set<String> = []
  var columns: [ColumnLayout] = []
  var key = KeyLayout.columns([])
  var isReadOnly = false
  var uniquenessConstraints: [[String]] = []
  var indexes: [[String]] = []

  /// Adds a property, by default behind the others.
  mutating func add(_ property: PropertyDraft, at position: Int? = nil) {
    names.insert(property.property.name)
    properties.insert(property, at: position ?? properties.count)
  }

  var description: EntityDescription {
    var description = EntityDescription(name, properties: properties.map(\.property))
    description.isReadOnly = isReadOnly
    description.uniquenessConstraints = uniquenessConstraints
    description.indexes = indexes.map { FetchIndex($0) }
    return description
  }

  /// The index in `columns` of a column of the table.
  func columnIndex(_ name: String) -> Int? {
    let wanted = asciiLowercased(name)
    return columns.firstIndex { asciiLowercased($0.name) == wanted }
  }

  /// The property for a column: its attribute, or else the relationship that took its name.
  func propertyName(ofColumn name: String) -> String? {
    guard let column = columnIndex(name) else { return nil }
    let shown = properties.first { $0.place == .column(column) }
    return (shown ?? properties.first { $0.referenceColumns == [column] })?.property.name
  }
}

/// A property while relationships are still being added; `.inverse` refers to a to-one relationship whose index is not
/// yet known.
struct PropertyDraft {
  /// The place of the property.
  enum Place: Hashable {
    case column(Int)
    case reference(KeyPlace, [Int], ReferenceTarget)
    case inverse(KeyPlace)
    case join(JoinLayout)
  }

  /// A foreign key, by its entity and its number.
  struct KeyPlace: Hashable {
    var entity: Int
    var key: Int
  }

  var property: Property
  var place: Place

  var referenceColumns: [Int]? {
    if case .reference(_, let columns, _) = place { columns } else { nil }
  }
}

/// The entities of a file under construction.
struct IntrospectedEntities {
  private(set) var tables: [ForeignTable]
  var all: [IntrospectedEntity] = []
  /// Tables that become a relationship instead of an entity.
  private(set) var joinTables: [ForeignTable] = []
  var notes: [String] = []
  var declaredTypes: [String: DeclaredType] = [:]
  /// The index in `all` of each table's entity, by the table's name in lower case.
  private var indices: [String: Int] = [:]

  /// The columns that foreign keys of other tables refer to, by the table's name, all in lower case; an empty list is the
  /// primary key.
  let referencedColumns: [String: Set<[String]>]

  /// Creates an entity for each table that is not a join table.
  init(_ tables: [ForeignTable]) {
    self.tables = tables
    let keys = tables.flatMap(\.foreignKeys).map { (asciiLowercased($0.table), Set([$0.target.map(asciiLowercased)])) }
    referencedColumns = Dictionary(keys, uniquingKeysWith: { $0.union($1) })
    let named = Dictionary(tables.map { (asciiLowercased($0.name), $0) }, uniquingKeysWith: { first, _ in first })
    let referenced = Set(tables.flatMap { table in table.foreignKeys.map { asciiLowercased($0.table) } })
    var names: Set<String> = []
    for table in tables {
      if isJoin(table, named), !referenced.contains(asciiLowercased(table.name)) {
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
  func index(ofTable name: String) -> Int? { indices[asciiLowercased(name)] }

  /// The target of a foreign key; nil if the key does not fit the table to which it refers.
  func target(of key: ForeignKey, in table: ForeignTable) -> ReferenceTarget? {
    let names = (key.target.isEmpty ? table.primaryKey : key.target).compactMap { table.column($0)?.name }
    guard names.count == key.columns.count else { return nil }
    return names == [table.rowIDAlias] ? .key : .columns(names)
  }

  /// The finished layout of an entity.
  func layout(of draft: IntrospectedEntity) -> EntityLayout {
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
