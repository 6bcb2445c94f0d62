public import Modeling

/// What a `migrate` function is given: the store as it was and as it becomes, and what it has to see to.
///
/// Both stand on the same connection within one transaction. Everything that could be inferred has been done; the old
/// objects are there until the function returns, and then required and unique values are checked.
public struct Migration {
  /// The store with the old model; read-only.
  public let old: SQLiteStore
  /// The store with the new model.
  public let new: SQLiteStore
  /// What could not be inferred, in words.
  public let obstacles: [String]

  let plan: MigrationPlan
  let shifts: KeyShifts

  /// What an object of the old store is in the new one; nil if its entity was removed.
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
  /// Called when everything that can be inferred has been done, whether or not there is more to see to.
  public var migrate: ((Migration) throws -> Void)?

  /// Describes a stage.
  public init(from: Model, to: Model, migrate: ((Migration) throws -> Void)? = nil) {
    self.from = from
    self.to = to
    self.migrate = migrate
  }
}
