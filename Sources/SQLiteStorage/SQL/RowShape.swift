import Modeling

/// The positions of an object's key, entity and columns in a statement's row.
struct RowShape: Sendable {
  /// The statement's columns. Those of the key and the discriminator have their names in the table.
  let columns: [ColumnLayout]
  /// How many columns, at the beginning, are the key.
  let keyCount: Int
  /// The column positions of the fetched entity and its descendants. If all rows are of one entity, there is one entry
  /// and no discriminator.
  let members: [Member]
  /// The index of the discriminator.
  let discriminator: Int?
  let hasValues: Bool
  /// The fetched entity.
  let entity: Entity

  /// An entity that a row can have.
  struct Member: Sendable {
    let entity: Entity
    let discriminator: Value?
    /// The index in the statement's row of each column of the entity's layout.
    let offsets: [Int]
    /// The index of the first column if the columns are contiguous; nil if they are scattered.
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
  /// The entity, if the column holds keys of objects.
  var entity: Entity?
  /// The numbers of the entity's keys; nil where the key is the row id.
  private var interner: KeyInterner?
  /// Whether the column holds what `row_key` makes of several columns.
  private var isRowKey = false
  /// The composite attribute, or its element, if the column holds its values.
  var composite: Attribute?

  init(_ name: String, _ operand: SQLOperand, _ schema: SQLSchema) {
    self.name = name
    type = operand.type ?? operand.kind.attributeType
    entity = operand.entity
    composite = operand.composite
    guard let entity else { return }
    interner = schema.interner(entity)
    isRowKey = interner != nil && schema.layout(entity).key.columns.count > 1
  }

  init(_ name: String, _ type: AttributeType) {
    self.name = name
    self.type = type
  }

  /// The object of `entity` whose key a column holds, in its stored form; null where it holds none.
  func object(_ entity: Entity, _ stored: Value) -> Value {
    guard let interner else {
      if case .int(let key) = stored { return .object(ObjectID(entity: entity, key: key)) }
      return .null
    }
    switch stored {
    case .null: return .null
    case .data(let bytes) where isRowKey:
      guard let values = RowKey.decode(bytes) else { return .null }
      return .object(ObjectID(entity: entity, key: interner.number(of: values)))
    default: return .object(ObjectID(entity: entity, key: interner.number(of: [stored])))
    }
  }
}
