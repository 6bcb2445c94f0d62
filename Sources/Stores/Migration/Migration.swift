public import Modeling

/// The argument of a `migrate` function: the store before and after, and the work that is left to the function.
///
/// Both stores use the same connection within one transaction. All inferred changes are done. The old objects exist
/// until the function returns; then required and unique values are checked.
public struct Migration {
  /// The store with the old model; read-only.
  public let old: any OpenedStore
  /// The store with the new model.
  public let new: any OpenedStore
  /// The changes that could not be inferred, in words; empty if all could.
  public let obstacles: [String]

  private let plan: MigrationPlan
  private let shifts: KeyShifts

  /// Describes what is left to the function between two stores.
  package init(
    old: any OpenedStore, new: any OpenedStore, obstacles: [String], plan: MigrationPlan, shifts: KeyShifts
  ) {
    (self.old, self.new, self.obstacles, self.plan, self.shifts) = (old, new, obstacles, plan, shifts)
  }

  /// The new object for an object of the old store; nil if its entity was removed.
  public func counterpart(of id: ObjectID) -> ObjectID? {
    guard let entity = plan.matching.result(of: id.entity) else { return nil }
    return ObjectID(entity: entity, key: id.key + shifts.offset(from: id.entity, to: entity))
  }
}

/// One step of a staged migration: from one version of a model to the next.
public struct MigrationStage {
  /// The model before.
  public var from: Model
  /// The model after.
  public var to: Model
  /// Called after all inferred changes, whether or not anything is left to do.
  public var migrate: ((Migration) throws -> Void)?
  /// Whether the stage may lose what its second model has no place for; a stage with a function may.
  public var permitsLosses = false

  /// Describes a stage.
  public init(from: Model, to: Model, migrate: ((Migration) throws -> Void)? = nil) {
    self.from = from
    self.to = to
    self.migrate = migrate
  }
}
