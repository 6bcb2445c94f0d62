/// What became of a row that a change may have affected.
struct Placement {
  /// The key under which the row may be held; nil where that is the key of its place.
  var oldKey: Int64?
  /// The row's place now; nil if it belongs to the result no more.
  var row: ArrangedRow?
  /// Whether values of the row changed.
  var isUpdated: Bool

  /// A row that belongs to the result, new or not; `oldKey` is the one it had as an unsaved object.
  static func placed(_ row: ArrangedRow, oldKey: Int64? = nil, isUpdated: Bool = true) -> Placement {
    Placement(oldKey: oldKey, row: row, isUpdated: isUpdated)
  }

  /// A row that belongs to the result no more, if it did.
  static func leaving(_ key: Int64) -> Placement { Placement(oldKey: key, row: nil, isUpdated: false) }
}
