public import Modeling

/// The table, columns and encodings of an entity and its properties.
///
/// Layouts are the main difference between kinds of stores: a store of our own derives them from its model, other
/// stores from the file's schema.
public struct EntityLayout: Sendable {
  /// The name of the table or view, without quotes.
  public var table: String
  /// How the table's rows are identified.
  public var key: KeyLayout
  /// The columns that hold the entity's properties, in the order in which rows are packed.
  public var columns: [ColumnLayout]
  /// The place of each property, by the property's index in the entity.
  public var properties: [PropertyLayout]
  /// The column and value that distinguish the entity's rows from those of related entities in the same table.
  public var discriminator: (column: String, value: Value)?
  /// The columns of a declared primary key, as indices of `columns`, in the key's order; empty if rows have only a row
  /// id, and in stores of our own.
  public var primaryKey: [Int] = []

  package init(
    table: String, key: KeyLayout, columns: [ColumnLayout], properties: [PropertyLayout],
    discriminator: (column: String, value: Value)? = nil, primaryKey: [Int] = []
  ) {
    self.table = table
    self.key = key
    self.columns = columns
    self.properties = properties
    self.discriminator = discriminator
    self.primaryKey = primaryKey
  }
}

/// How rows of a table are identified.
public enum KeyLayout: Hashable, Sendable {
  /// By the row id, under this name.
  case rowID(String)
  /// By these columns together (WITHOUT ROWID, or a view: all columns); the store assigns numbers to their
  /// combinations.
  case columns([String])
}

extension KeyLayout {
  /// The name of the integer column that is the key, which the store assigns to a new row; nil if the store numbers
  /// composite keys.
  public var integerName: String? { if case .rowID(let name) = self { name } else { nil } }
}

/// A column of a table.
public struct ColumnLayout: Hashable, Sendable {
  /// The column's name, without quotes.
  public var name: String
  /// The type as which values are decoded; `.any` for keys of plain SQLite files.
  public var type: AttributeType
  /// Whether values can be written: the column is neither generated nor maintained by triggers.
  public var isWritable: Bool
  /// Whether every value is known to have the form in which this module writes the type, because this module created
  /// the table. Otherwise SQL tests the storage class before it compares.
  public var isExact = true
  /// Whether the table keeps every number in the column as a text.
  public var hasTextAffinity = false
  /// The collation that the table declares; nil for SQLite's own, which compares bytes.
  public var collation: String?
  /// For a to-one relationship, the column with the entity of the destination, if the file has one.
  public var entityColumn: String?
  /// How the values are encoded. If they are spread over several columns, the name is the attribute's.
  public var encoding = ColumnEncoding.plain
  /// Whether the store computes a value if an INSERT omits the column: null is then never written.
  public var hasStoreDefault = false

  package init(
    name: String, type: AttributeType, isWritable: Bool, isExact: Bool = true, collation: String? = nil,
    encoding: ColumnEncoding = .plain, hasStoreDefault: Bool = false
  ) {
    self.name = name
    self.type = type
    self.isWritable = isWritable
    self.isExact = isExact
    self.collation = collation
    self.encoding = encoding
    self.hasStoreDefault = hasStoreDefault
  }
}

/// The place of a property in the file.
public enum PropertyLayout: Hashable, Sendable {
  /// An attribute in the column with this index of `EntityLayout.columns`.
  case column(Int)
  /// A to-one relationship: the columns that refer to the destination, and their content.
  case reference([Int], ReferenceTarget)
  /// A to-many relationship: the destination's property with this index is the inverse to-one. `order` is the column of
  /// the destination's table with the member's place.
  case inverse(Int, order: String?)
  /// A to-many relationship in a join table.
  case join(JoinLayout)
  /// A transient property, which is not stored.
  case none
}

/// The content of a reference's columns.
public enum ReferenceTarget: Hashable, Sendable {
  /// The destination's key itself.
  case key
  /// The values of these columns of the destination's table.
  case columns([String])
}

/// The join table of a many-to-many relationship, seen from one side.
public struct JoinLayout: Hashable, Sendable {
  /// The join table's name, without quotes.
  public var table: String
  /// The columns that refer to the owner.
  public var ownerColumns: [String]
  /// The content of the owner columns.
  public var ownerTarget: ReferenceTarget
  /// The columns that refer to the member.
  public var memberColumns: [String]
  /// The content of the member columns.
  public var memberTarget: ReferenceTarget
  /// The column with the member's place in the owner's order.
  public var order: String?
  /// Whether the relationship is its own inverse: each pair is stored in both directions.
  public var isSymmetric = false
  /// Whether the pairs are rows of the members' own table, each with one owner: a to-many relationship without an
  /// inverse.
  public var isInMembers = false

  package init(
    table: String, ownerColumns: [String], ownerTarget: ReferenceTarget, memberColumns: [String],
    memberTarget: ReferenceTarget, order: String? = nil, isSymmetric: Bool = false, isInMembers: Bool = false
  ) {
    self.table = table
    self.ownerColumns = ownerColumns
    self.ownerTarget = ownerTarget
    self.memberColumns = memberColumns
    self.memberTarget = memberTarget
    self.order = order
    self.isSymmetric = isSymmetric
    self.isInMembers = isInMembers
  }
}

extension PropertyLayout {
  /// The columns of the entity's own row that hold the property.
  public var ownColumns: [Int] {
    switch self {
    case .column(let column): [column]
    case .reference(let columns, _): columns
    case .inverse, .join, .none: []
    }
  }
}

extension KeyLayout {
  /// The names of the columns that make up the key.
  package var columns: [String] {
    switch self {
    case .rowID(let name): [name]
    case .columns(let names): names
    }
  }
}

extension ReferenceTarget {
  /// The names of the destination's columns that a reference's columns repeat.
  package func columns(_ destination: EntityLayout) -> [String] {
    switch self {
    case .key: destination.key.columns
    case .columns(let names): names
    }
  }
}
