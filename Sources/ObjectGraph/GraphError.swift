public import Modeling

/// Why the object graph refused something, as facts; the shell turns them into sentences.
public struct GraphError: Error, Sendable {
  /// What was refused, and why.
  public var fact: Fact

  /// Reports `fact`.
  public init(_ fact: Fact) { self.fact = fact }

  /// A kind of refusal.
  public enum Fact: Sendable {
    case unknownProperty(String, entity: String, nearest: String?)
    /// A value of the wrong type or out of its range was set.
    case wrongValue(ValueError, entity: String, property: String)
    /// A derived attribute, a generated column or a to-many was set like a plain value.
    case notWritable(property: String, entity: String, reason: String)
    /// An object of another entity was put into a relationship.
    case wrongEntity(property: String, entity: String, expected: String, found: String)
    case otherContext(entity: String, property: String)
    case readOnlyEntity(String)
    case abstractEntity(String)
    case deletedObject(String)
    /// A relationship or an object leads to a row that is not there.
    case missingRow(entity: String, key: String, from: String?)
    /// An object of a child context whose making the parent took back.
    case missingInParent(String)
    /// Every violation found before a save; nothing was written.
    case invalid([ObjectViolation])
    /// Something was to be saved, dropped or closed in the middle of a save.
    case saving
    /// Something was to be changed by what checks it.
    case validating(entity: String)
    /// The hooks before a save go on changing objects of the entity.
    case endlessWillSave(entity: String, calls: Int)
    /// The hooks after a save go on saving.
    case endlessDidSave(rounds: Int)
    /// Everything that others wrote in the way of a save; nothing was written.
    case conflicts([ObjectConflict])
    case keyNeeded(entity: String, expected: [String])
    /// The rows of a batch request are among the unsaved changes of the context.
    case pendingChanges(entity: String, count: Int)
    /// The rows of a save that is to be undone are among the unsaved changes of the context.
    case pendingChangesToSave(entity: String, count: Int)
    /// What is wrong with one row of a batch insert, counted from 1.
    indirect case inRow(Int, any Error)
    /// The last changes had more steps than are kept.
    case undoTooLarge
    case unsupported(String)
  }
}

/// A violation of a model's rule by an object that was to be saved.
public struct ObjectViolation: Sendable {
  /// The object that breaks the rule.
  public var object: ObjectID
  /// The object in one line, for people.
  public var label: String
  /// The rule and the value that breaks it.
  public var violation: Violation

  /// Reports a violation of `object`.
  public init(object: ObjectID, label: String, violation: Violation) {
    self.object = object
    self.label = label
    self.violation = violation
  }
}
