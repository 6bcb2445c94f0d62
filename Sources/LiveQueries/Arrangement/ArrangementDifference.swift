internal import Modeling

/// What a batch of changes did to an arrangement, in its old and new places.
///
/// Indices count from zero and, where there are sections, within the section. Who deletes the old places, the last first,
/// and inserts the new ones, the first first, has the new arrangement; a moved row is both. What stayed is not told.
struct ArrangementDifference {
  /// A row that came, left, moved or changed.
  struct Entry: Hashable {
    /// The row's key before the change; differs from `key` when an unsaved object has been saved.
    var oldKey: Int64
    /// The row's key now.
    var key: Int64
    /// Its place before; nil for one that came.
    var oldIndex: Int?
    /// Its place now; nil for one that left.
    var index: Int?
    /// The place of its section before; nil without sections.
    var oldSection: Int?
    /// The place of its section now; nil without sections.
    var section: Int?
  }

  /// A section that appeared or vanished.
  struct Section: Hashable {
    /// Its place among the sections: now for one that appeared, before for one that vanished.
    var index: Int
    /// Its identifier.
    var id: Value
  }

  /// Rows that came, by where they are.
  var inserted: [Entry] = []
  /// Rows that left, by where they were.
  var deleted: [Entry] = []
  /// Rows that changed without crossing others, by present place.
  var updated: [Entry] = []
  /// Rows that crossed others or went to another section, by where they are; as few as tell the new order, among those
  /// whose sort key changed.
  var moved: [Entry] = []
  /// Sections that appeared, by place.
  var insertedSections: [Section] = []
  /// Sections that vanished, by place.
  var deletedSections: [Section] = []

  /// Whether there is nothing to tell.
  var isEmpty: Bool {
    inserted.isEmpty && deleted.isEmpty && updated.isEmpty && moved.isEmpty && insertedSections.isEmpty
      && deletedSections.isEmpty
  }

  /// Brings the entries into order.
  mutating func sort() {
    inserted.sort { ($0.section ?? 0, $0.index ?? 0) < ($1.section ?? 0, $1.index ?? 0) }
    deleted.sort { ($0.oldSection ?? 0, $0.oldIndex ?? 0) < ($1.oldSection ?? 0, $1.oldIndex ?? 0) }
    updated.sort { ($0.section ?? 0, $0.index ?? 0) < ($1.section ?? 0, $1.index ?? 0) }
    moved.sort { ($0.section ?? 0, $0.index ?? 0) < ($1.section ?? 0, $1.index ?? 0) }
  }
}
