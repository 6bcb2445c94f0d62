public import Modeling

/// A conflict between an object that was to be saved and what others wrote.
public struct ObjectConflict: Sendable {
  /// The object that was to be saved.
  public var object: ObjectID
  /// A one-line description of the object for messages.
  public var label: String
  /// The kind of conflict.
  public var kind: Kind
  /// The properties in conflict.
  public var properties: [PropertyConflict]

  package init(object: ObjectID, label: String, kind: Kind, properties: [PropertyConflict]) {
    (self.object, self.label, self.kind, self.properties) = (object, label, kind, properties)
  }

  /// A kind of conflict.
  public enum Kind: Sendable {
    /// The object is changed here, and others changed its row.
    case changed
    /// The object is changed here, and others deleted its row.
    case deletedInStore
    /// The object is deleted here, and others changed its row.
    case deletedHere
    /// A row of the store has the same unique values.
    case notUnique(ObjectID)
    /// Another unsaved object has the same unique values.
    case notUniqueAmongChanges(ObjectID)
  }
}

/// A property's base value, value in memory and value in the store.
public struct PropertyConflict: Sendable {
  /// The name of the property.
  public var property: String
  /// The base: the value when the object was read.
  public var base: Value
  /// The value in memory.
  public var mine: Value
  /// The value in the store.
  public var theirs: Value
  /// Whether the value in memory differs from the base.
  public var isMine: Bool

  package init(property: String, base: Value, mine: Value, theirs: Value, isMine: Bool) {
    (self.property, self.base, self.mine, self.theirs, self.isMine) = (property, base, mine, theirs, isMine)
  }
}
