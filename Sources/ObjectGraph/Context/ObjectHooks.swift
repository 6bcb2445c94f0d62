public import Modeling

/// The hooks that run when a context's objects are created, saved and deleted.
///
///     context.hooks.willSave = { object in try stamp(object) }
///
/// A hook that is nil costs nothing. All but the last two may throw, which cancels the operation.
public struct ObjectHooks {
  /// Called for a new object when it has only its default values.
  public var awakeFromInsert: ((ManagedObject) throws -> Void)?
  /// Called for an object that is about to be deleted, by itself or by a delete rule.
  public var prepareForDeletion: ((ManagedObject) throws -> Void)?
  /// Called at the beginning of a save. Its changes are saved, too.
  public var contextWillSave: (() throws -> Void)?
  /// Called for each changed object before a save, and again for objects that these calls change.
  public var willSave: ((ManagedObject) throws -> Void)?
  /// Returns violations beyond the model's own rules. It must not change objects.
  public var validate: ((ManagedObject, ValidationOccasion) throws -> [Violation])?
  /// Called after validation, before the write. It may call its argument, which writes everything and takes that back, to learn
  /// whether the store refuses it. The closure it returns is called after the write, with what it failed for.
  public var willWrite: ((_ rehearse: () throws -> Void) throws -> ((_ failure: (any Error)?) -> Void)?)?
  /// Called for each saved object, including deleted ones.
  public var didSave: ((ManagedObject) -> Void)?
  /// Called after `didSave` has been called for every object.
  public var contextDidSave: ((SavedChanges) -> Void)?

  /// No hooks.
  public init() {}
}

/// The operation for which an object is validated.
public enum ValidationOccasion: Sendable {
  case insert, update, delete
}

/// The objects that a save wrote.
public struct SavedChanges {
  /// The inserted objects.
  public internal(set) var inserted: [ManagedObject] = []
  /// The updated objects.
  public internal(set) var updated: [ManagedObject] = []
  /// The deleted objects.
  public internal(set) var deleted: [ManagedObject] = []

  /// All of them.
  var all: [ManagedObject] { inserted + updated + deleted }
}

/// The state of a context's save and of the hooks around it.
struct SaveProgress {
  /// Whether a save is in progress. No other can begin meanwhile.
  var isSaving = false
  /// Whether validation hooks are running. They must not change objects.
  var isValidating = false
  /// Whether didSave hooks are running.
  var isTelling = false
  /// The saves for which not all didSave hooks have run.
  var untold: [SavedChanges] = []
  /// The limit of willSave calls, plus 100 for each object that is changed at the start: hooks that insert objects may
  /// double their number in each round.
  var mostWillSaveCalls = 100_000
  /// The number of saves so far.
  var count = 0
  /// The objects whose prepareForDeletion hook is running.
  var deleting: Set<ObjectReference> = []
}
