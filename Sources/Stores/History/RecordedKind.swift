/// The kinds of changes in a store's history, by the numbers that are stored.
package enum RecordedKind {
  package static let insert: Int64 = 0
  package static let update: Int64 = 1
  package static let delete: Int64 = 2
  /// No change, but a gap: earlier changes were purged or never recorded.
  package static let gap: Int64 = 3
  /// No reported change: a row whose computed values or members may have changed.
  package static let touch: Int64 = 4
  /// A row that conflicted with a written row and may be gone: INSERT OR REPLACE deletes conflicting rows,
  /// for which no trigger runs.
  package static let inTheWay: Int64 = 5
}
