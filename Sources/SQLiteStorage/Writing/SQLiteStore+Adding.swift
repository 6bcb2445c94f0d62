public import Modeling
import SQLite
public import Stores

extension SQLiteStore {
  /// A file can be copied; the tables of a Core Data store are its app's.
  public var abilities: Set<StoreAbility> { format.addsEntities ? [.backup, .addEntities] : [.backup] }

  /// Adds an entity without relationships, and calls `body` with a store that has it, all in one transaction: if `body` throws, or
  /// the process ends meanwhile, there is no entity.
  ///
  /// The given store is of use within `body` alone; this one has to be reopened to see the entity.
  ///
  /// - Throws: StoreError; what `body` throws.
  public func adding<Result>(_ description: EntityDescription, _ body: (any OpenedStore) throws -> Result) throws
    -> Result
  {
    if isReadOnly { throw readOnlyError }
    // The store that `body` gets names columns in errors by its own model.
    defer { nameConstraints() }
    return try transaction {
      guard let (model, layouts) = try format.add(description, to: self) else {
        throw StoreError(.cannot(.addEntities), path: path)
      }
      return try body(SQLiteStore(connection, model, layouts, isReadOnly: false, format))
    }
  }
}
