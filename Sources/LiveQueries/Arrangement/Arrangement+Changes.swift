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
    var batch = ArrangementBatch(placements, in: self)
    try fill(&batch, showing: window, refill: refill)
    return apply(&batch, showing: window)
  }

  /// Shows other rows and answers what that does, in time that grows with the rows that come and go.
  ///
  /// If an arrangement that is not complete holds too few, `refill` is asked for those behind.
  func show(_ window: Window, refill: (_ held: Int) throws -> Refill) rethrows -> ArrangementDifference {
    var batch = ArrangementBatch([], in: self)
    try fill(&batch, showing: window, refill: refill)
    return apply(&batch, showing: window)
  }

  /// Lets go of what is behind the boundary, and has rows brought where too few would be held.
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
    // They are the builder's alone from here on, which writes into them.
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

  /// Puts the rows in by ascending place, so that each rank is final.
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
  /// Gives the changes away.
  mutating func takeChanges() -> ContiguousArray<Change> {
    var taken: ContiguousArray<Change> = []
    swap(&taken, &changes)
    return taken
  }

  /// How many rows more there will be.
  var growth: Int {
    changes.reduce(0) { $0 + ($1.row == nil ? 0 : 1) - ($1.oldRank == nil ? 0 : 1) }
  }

  /// The places of changes whose row is to be put somewhere, by where that is.
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
