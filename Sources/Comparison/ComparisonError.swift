package import Modeling
package import ObjectGraph

/// Why two stores cannot be compared.
package enum ComparisonError: Error {
  /// The stores have no entity in common in which names could be looked up.
  case nothingInCommon
  case unknownEntity(String, nearest: String?)
  /// The entity is in one store only.
  case entityOfOneStore(String)
  case unknownProperty(String, nearest: String?)
  /// The identity has a property that has no order: a relationship without an identifying attribute, or JSON.
  case unorderedIdentity(entity: String, property: String)
  /// The store's rows need bookkeeping of the program that made it, which no statement writes.
  case bookkeeping
  /// A column of the first store cannot hold a value of the second one.
  case unfit(entity: String, identity: [Value])
  /// Objects of the store are neither as they were before the differences nor as they are after them.
  case conflicts([ObjectConflict])
  /// A relationship leads to an object that the store does not have.
  case missing(entity: String, identity: [Value])
  /// A store returned rows in another order than the other one.
  case disorder(entity: String)
}
