/// Why a Core Data store, or an entity of one, is only read.
public enum CoreDataObstacle: Hashable, Sendable {
  /// The store is mirrored to CloudKit, whose bookkeeping only its app can keep.
  case cloudKit
  /// A version of the framework wrote the store that makes something unknown; nil if the store names no version.
  case unknownFramework(Int?, CoreDataNovelty?)
  /// The model was read off the tables, which do not tell all of it.
  case noModel
  /// The model has other entities than the one that the store was written with.
  case otherModel(missing: [String], unknown: [String])
  /// The model given does not know these columns of the store, `TABLE.COLUMN`, or takes them for something else, or leads these
  /// relationships, `ENTITY.NAME`, back from elsewhere.
  case otherColumns([String])
  /// These columns could be given to these properties of the model in two ways, and the store keeps no model that tells.
  case ambiguousColumns([String], of: [String])
  /// A trigger of the store calls a function that only Core Data has.
  case unknownFunction(String, trigger: String)
  /// SQLite cannot compile a statement that writes the table: its triggers or indexes need what is not here.
  case notCompiled(table: String, reason: String)
  /// A trigger, named if it is known, writes a table whose rows nothing distinguishes.
  case untraceable(table: String, trigger: String?)
  /// The file has no place for these properties of the entity.
  case missingProperties(entity: String, properties: [String])
  /// No trigger of the file keeps this derived attribute.
  case derivedAttribute(entity: String, attribute: String)
  /// The attribute's value is made by a transformer that only the app has.
  case transformer(entity: String, attribute: String)
  /// A transaction changes tables, or larger values than can be followed: what it did to objects is not known.
  case unknownChanges
  /// The bookkeeping lacks the row with which keys of the entity are counted.
  case uncountedKeys(entity: String)
  /// The keys of the table, an entity's or the history's, are counted up to the largest there is.
  case noMoreKeys(of: String)
}
