/// Something in a Core Data store that no known version of the framework makes.
public enum CoreDataNovelty: Hashable, Sendable {
  /// A table of the framework that is no entity's, no relationship's and no bookkeeping that is known.
  case table(String)
  /// A column, `TABLE.COLUMN`, that the model does not describe, or describes by a type that is not known.
  case column(String)
  /// The hashes of the entities have another form, with its version if it is recorded.
  case hashes(version: Int?)
}
