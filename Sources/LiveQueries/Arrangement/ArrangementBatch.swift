/// The changes of one batch, each with the row's old and new rank.
struct ArrangementBatch {
  /// A row that the batch may have affected.
  struct Change {
    var oldKey: Int64
    var key: Int64
    /// The row's new position; nil if it is no longer held.
    var row: ArrangedRow?
    /// The rank at which it was held.
    var oldRank: Int?
    var oldSection: SectionIndex.Location?
    /// The rank at which it is held now.
    var newRank: Int?
    var newSection: SectionIndex.Location?
    /// Whether its values or its sort key changed.
    var isChanged: Bool
    /// Whether its position in the order is the same, so that it need not be moved.
    var stays = false
    /// Whether it crossed no row that is reported as unmoved.
    var isKept = false
  }

  var changes: ContiguousArray<Change> = []

  /// Matches placements with the rows of an arrangement. Of several placements of one row the last counts.
  init(_ placements: [RowPlacement], in arrangement: Arrangement) {
    changes.reserveCapacity(placements.count)
    if Self.areDistinct(placements) {
      for placement in placements {
        if let row = placement.row {
          add(row, oldKey: row.key, isUpdated: placement.isUpdated, in: arrangement)
        } else if let oldKey = placement.oldKey {
          addLeaving(oldKey, in: arrangement)
        }
      }
      return
    }
    var former: Set<Int64> = []
    var present: Set<Int64> = []
    for placement in placements.reversed() {
      guard let oldKey = placement.oldKey ?? placement.row?.key else { continue }
      let row = placement.row.map { present.insert($0.key).inserted } == true ? placement.row : nil
      let isFirst = former.insert(oldKey).inserted
      if let row {
        // If another row took the held row's key, this row is inserted.
        add(row, oldKey: isFirst ? oldKey : row.key, isUpdated: placement.isUpdated, in: isFirst ? arrangement : nil)
      } else if isFirst {
        addLeaving(oldKey, in: arrangement)
      }
    }
    removeReplaced(former, in: arrangement)
  }

  /// Whether each placement concerns another row, with the same key, by ascending keys: the usual case.
  private static func areDistinct(_ placements: [RowPlacement]) -> Bool {
    var last: Int64?
    for place in placements.indices {
      guard let key = placements[place].row?.key ?? placements[place].oldKey else { return false }
      if let oldKey = placements[place].oldKey, oldKey != key { return false }
      if let last, key <= last { return false }
      last = key
    }
    return true
  }

  private mutating func add(_ row: ArrangedRow, oldKey: Int64, isUpdated: Bool, in arrangement: Arrangement?) {
    let found = arrangement?.keys.find(oldKey, comparing: row.sortKey)
    var change = Change(
      oldKey: oldKey, key: row.key, row: row, oldRank: found?.rank, isChanged: isUpdated || found?.isSame == false)
    var isInSameSection = true
    if let rank = found?.rank, let sections = arrangement?.sections {
      let location = sections.locate(row: rank)
      change.oldSection = location
      isInSameSection = sections.identity(ordinal: location.ordinal) == row.section
    }
    change.stays = found?.isSame == true && oldKey == row.key && isInSameSection
    changes.append(change)
  }

  private mutating func addLeaving(_ key: Int64, in arrangement: Arrangement) {
    guard let rank = arrangement.keys.rank(of: key) else { return }
    changes.append(
      Change(
        oldKey: key, key: key, oldRank: rank, oldSection: arrangement.sections?.locate(row: rank), isChanged: false))
  }

  /// Removes rows that are held under a key that another row takes.
  private mutating func removeReplaced(_ former: Set<Int64>, in arrangement: Arrangement) {
    for change in changes where change.key != change.oldKey {
      if !former.contains(change.key) { addLeaving(change.key, in: arrangement) }
    }
  }

  /// Drops rows beyond the boundary, because rows between them are unknown.
  mutating func dropBeyond(_ boundary: Arrangement.Place) {
    for place in changes.indices {
      guard let row = changes[place].row, boundary < Arrangement.Place(sortKey: row.sortKey, key: row.key) else {
        continue
      }
      changes[place].row = nil
      changes[place].stays = false
    }
  }

  /// Adds rows that were read from beyond the boundary.
  mutating func join(_ rows: [ArrangedRow], in arrangement: Arrangement) {
    var places: [Int64: Int] = [:]
    for (place, change) in changes.enumerated() where change.row != nil || places[change.key] == nil {
      places[change.key] = place
    }
    for row in rows {
      if let place = places[row.key] {
        if changes[place].row == nil { changes[place].row = row }
      } else if !arrangement.keys.contains(row.key) {
        places[row.key] = changes.count
        changes.append(Change(oldKey: row.key, key: row.key, row: row, isChanged: false))
      }
    }
  }
}
