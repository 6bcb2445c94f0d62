/// The new state of a row that a change may have affected.
struct RowPlacement {
  /// The key under which the row may be held; nil if that is the key in `row`.
  var oldKey: Int64?
  /// The row's new position; nil if it no longer belongs to the result.
  var row: ArrangedRow?
  /// Whether the row's values changed.
  var isUpdated: Bool

  /// A row that belongs to the result, new or not; `oldKey` is its key as an unsaved object.
  static func placed(_ row: ArrangedRow, oldKey: Int64? = nil, isUpdated: Bool = true) -> RowPlacement {
    RowPlacement(oldKey: oldKey, row: row, isUpdated: isUpdated)
  }

  /// A row that does not belong to the result any more.
  static func leaving(_ key: Int64) -> RowPlacement { RowPlacement(oldKey: key, row: nil, isUpdated: false) }
}
