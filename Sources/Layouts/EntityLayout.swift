public import Modeling

/// Which table, columns and encodings an entity and its properties have.
///
/// The layouts are the only difference between kinds of stores: one is made from a model (plain tables of our own),
/// another read off a foreign file.
public struct EntityLayout: Sendable {
  /// The table or view, by its plain name.
  public var table: String
  /// What tells the table's rows apart.
  public var key: KeyLayout
  /// The columns that hold the entity's properties, in the order in which rows are packed.
  public var columns: [ColumnLayout]
  /// For each property index of the entity, where it is kept.
  public var properties: [PropertyLayout]
  /// The column and value that tell the entity's rows from those of its relatives in the same table.
  public var discriminator: (column: String, value: Value)?
  /// The columns of a declared primary key, by index in `columns`, in the key's order; empty where rows have no other
  /// key than the row id, and in stores of our own.
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
  /// By these columns together (WITHOUT ROWID, or a view: all columns); the store numbers the combinations it meets.
  case columns([String])
}

extension KeyLayout {
  /// The name of the integer that a row's key is, which the store gives to a row that comes without; nil where the store numbers
  /// the keys that it meets.
  public var integerName: String? { if case .rowID(let name) = self { name } else { nil } }
}

/// A column of a table.
public struct ColumnLayout: Hashable, Sendable {
  /// The column's plain name.
  public var name: String
  /// The type values are decoded as; `.any` for keys of foreign files.
  public var type: AttributeType
  /// Whether values can be written: it is no generated column, and not kept by triggers.
  public var isWritable: Bool
  /// Whether every value is known to be in the form in which this module writes the type, because this
  /// module made the table. Otherwise SQL asks for the storage class before it compares.
  public var isExact = true
  /// The collation that the table declares; nil for SQLite's own, which compares bytes.
  public var collation: String?
  /// For a to-one, the column that says which entity the destination is of, where the file keeps one.
  public var entityColumn: String?
  /// How the values are written; the name is the attribute's where they are spread over several columns.
  public var encoding = ColumnEncoding.plain
  /// Whether the store computes a value where an INSERT leaves the column out: null is then never written.
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

/// Where a property of an entity is kept.
public enum PropertyLayout: Hashable, Sendable {
  /// In the column with this index of `EntityLayout.columns`.
  case column(Int)
  /// A to-one: the columns that refer to the destination, and what they hold.
  case reference([Int], ReferenceTarget)
  /// A to-many: the destination's property with this index is the to-one that refers back. `order` is the column of
  /// the destination's table with the place in the owner's list.
  case inverse(Int, order: String?)
  /// A to-many through a table of pairs.
  case join(JoinLayout)
  /// Nowhere: transient.
  case none
}

/// What the columns of a to-one hold.
public enum ReferenceTarget: Hashable, Sendable {
  /// The destination's key itself.
  case key
  /// The values of these columns of the destination's table.
  case columns([String])
}

/// A table of pairs behind a many-to-many relationship, seen from one side.
public struct JoinLayout: Hashable, Sendable {
  /// The table of pairs, by its plain name.
  public var table: String
  /// The columns that refer to the owner.
  public var ownerColumns: [String]
  /// What the owner's columns hold.
  public var ownerTarget: ReferenceTarget
  /// The columns that refer to the member.
  public var memberColumns: [String]
  /// What the member's columns hold.
  public var memberTarget: ReferenceTarget
  /// The column with the member's place in the owner's list.
  public var order: String?
  /// Whether the relationship is its own inverse: each pair is kept both ways round.
  public var isSymmetric = false
  /// Whether the pairs are rows of the members' own table, each with one owner: a to-many without an inverse.
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
