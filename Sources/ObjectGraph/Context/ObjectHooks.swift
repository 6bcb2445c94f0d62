public import Modeling

/// What is called at the turning points of the lives of a context's objects.
///
///     context.hooks.willSave = { object in try stamp(object) }
///
/// What is nil costs nothing. All but the two last may throw, which refuses what was about to happen.
public struct ObjectHooks {
  /// Called for a new object that has its default values and nothing else.
  public var awakeFromInsert: ((ManagedObject) throws -> Void)?
  /// Called for an object that is about to be deleted, by itself or by a delete rule.
  public var prepareForDeletion: ((ManagedObject) throws -> Void)?
  /// Called before anything is looked at for a save; what it changes is saved too.
  public var contextWillSave: (() throws -> Void)?
  /// Called for each changed object before a save, and again for those that these calls change.
  public var willSave: ((ManagedObject) throws -> Void)?
  /// Answers what an object violates beyond the model's rules; it must not change objects.
  public var validate: ((ManagedObject, ValidationOccasion) throws -> [Violation])?
  /// Called with everything found valid, before it is written; what it returns is called when it is.
  public var willWrite: (() throws -> (() -> Void)?)?
  /// Called for each object that was saved, also those whose rows were deleted.
  public var didSave: ((ManagedObject) -> Void)?
  /// Called when all of them were told.
  public var contextDidSave: ((SavedChanges) -> Void)?

  /// No hooks.
  public init() {}
}

/// What an object is held against its rules for.
public enum ValidationOccasion: Sendable {
  case insert, update, delete
}

/// The objects that a save has written.
public struct SavedChanges {
  /// Those that had no row before.
  public internal(set) var inserted: [ManagedObject] = []
  /// Those whose rows were changed.
  public internal(set) var updated: [ManagedObject] = []
  /// Those whose rows are gone.
  public internal(set) var deleted: [ManagedObject] = []

  /// All of them.
  var all: [ManagedObject] { inserted + updated + deleted }
}

/// How far a context has come with a save, and with the hooks around it.
struct SaveProgress {
  /// Whether a save is under way, so that no other can begin.
  var isSaving = false
  /// Whether hooks look at objects, which they must not change meanwhile.
  var isValidating = false
  /// Whether hooks are told of saves.
  var isTelling = false
  /// The saves that hooks have not been told of in full.
  var untold: [SavedChanges] = []
  /// From how many calls willSave is endless, beside 100 for each object to begin with: objects that make others may
  /// double with each round.
  var mostWillSaveCalls = 100_000
  /// How many saves there were.
  var count = 0
  /// The objects whose hook is being asked before they are deleted.
  var deleting: Set<ObjectReference> = []
}
