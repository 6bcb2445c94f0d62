/// Why two stores cannot be compared.
package enum ComparisonError: Error, Equatable {
  /// The stores have no entity in common in which names could be looked up.
  case nothingInCommon
  case unknownEntity(String, nearest: String?)
  /// The entity is in one store only.
  case entityOfOneStore(String)
  case unknownProperty(String, nearest: String?)
  /// The identity has a property that has no order: a relationship without an identifying attribute, or JSON.
  case unorderedIdentity(entity: String, property: String)
  /// A store returned rows in another order than the other one.
  case disorder(entity: String)
}
