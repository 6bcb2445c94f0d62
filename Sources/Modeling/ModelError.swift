/// An error in a model, as a fact.
public struct ModelError: Error, Hashable, Sendable {
  /// The entity with the error.
  public var entity: String
  /// The property with the error, if it is in one.
  public var property: String?
  /// The kind of error.
  public var fact: Fact

  /// The kinds of errors.
  public enum Fact: Hashable, Sendable {
    case duplicateEntity
    case duplicateProperty
    case invalidName(String)
    case unknownParent(String, nearest: String?)
    case inheritanceCycle
    /// Building the model was interrupted.
    case interrupted
    case inheritanceTooDeep(limit: Int)
    case unknownDestination(String, nearest: String?)
    case unknownFetchedEntity(String, nearest: String?)
    case unknownInverse(String, destination: String, nearest: String?)
    /// The inverse leads to another entity, or names another relationship as its inverse.
    case inverseMismatch(String, destination: String)
    case unknownProperty(String, within: String, nearest: String?)
    case wrongDefault(Value, expected: AttributeType)
    case wrongBound(Value, expected: AttributeType)
    case invalidRegularExpression(String)
    case invalidCount(minimum: Int, maximum: Int)
    case invalidOption(String, reason: String)
  }

  /// Reports `fact` about an entity or one of its properties.
  public init(entity: String, property: String? = nil, _ fact: Fact) {
    self.entity = entity
    self.property = property
    self.fact = fact
  }
}
