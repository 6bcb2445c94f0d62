internal import Modeling

/// The difference that a batch of changes made to an arrangement, in old and new indices.
///
/// Indices count from zero and, with sections, within the section. To follow it, delete the old indices from the last
/// to the first, then insert the new ones from the first to the last; a moved row is both. Rows that stayed are not
/// listed.
struct ArrangementDifference {
  /// A row that was inserted, deleted, moved or updated.
  struct Entry: Hashable {
    /// The row's key before the change; differs from `key` when an unsaved object has been saved.
    var oldKey: Int64
    /// The row's key after the change.
    var key: Int64
    /// Its index before; nil for an inserted row.
    var oldIndex: Int?
    /// Its index after; nil for a deleted row.
    var index: Int?
    /// The index of its section before; nil without sections.
    var oldSection: Int?
    /// The index of its section after; nil without sections.
    var section: Int?
  }

  /// A section that was inserted or deleted.
  struct Section: Hashable {
    /// Its index among the sections: after the change for an inserted section, before it for a deleted one.
    var index: Int
    /// Its identifier.
    var id: Value
  }

  /// Inserted rows, by new index.
  var inserted: [Entry] = []
  /// Deleted rows, by old index.
  var deleted: [Entry] = []
  /// Rows that changed without crossing others, by new index.
  var updated: [Entry] = []
  /// Rows that crossed others or changed sections, by new index: a minimal set that describes the new order, preferring
  /// rows whose sort key changed.
  var moved: [Entry] = []
  /// Inserted sections, by index.
  var insertedSections: [Section] = []
  /// Deleted sections, by index.
  var deletedSections: [Section] = []

  /// Whether the difference is empty.
  var isEmpty: Bool {
    inserted.isEmpty && deleted.isEmpty && updated.isEmpty && moved.isEmpty && insertedSections.isEmpty
      && deletedSections.isEmpty
  }

  /// Sorts the entries.
  mutating func sort() {
    inserted.sort { ($0.section ?? 0, $0.index ?? 0) < ($1.section ?? 0, $1.index ?? 0) }
    deleted.sort { ($0.oldSection ?? 0, $0.oldIndex ?? 0) < ($1.oldSection ?? 0, $1.oldIndex ?? 0) }
    updated.sort { ($0.section ?? 0, $0.index ?? 0) < ($1.section ?? 0, $1.index ?? 0) }
    moved.sort { ($0.section ?? 0, $0.index ?? 0) < ($1.section ?? 0, $1.index ?? 0) }
  }
}
