public import Modeling

/// An object that cannot be saved because of what others wrote, as facts.
public struct ObjectConflict: Sendable {
  /// The object whose changes were to be saved.
  public var object: ObjectID
  /// The object in one line, for people.
  public var label: String
  /// What is in the way.
  public var kind: Kind
  /// The properties it is about.
  public var properties: [PropertyConflict]

  /// What others did.
  public enum Kind: Sendable {
    /// The object is changed here, and others changed its row.
    case changed
    /// The object is changed here, and others deleted its row.
    case deletedInStore
    /// The object is deleted here, and others changed its row.
    case deletedHere
    /// The unique values of the properties are those of a row of the store.
    case notUnique(ObjectID)
    /// The unique values of the properties are those of another object that is to be saved.
    case notUniqueAmongChanges(ObjectID)
  }
}

/// A property's three values: as it was read, as it is in memory and as it is in the store.
public struct PropertyConflict: Sendable {
  /// The name of the property.
  public var property: String
  /// The value when the object was read.
  public var base: Value
  /// The value that was to be saved.
  public var mine: Value
  /// The value in the store.
  public var theirs: Value
  /// Whether the object's value was changed too.
  public var isMine: Bool
}
