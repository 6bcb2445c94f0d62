public import Modeling

/// What a `migrate` function is given: the store as it was and as it becomes, and what it has to see to.
///
/// Both stand on the same connection within one transaction. Everything that could be inferred has been done; the old
/// objects are there until the function returns, and then required and unique values are checked.
public struct Migration {
  /// The store with the old model; read-only.
  public let old: SQLiteStore
  /// The store with the new model.
  public let new: SQLiteStore
  /// What could not be inferred, in words.
  public let obstacles: [String]
}

extension SQLiteStore {
  /// What it would take to make a store of `old` one of `new`; nothing is opened or changed.
  public static func migrationPlan(from old: Model, to new: Model) -> MigrationPlan {
    MigrationPlan(from: old, to: new)
  }
}
