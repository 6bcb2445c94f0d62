package import Modeling

/// The tables of a model in a store of our own: the layout of each entity, and the schema to create.
///
/// An entity and its descendants share one table, which has `_entity` only if there are descendants. Everything follows
/// from the model alone, so that two models can be compared by their schemas. Only internal columns are NOT NULL: the
/// object graph validates, subentities share columns, and migrations stay small.
package struct ModelLayout {
  package let model: Model
  package internal(set) var schema = StoreSchema()
  package internal(set) var layouts: [Entity: EntityLayout] = [:]

  var tables: [Entity: TableNames] = [:]
  var placements: [Entity: [PropertyPlace]] = [:]
  package internal(set) var joins: [RelationshipPair: JoinTable] = [:]
  package internal(set) var orders: [Declaration: String] = [:]
  var names = UniqueNames(reserved: BookTables.all)

  package static let key = "_pk"
  package static let discriminator = "_entity"

  /// Lays out `model`, with the schema.
  ///
  /// - Throws: DerivationError for a derivation that SQLite's own functions cannot compute.
  package init(_ model: Model) throws(DerivationError) {
    self.init(layoutsOf: model)
    try makeSchema()
  }

  /// Lays out `model` without the schema, for a store whose tables exist. Opening waits for this, so it must be fast.
  package init(layoutsOf model: Model) {
    self.model = model
    let roots = model.entities.filter { $0.parent == nil }
    for root in roots { nameTable(of: root) }
    for root in roots { place(root, after: []) }
    for entity in model.entities { nameOrders(of: entity) }
    for entity in model.entities { nameJoins(of: entity) }
    for entity in model.entities { layouts[entity] = layout(of: entity) }
  }

  private mutating func makeSchema() throws(DerivationError) {
    let roots = model.entities.filter { $0.parent == nil }
    for root in roots { schema.add(table(of: root)) }
    for join in joins.values.sorted(by: { $0.name < $1.name }) { schema.add(table(of: join)) }
    let owners = Dictionary(roots.map { (tableName(of: $0), $0) }, uniquingKeysWith: { first, _ in first })
    for table in schema.tables {
      let indexes = indexes(of: table, owners)
      schema.change(table.name) { $0.indexes = indexes }
    }
    try addDerivedColumns()
  }
}

// MARK: Names

extension ModelLayout {
  /// A table, with the names of columns that are taken.
  struct TableNames {
    var name: String
    var columns: UniqueNames
  }

  /// The entity that declares a property, and its index, which all descendants share.
  package struct Declaration: Hashable {
    package var entity: Entity
    package var index: Int

    package var name: String { entity.properties[index].name }

    /// Finds the topmost ancestor that has the property.
    package init(_ entity: Entity, _ index: Int) {
      var entity = entity
      while let parent = entity.parent, parent.properties.count > index { entity = parent }
      self.entity = entity
      self.index = index
    }

    package var relationship: Relationship? { entity.properties[index].relationship }

    /// The declaration of the inverse.
    package var inverse: Declaration? {
      entity.inverse(at: index).map { Declaration(entity.destination(at: index), $0) }
    }
  }

  /// The place of a property, before columns are numbered.
  enum PropertyPlace {
    case column(ColumnLayout)
    case reference(ColumnLayout)
    case toMany
    case none
  }

  private mutating func nameTable(of root: Entity) {
    var name = snake(root.name)
    if name.hasPrefix("sqlite_") { name = "_" + name }
    let columns = UniqueNames(reserved: [Self.key, Self.discriminator])
    tables[root] = TableNames(name: names.take(name), columns: columns)
  }

  private mutating func place(_ entity: Entity, after inherited: [PropertyPlace]) {
    let own = entity.description.properties.map { property in
      switch property {
      case .attribute(let attribute):
        if attribute.isTransient { return PropertyPlace.none }
        let name = takeColumn(attribute.name, of: entity)
        return .column(ColumnLayout(name: name, type: attribute.type, isWritable: attribute.isWritable))
      case .relationship(let relationship):
        if relationship.isTransient { return .none }
        if relationship.isToMany { return .toMany }
        let name = takeColumn(relationship.name + "_pk", of: entity)
        return .reference(ColumnLayout(name: name, type: .integer64, isWritable: true))
      }
    }
    placements[entity] = inherited + own
    for child in entity.subentities { place(child, after: inherited + own) }
  }

  mutating func takeColumn(_ name: String, of entity: Entity) -> String {
    tables[entity.root]!.columns.take(name)
  }

  /// Names the columns of destinations that hold the place in an ordered to-many relationship.
  private mutating func nameOrders(of entity: Entity) {
    for index in ownIndices(of: entity) {
      let declaration = Declaration(entity, index)
      guard let relationship = declaration.relationship, relationship.isToMany, relationship.isOrdered,
        !relationship.isTransient,
        let inverse = declaration.inverse, inverse.relationship?.isToMany == false
      else { continue }
      orders[declaration] = takeColumn(inverse.name + "_order", of: inverse.entity)
    }
  }

  package func ownIndices(of entity: Entity) -> Range<Int> {
    entity.properties.count - entity.description.properties.count..<entity.properties.count
  }

  package func tableName(of entity: Entity) -> String { tables[entity.root]!.name }
}

extension ModelLayout {
  /// The name of an entity or relationship as a part of a table's name; `entity` if it has no letters or digits.
  func snake(_ name: String) -> String {
    let snake = Naming.snakeCase(name)
    return snake.isEmpty ? "entity" : snake
  }
}
