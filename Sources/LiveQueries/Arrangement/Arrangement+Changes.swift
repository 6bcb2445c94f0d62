extension Arrangement {
  /// Rows that follow the held rows.
  struct Refill {
    /// The rows, in order.
    var rows: [ArrangedRow]
    /// Whether no other rows follow.
    var isComplete: Bool
  }

  /// Applies a batch of changes and returns the difference of the shown rows.
  ///
  /// A row that moves beyond the boundary of an incomplete arrangement leaves it. Takes O(log n) time for each placement,
  /// shown or not.
  @discardableResult func apply(_ placements: [RowPlacement]) -> ArrangementDifference {
    if placements.count == 1, let difference = differenceInPlace(placements[0]) { return difference }
    return apply(placements) { _ in Refill(rows: [], isComplete: false) }
  }

  /// The difference of one row with other values that stays where it is, the most frequent change; nil for any other.
  private func differenceInPlace(_ placement: RowPlacement) -> ArrangementDifference? {
    guard isComplete, sections == nil, placement.isUpdated, let row = placement.row,
      placement.oldKey == nil || placement.oldKey == row.key,
      let found = keys.find(row.key, comparing: row.sortKey), found.isSame
    else { return nil }
    var difference = ArrangementDifference()
    if shownRanks.contains(found.rank) {
      let index = found.rank - shownRanks.lowerBound
      difference.updated = [ArrangementDifference.Entry(oldKey: row.key, key: row.key, oldIndex: index, index: index)]
    }
    return difference
  }

  /// Applies a batch of changes after which rows may be missing.
  ///
  /// If fewer rows than the window shows would be held, `refill` is called for the rows after the first `held`; it sees
  /// the result after the changes, unsaved rows included. Rows that it returns again have moved. If it throws, nothing
  /// is applied.
  func apply(_ placements: [RowPlacement], refill: (_ held: Int) throws -> Refill) rethrows -> ArrangementDifference {
    var batch = ArrangementBatch(placements, in: self)
    try fill(&batch, showing: window, refill: refill)
    return apply(&batch, showing: window)
  }

  /// Shows another window and returns the difference, in O(k log n) time for k rows that come or go.
  ///
  /// If an incomplete arrangement holds too few rows, `refill` is called for the following ones.
  func show(_ window: Window, refill: (_ held: Int) throws -> Refill) rethrows -> ArrangementDifference {
    var batch = ArrangementBatch([], in: self)
    try fill(&batch, showing: window, refill: refill)
    return apply(&batch, showing: window)
  }

  /// Drops rows beyond the boundary, and refills if too few rows would be held.
  private func fill(
    _ batch: inout ArrangementBatch, showing window: Window, refill: (_ held: Int) throws -> Refill
  ) rethrows {
    guard let boundary else { return }
    batch.dropBeyond(boundary)
    let held = keys.count + batch.growth
    guard held < window.end else { return }
    let more = try refill(held)
    batch.join(more.rows, in: self)
    let last = more.rows.last.map { Place($0) } ?? boundary
    self.boundary = more.isComplete ? nil : max(boundary, last)
  }

  private func apply(_ batch: inout ArrangementBatch, showing window: Window) -> ArrangementDifference {
    let before = DifferenceBuilder.Shown(self)
    let firstNewSection = sections?.nextNumber ?? 0
    remove(batch)
    insert(&batch)
    let swept = sections?.sweep() ?? []
    self.window = window
    // From here on the builder owns the changes and modifies them.
    let changes = batch.takeChanges()
    var builder = DifferenceBuilder(
      changes: changes, arrangement: self, before: before, swept: swept, firstNewSection: firstNewSection)
    return builder.difference()
  }

  private func remove(_ batch: ArrangementBatch) {
    for place in batch.changes.indices where batch.changes[place].oldRank != nil && !batch.changes[place].stays {
      if let section = batch.changes[place].oldSection { sections?.removeRow(ordinal: section.ordinal) }
      keys.remove(batch.changes[place].oldKey)
    }
  }

  /// Inserts the rows by ascending position, so that each rank is final.
  private func insert(_ batch: inout ArrangementBatch) {
    for place in batch.coming() {
      guard let row = batch.changes[place].row else { continue }
      let rank = keys.insert(row.key, row.sortKey)
      batch.changes[place].newRank = rank
      if let section = row.section { sections?.insertRow(at: rank, section) }
    }
  }
}

extension ArrangementBatch {
  /// Moves the changes out.
  mutating func takeChanges() -> ContiguousArray<Change> {
    var taken: ContiguousArray<Change> = []
    swap(&taken, &changes)
    return taken
  }

  /// The increase of the number of rows.
  var growth: Int {
    changes.reduce(0) { $0 + ($1.row == nil ? 0 : 1) - ($1.oldRank == nil ? 0 : 1) }
  }

  /// The indices of changes that insert a row, by the row's position.
  func coming() -> [Int] {
    var coming: [(prefix: UInt64, place: Int)] = []
    for place in changes.indices where !changes[place].stays {
      if let prefix = changes[place].row?.sortKey.prefix { coming.append((prefix, place)) }
    }
    if coming.count > 1 {
      coming.sort { left, right in
        if left.prefix != right.prefix { return left.prefix < right.prefix }
        guard let one = changes[left.place].row, let other = changes[right.place].row else { return false }
        return Arrangement.Place(one) < Arrangement.Place(other)
      }
    }
    return coming.map(\.place)
  }
}
