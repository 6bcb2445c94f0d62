public import Modeling

/// Why the object graph refused something, as facts; the shell turns them into sentences.
public struct GraphError: Error, Sendable {
  /// The operation that was refused, and why.
  public var fact: Fact

  /// Creates an error with a fact.
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
    /// The object of a child context was inserted by the parent, which has undone that.
    case missingInParent(String)
    /// Validation failed, with every violation; nothing was written.
    case invalid([ObjectViolation])
    /// A save, rollback or close was attempted during a save.
    case saving
    /// A validation hook tried to change an object.
    case validating(entity: String)
    /// The willSave hooks keep changing objects of the entity.
    case endlessWillSave(entity: String, calls: Int)
    /// The didSave hooks keep saving.
    case endlessDidSave(rounds: Int)
    /// The save conflicts with what others wrote; nothing was written.
    case conflicts([ObjectConflict])
    case keyNeeded(entity: String, expected: [String])
    /// More values of an expression differ than are counted, or more sections than are shown.
    case tooManyValues(String, most: Int)
    /// The context has unsaved changes to rows of a batch request.
    case pendingChanges(entity: String, count: Int)
    /// The context has unsaved changes to rows of the save that is to be undone.
    case pendingChangesToSave(entity: String, count: Int)
    /// One row of a batch insert, counted from 1, is wrong.
    indirect case inRow(Int, any Error)
    /// The last undo group exceeded the step limit.
    case undoTooLarge
    /// The steps of a deletion that was to be discarded are not kept.
    case forgottenDeletion(String)
    /// A deletion was to be discarded before that of an object related to it.
    case relatedDeletion(String, other: String)
    /// A relationship was set to an object of another store.
    case objectOfOtherStore(entity: String, relationship: String)
    /// A batch request was to write a relationship to an object that has no row yet.
    case unsavedObject(entity: String, relationship: String)
    /// The entity is not of the store's model.
    case otherModel(entity: String)
  }
}

/// A violation of a validation rule by an object that was to be saved.
public struct ObjectViolation: Sendable {
  /// The object that violates the rule.
  public var object: ObjectID
  /// A one-line description of the object for messages.
  public var label: String
  /// The rule and the value that violates it.
  public var violation: Violation

  /// Creates a violation by `object`.
  public init(object: ObjectID, label: String, violation: Violation) {
    self.object = object
    self.label = label
    self.violation = violation
  }
}
