/// What programs in Swift can get wrong beyond what the engine refuses, as facts.
public struct PeriluneError: Error, Hashable, Sendable {
  /// A kind of mistake.
  public enum Fact: Hashable, Sendable {
    /// The store's model has no entity of the class.
    case unknownEntity(String, nearest: String?)
    /// The entity has no such property, or one of another kind.
    case unknownProperty(String, entity: String, nearest: String?)
    /// The property is declared with a type that cannot hold its values: the one in Swift, and the one of the model.
    case otherType(property: String, entity: String, declared: String, model: String)
    /// The value of an object does not fit the property's type.
    case unreadable(property: String, object: String, type: String, found: String)
    /// A value that no attribute can have, such as a number that is no number.
    case wrongValue(property: String, object: String)
    /// A key path that is not a property of the class, such as a computed one.
    case notAProperty(keyPath: String, entity: String)
    /// Something of `#Predicate` that has no meaning in a store.
    case untranslatable(String)
    /// The property wrapper was read where the environment has no context.
    case noContext
    /// The store has not all that the classes need.
    indirect case unfit([Fact])
  }

  /// What is wrong.
  public let fact: Fact

  init(_ fact: Fact) { self.fact = fact }
}
