extension Arrangement {
  /// Rows that follow those that are held.
  struct Refill {
    /// The rows, in order.
    var rows: [ArrangedRow]
    /// Whether no others follow.
    var isComplete: Bool
  }

  /// Applies a batch of changes and answers what they did to what is shown.
  ///
  /// A row that moves behind the boundary of an arrangement that is not complete leaves it. Takes time for each placement
  /// that grows with the logarithm of the rows, whatever is shown.
  @discardableResult func apply(_ placements: [Placement]) -> ArrangementDifference {
    apply(placements) { _ in Refill(rows: [], isComplete: false) }
  }

  /// Applies a batch of changes where rows may be missing afterwards.
  ///
  /// `refill` is asked for the rows behind the first so many if fewer would be held than the window shows; it sees the
  /// result after the changes, unsaved rows too. Rows that it brings back have moved. If it throws, nothing is applied.
  func apply(_ placements: [Placement], refill: (_ held: Int) throws -> Refill) rethrows -> ArrangementDifference {
    try apply(ArrangementBatch(placements, in: self), showing: window, refill: refill)
  }

  /// Shows other rows and answers what that does, in time that grows with the rows that come and go.
  ///
  /// If an arrangement that is not complete holds too few, `refill` is asked for those behind.
  func show(_ window: Window, refill: (_ held: Int) throws -> Refill) rethrows -> ArrangementDifference {
    try apply(ArrangementBatch([], in: self), showing: window, refill: refill)
  }

  private func apply(
    _ batch: ArrangementBatch, showing window: Window, refill: (_ held: Int) throws -> Refill
  ) rethrows -> ArrangementDifference {
    var batch = batch
    if let boundary {
      batch.dropBeyond(boundary)
      let held = keys.count + batch.growth
      if held < window.end {
        let more = try refill(held)
        batch.join(more.rows, in: self)
        let last = more.rows.last.map { Place($0) } ?? boundary
        self.boundary = more.isComplete ? nil : max(boundary, last)
      }
    }
    return apply(&batch, showing: window)
  }

  private func apply(_ batch: inout ArrangementBatch, showing window: Window) -> ArrangementDifference {
    let before = DifferenceBuilder.Shown(self)
    let firstNewSection = sections?.nextNumber ?? 0
    remove(batch)
    insert(&batch)
    let swept = sections?.sweep() ?? []
    self.window = window
    var builder = DifferenceBuilder(
      changes: batch.changes, arrangement: self, before: before, swept: swept, firstNewSection: firstNewSection)
    batch.changes = []
    return builder.difference()
  }

  private func remove(_ batch: ArrangementBatch) {
    for change in batch.changes where change.oldRank != nil && !change.stays {
      if let section = change.oldSection { sections?.removeRow(ordinal: section.ordinal) }
      keys.remove(change.oldKey)
    }
  }

  /// Puts the rows in by ascending place, so that each rank is final.
  private func insert(_ batch: inout ArrangementBatch) {
    var coming = batch.changes.indices.filter { batch.changes[$0].row != nil && !batch.changes[$0].stays }
    if coming.count > 1 { batch.sortByPlace(&coming) }
    for place in coming {
      guard let row = batch.changes[place].row else { continue }
      let rank = keys.insert(row.key, row.sortKey)
      batch.changes[place].newRank = rank
      if let section = row.section { sections?.insertRow(at: rank, section) }
    }
  }
}

extension ArrangementBatch {
  /// How many rows more there will be.
  var growth: Int {
    changes.reduce(0) { $0 + ($1.row == nil ? 0 : 1) - ($1.oldRank == nil ? 0 : 1) }
  }

  /// Sorts places of changes that have a row by where it is to be.
  func sortByPlace(_ places: inout [Int]) {
    places.sort { left, right in
      guard let one = changes[left].row, let other = changes[right].row else { return false }
      if one.sortKey.prefix != other.sortKey.prefix { return one.sortKey.prefix < other.sortKey.prefix }
      return Arrangement.Place(one) < Arrangement.Place(other)
    }
  }
}
