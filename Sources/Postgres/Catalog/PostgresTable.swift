/// A table, a view or another relation with rows.
public struct PostgresTable: Hashable, Sendable {
  /// A kind of relation.
  public enum Kind: Hashable, Sendable {
    /// A table with rows of its own.
    case table
    /// A table whose rows lie in partitions.
    case partitioned
    /// A view, whose rows are made as they are read.
    case view
    /// A view whose rows are kept.
    case materializedView
    /// A table of another server.
    case foreign
  }

  /// The relation's number.
  public var oid: UInt32
  /// Its schema.
  public var schema: String
  /// Its name.
  public var name: String
  /// Its kind.
  public var kind: Kind
  /// The columns in their order, without those that were dropped.
  public var columns: [PostgresColumn] = []
  /// The primary key.
  public var primaryKey: PostgresKey?
  /// Other unique constraints.
  public var uniqueKeys: [PostgresKey] = []
  /// The indexes, those of the keys included.
  public var indexes: [PostgresIndex] = []
  /// The constraints by which rows refer to others, by name.
  public var foreignKeys: [PostgresForeignKey] = []
  /// The conditions that rows must meet.
  public var checks: [PostgresCheck] = []
  /// What COMMENT ON says of it.
  public var comment: String?
  /// The approximate number of rows, as of the last ANALYZE; nil if none was made.
  public var estimatedRowCount: Int?
  /// What the user may do with the whole of it.
  public var privileges: PostgresPrivileges = []
  /// What the relation allows to every user: some views cannot be written.
  public var possible: PostgresPrivileges = []
  /// Whether policies decide which rows the user sees and writes.
  public var hasRowSecurity = false
  /// Whether it has triggers besides those of its foreign keys.
  public var hasTriggers = false
  /// Whether rules replace or extend the writing of its rows.
  public var hasRules = false
  /// Whether an extension made it.
  public var isOfExtension = false

  /// The column of a name.
  public func column(_ name: String) -> PostgresColumn? { columns.first { $0.name == name } }
}

/// What a user may do with a relation.
public struct PostgresPrivileges: OptionSet, Hashable, Sendable {
  /// The privileges as bits.
  public var rawValue: UInt8
  /// Creates a set of privileges.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Reading rows.
  public static let select = Self(rawValue: 1)
  /// Inserting rows.
  public static let insert = Self(rawValue: 2)
  /// Changing rows.
  public static let update = Self(rawValue: 4)
  /// Deleting rows.
  public static let delete = Self(rawValue: 8)
}
