/// How many objects saves have written.
public struct SavedCounts: Equatable {
  /// Objects that have a row now.
  public private(set) var inserted = 0
  /// Objects whose rows were changed.
  public private(set) var updated = 0
  /// Objects whose rows were deleted.
  public private(set) var deleted = 0

  /// Counts of nothing.
  public init() {}

  /// Counts objects that are about to be written; one that was made and deleted since the last save is not.
  init(_ changed: [ObjectReference]) {
    for reference in changed {
      guard let changes = reference.table.changes[reference.slot] else { continue }
      switch changes.kind {
      case .inserted: inserted += 1
      case .updated: updated += 1
      case .deleted: if !changes.wasInserted { deleted += 1 }
      }
    }
  }

  /// Whether nothing was written.
  public var isEmpty: Bool { inserted == 0 && updated == 0 && deleted == 0 }

  /// Adds what another save has written.
  public mutating func add(_ other: SavedCounts) {
    inserted += other.inserted
    updated += other.updated
    deleted += other.deleted
  }
}
