public import ObjectGraph
public import Reactive

/// A change of an object, as observers of its entity receive it.
public struct ObjectChange {
  /// The kinds of changes.
  public enum Kind: String, CaseIterable, Sendable {
    case insert, update, delete
  }

  /// The kind of the change.
  public var kind: Kind
  /// The object; of a deleted object possibly only the ID is known.
  public var object: ManagedObject
  /// The cause of the change: unsaved changes, a commit, or another program's commit.
  public var cause: ResultsChange.Kind
  /// The transaction with the animation for the change.
  public var transaction: Transaction
  /// The author of the change, if the transaction named one.
  public var author: String?
  /// The former values of updated objects.
  public var former: FormerValues?
}

/// The changes of all objects of a context in one turn.
public struct ObjectChanges {
  /// The changes, ordered by entity name.
  public var changes: [ObjectChange] = []
  /// Whether every change is listed; false if there were too many, or some are unknown.
  public var isComplete = true

  /// The objects with changes of a kind.
  public func objects(_ kind: ObjectChange.Kind) -> [ManagedObject] {
    changes.filter { $0.kind == kind }.map(\.object)
  }
}
