import Modeling

/// The columns of a Core Data store that refer to other rows, and the properties of both ends.
struct CoreDataLinks {
  /// A column with the key of an object in another row.
  struct Column {
    /// The table's name.
    let table: String
    let name: String
    /// The column with the entity number of the destination.
    let entityColumn: String?
    /// The column with the row's place in the ordered relationship of its destination.
    let order: String?
    /// The entity of the rows.
    let source: Entity
    let destination: Entity
    /// The to-one relationship of the column; nil for the column of a to-many relationship without an inverse.
    let property: String?
    /// The to-many relationship at the destination, of which the row is a member.
    let inverse: String?
    let isOptional: Bool
  }

  /// A join table.
  struct Pairs {
    let table: String
    var ends: [End] = []

    /// A column with the key of one of the two objects.
    struct End {
      let column: String
      let entity: Entity
      /// The relationship of that object to which the pair belongs.
      let property: String
      /// The column with the other object's place in the relationship.
      let order: String?
    }
  }

  /// The columns, by the table's name in lower case.
  private(set) var columns: [String: [Column]] = [:]
  private(set) var pairs: [String: Pairs] = [:]
  /// The root entities and their tables, ordered by table name.
  private(set) var roots: [(entity: Entity, table: String)] = []
  /// The root entities, by the table's name in lower case.
  private(set) var rootOfTable: [String: Entity] = [:]

  init(_ model: Model, _ layouts: [Entity: EntityLayout]) {
    for entity in model.entities {
      guard let layout = layouts[entity] else { continue }
      if entity.parent == nil {
        roots.append((entity, layout.table))
        rootOfTable[asciiLowercased(layout.table)] = entity
      }
      for index in (entity.parent?.properties.count ?? 0)..<entity.properties.count {
        guard let relationship = entity.properties[index].relationship else { continue }
        switch layout.properties[index] {
        case .reference(let places, _): addReference(layout, places, relationship, entity, index, layouts)
        case .join(let join) where join.isInMembers: addMembers(join, relationship, entity, index)
        case .join(let join): addPairs(join, relationship, entity, index)
        case .column, .inverse, .none: break
        }
      }
    }
    roots.sort { $0.table < $1.table }
  }

  private mutating func addReference(
    _ layout: EntityLayout, _ places: [Int], _ relationship: Relationship, _ entity: Entity, _ index: Int,
    _ layouts: [Entity: EntityLayout]
  ) {
    guard let place = places.first else { return }
    let (column, destination) = (layout.columns[place], entity.destination(at: index))
    var order: String?
    var inverse: String?
    if let back = entity.inverse(at: index) {
      inverse = destination.properties[back].name
      if case .inverse(_, let name)? = layouts[destination]?.properties[back] { order = name }
    }
    columns[asciiLowercased(layout.table), default: []].append(
      Column(
        table: layout.table, name: column.name, entityColumn: column.entityColumn, order: order, source: entity,
        destination: destination, property: relationship.name, inverse: inverse, isOptional: relationship.isOptional))
  }

  private mutating func addMembers(_ join: JoinLayout, _ relationship: Relationship, _ entity: Entity, _ index: Int) {
    columns[asciiLowercased(join.table), default: []].append(
      Column(
        table: join.table, name: join.ownerColumns[0], entityColumn: nil, order: join.order,
        source: entity.destination(at: index), destination: entity, property: nil, inverse: relationship.name,
        isOptional: true))
  }

  private mutating func addPairs(_ join: JoinLayout, _ relationship: Relationship, _ entity: Entity, _ index: Int) {
    var table = pairs[asciiLowercased(join.table)] ?? Pairs(table: join.table)
    func add(_ column: String, _ entity: Entity, _ property: String, _ order: String?) {
      guard !table.ends.contains(where: { $0.column == column }) else { return }
      table.ends.append(Pairs.End(column: column, entity: entity, property: property, order: order))
    }
    add(join.ownerColumns[0], entity, relationship.name, join.order)
    if join.isSymmetric { add(join.memberColumns[0], entity.destination(at: index), relationship.name, join.order) }
    pairs[asciiLowercased(join.table)] = table
  }

  /// The reference columns of an entity table.
  func columns(of table: String) -> [Column] { columns[asciiLowercased(table)] ?? [] }

  /// The columns that may hold the key of an object of `entity`.
  func leading(to entity: Entity) -> [Column] {
    columns.values.flatMap(\.self).filter { entity.isKind(of: $0.destination) || $0.destination.isKind(of: entity) }
      .sorted { ($0.table, $0.name) < ($1.table, $1.name) }
  }

  /// The ends of join tables that may hold the key of an object of `entity`.
  func ends(of entity: Entity) -> [(table: String, end: Pairs.End)] {
    pairs.values.sorted { $0.table < $1.table }.flatMap { pairs in
      pairs.ends.filter { entity.isKind(of: $0.entity) || $0.entity.isKind(of: entity) }.map { (pairs.table, $0) }
    }
  }
}
