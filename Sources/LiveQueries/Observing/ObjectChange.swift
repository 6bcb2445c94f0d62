public import ObjectGraph
public import Reactive

/// What became of an object, as observers of its entity are told.
public struct ObjectChange {
  /// What happened to an object.
  public enum Kind: String, CaseIterable, Sendable {
    case insert, update, delete
  }

  /// What happened.
  public var kind: Kind
  /// The object; one that is gone can be told by its ID alone.
  public var object: ManagedObject
  /// What brought it about: unsaved changes, a commit, or another program's.
  public var cause: ResultsChange.Kind
  /// The transaction that says how to show it.
  public var transaction: Transaction
  /// Who made the change, as far as that was said.
  public var author: String?
  /// What updated objects held before.
  public var former: FormerValues?
}

/// What became of all objects of a context in one turn.
public struct ObjectChanges {
  /// Every change, in the order of entities' names.
  public var changes: [ObjectChange] = []
  /// Whether every change is listed; false if there were too many, or they are unknown.
  public var isComplete = true

  /// The objects to which something happened.
  public func objects(_ kind: ObjectChange.Kind) -> [ManagedObject] {
    changes.filter { $0.kind == kind }.map(\.object)
  }
}
