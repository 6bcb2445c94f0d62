import Modeling

/// Where in a statement's row the key, the entity and the columns of an object are.
struct RowShape {
  /// The statement's columns: those of the key and the discriminator by their names in the table.
  let columns: [ColumnLayout]
  /// How many of them, at the beginning, are the key.
  let keyCount: Int
  /// What the fetched entity and its descendants have where; one entry, without discriminator, when all rows are of
  /// one entity.
  let members: [Member]
  /// Where the discriminator is.
  let discriminator: Int?
  let hasValues: Bool
  /// The fetched entity.
  let entity: Entity

  /// An entity that rows may be of.
  struct Member {
    let entity: Entity
    let discriminator: Value?
    /// For each column of the entity's layout, its place in the statement's row.
    let offsets: [Int]
    /// Where the columns begin when they are in one run; nil when they are scattered.
    let start: Int?
  }

  init(_ entity: Entity, _ schema: SQLSchema, keysOnly: Bool, includesSubentities: Bool = true) {
    self.entity = entity
    hasValues = !keysOnly
    let layout = schema.layout(entity)
    let key = layout.key.columns
    keyCount = key.count
    let family = includesSubentities ? entity.family : [entity]
    var columns = key.map { ColumnLayout(name: $0, type: .any, isWritable: false) }
    var discriminator: Int?
    if family.count > 1, let column = layout.discriminator?.column {
      discriminator = columns.count
      columns.append(ColumnLayout(name: column, type: .any, isWritable: false))
    }
    var places: [String: Int] = [:]
    var members: [Member] = []
    for member in family {
      let layout = schema.layout(member)
      var offsets: [Int] = []
      for column in keysOnly ? [] : layout.columns {
        let place = places[column.name] ?? columns.count
        if place == columns.count { columns.append(column) }
        places[column.name] = place
        offsets.append(place)
      }
      let start = offsets.first ?? columns.count
      let isRun = offsets.enumerated().allSatisfy { $1 == start + $0 }
      members.append(
        Member(
          entity: member, discriminator: layout.discriminator?.value, offsets: offsets, start: isRun ? start : nil))
    }
    self.discriminator = discriminator
    self.members = members
    self.columns = columns
  }
}

/// A column of a dictionary, and how its values are read.
struct ValueShape {
  var name: String
  var type: AttributeType
  /// The entity of the objects whose keys it holds.
  var entity: Entity?
  /// The composite attribute, or element, whose values it holds.
  var composite: Attribute?

  init(_ name: String, _ operand: SQLOperand) {
    self.name = name
    type = operand.type ?? operand.kind.attributeType
    entity = operand.entity
    composite = operand.composite
  }

  init(_ name: String, _ type: AttributeType) {
    self.name = name
    self.type = type
  }
}
