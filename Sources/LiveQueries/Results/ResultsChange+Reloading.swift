internal import Storage

extension ResultsChange {
  /// A change that may not list every updated row in `updated`.
  static func reloaded(_ change: ResultsChange?, _ occasion: Occasion) -> ResultsChange {
    var change = change ?? ResultsChange(occasion.kind)
    change.isReload = true
    return change
  }
}

extension TouchedRows.Table {
  /// The keys of rows whose values may have changed; a new row may have replaced another.
  var changedKeys: Set<Int64> { Set(updated).union(inserted) }
}
