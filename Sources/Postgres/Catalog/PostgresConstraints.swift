/// A primary key or a unique constraint.
public struct PostgresKey: Hashable, Sendable {
  /// The constraint's name.
  public var name: String
  /// The columns in the order of the key.
  public var columns: [String]
  /// Whether it can be left to the end of the transaction.
  public var isDeferrable = false
  /// Whether it is left to the end unless a transaction says otherwise.
  public var isInitiallyDeferred = false
  /// Whether two NULLs are the same.
  public var takesNullsForEqual = false
}

/// A constraint by which rows refer to rows of the same or another table.
public struct PostgresForeignKey: Hashable, Sendable {
  /// What happens to a row as the one that it refers to goes, or its key changes.
  public enum Action: Hashable, Sendable {
    /// It is refused at the end of the statement or transaction.
    case noAction
    /// It is refused at once.
    case restrict
    /// The row goes, or its columns follow.
    case cascade
    /// The columns become NULL.
    case setNull
    /// The columns become their defaults.
    case setDefault
  }

  /// The constraint's name.
  public var name: String
  /// The columns in the order of the constraint.
  public var columns: [String]
  /// The number of the referenced table, which may be invisible to the user.
  public var target: UInt32
  /// That table's schema.
  public var targetSchema: String
  /// That table's name.
  public var targetTable: String
  /// The columns there, in the same order.
  public var targetColumns: [String]
  /// What a deletion there does.
  public var onDelete = Action.noAction
  /// What a change of the key there does.
  public var onUpdate = Action.noAction
  /// Whether it can be left to the end of the transaction.
  public var isDeferrable = false
  /// Whether it is left to the end unless a transaction says otherwise.
  public var isInitiallyDeferred = false
  /// Whether the rows that were there before it were checked.
  public var isValidated = true
  /// Whether a key of several columns must be NULL as a whole.
  public var matchesFull = false
}

/// A condition that rows, or values of a domain, must meet.
public struct PostgresCheck: Hashable, Sendable {
  /// The constraint's name.
  public var name: String
  /// The condition as SQL.
  public var expression: String
}

/// An index of a table.
public struct PostgresIndex: Hashable, Sendable {
  /// A part that the index orders by.
  public struct Part: Hashable, Sendable {
    /// The column; nil for an expression.
    public var column: String?
    /// The column or the expression as SQL.
    public var text: String
    /// Whether it is ordered from the end.
    public var isDescending = false
  }

  /// The index's name.
  public var name: String
  /// How it is kept: `btree`, `gin`, …
  public var method: String
  /// The columns and expressions by which it orders.
  public var parts: [Part] = []
  /// Columns that it carries besides.
  public var included: [String] = []
  /// Whether no two rows may have the same parts.
  public var isUnique = false
  /// Whether it is the primary key's.
  public var isPrimary = false
  /// The condition of the rows that are in it; nil for all.
  public var predicate: String?
  /// Whether it can be used: one whose making failed cannot.
  public var isValid = true
}
