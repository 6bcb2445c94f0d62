/// An error in the use of PeriluneKit that the engine does not report.
public struct PeriluneError: Error, Hashable, Sendable {
  /// The kinds of errors.
  public enum Fact: Hashable, Sendable {
    /// The store's model has no entity of the class.
    case unknownEntity(String, nearest: String?)
    /// The entity has no such property, or one of another kind.
    case unknownProperty(String, entity: String, nearest: String?)
    /// The property's type in Swift cannot hold the values of its type in the model.
    case otherType(property: String, entity: String, declared: String, model: String)
    /// The value of an object does not fit the property's type.
    case unreadable(property: String, object: String, type: String, found: String)
    /// A value that no attribute can have, such as NaN.
    case wrongValue(property: String, object: String)
    /// A key path that is not a property of the class, such as a computed one.
    case notAProperty(keyPath: String, entity: String)
    /// A part of `#Predicate` that has no meaning in a store.
    case untranslatable(String)
    /// An `NSPredicate` with a block, which has no meaning in a store.
    case blockPredicate
    /// An argument of a format of a type, or with a value, that no attribute has.
    case wrongArgument(String)
    /// A context was used that has no store, because none was set in the environment.
    case noContext
    /// The store lacks parts that the classes need.
    indirect case unfit([Fact])
  }

  /// The error's kind and details.
  public let fact: Fact

  init(_ fact: Fact) { self.fact = fact }
}
