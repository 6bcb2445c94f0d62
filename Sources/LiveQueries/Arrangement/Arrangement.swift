internal import Modeling

/// What a live result shows: the keys of its rows in order, in sections where there are some, as far as the window shows.
///
///     let arrangement = Arrangement(rows, window: .init(offset: 0, limit: 20))
///     let difference = arrangement.apply([.placed(row), .leaving(4)])
///
/// Indices are those of shown rows. An arrangement that is not complete holds the beginning of an order whose rest is
/// in the store; it knows of every row up to its boundary.
final class Arrangement {
  /// Which rows of the order are shown.
  struct Window: Hashable {
    /// So many rows are passed over.
    var offset = 0
    /// So many are shown at most; nil for all.
    var limit: Int?

    /// The rank behind the last that is shown.
    var end: Int { limit.map { offset +| $0 } ?? .max }

    /// The ranks that are shown of so many rows.
    func ranks(of count: Int) -> Range<Int> {
      let start = min(offset, count)
      return start..<max(start, min(end, count))
    }
  }

  /// A place in the order.
  struct Place: Comparable {
    var sortKey: SortKey
    var key: Int64

    /// The place of a row that has this key and sort key.
    init(sortKey: SortKey, key: Int64) {
      self.sortKey = sortKey
      self.key = key
    }

    /// Where a row belongs.
    init(_ row: ArrangedRow) { self.init(sortKey: row.sortKey, key: row.key) }

    static func < (left: Place, right: Place) -> Bool {
      left.sortKey == right.sortKey
        ? tieOrder(left.key) < tieOrder(right.key) : left.sortKey < right.sortKey
    }
  }

  var keys: OrderedKeys
  var sections: SectionIndex?
  /// Which rows are shown.
  var window: Window
  /// The place up to which every row of the order is held; nil where all are.
  var boundary: Place?

  /// An arrangement of these rows. One that is not complete ends with the last of them.
  init(_ rows: ArrangedRows, isSectioned: Bool = false, window: Window = Window(), isComplete: Bool = true) {
    self.window = window
    guard isSectioned else {
      keys = OrderedKeys(rows)
      sections = nil
      boundary = isComplete ? nil : lastPlace
      return
    }
    var runs: [(number: Int, count: Int)] = []
    keys = OrderedKeys(rows) { place in
      let number = rows.sectionNumber(at: place) ?? -1
      if let last = runs.last, last.number == number {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((number, 1))
      }
    }
    var sections = SectionIndex()
    for run in runs { sections.append(rows.sections[run.number], count: run.count) }
    sections.finishLoading()
    self.sections = sections
    boundary = isComplete ? nil : lastPlace
  }

  /// The rows that are held, shown or not.
  var heldCount: Int { keys.count }

  /// Whether all rows of the order are held.
  var isComplete: Bool { boundary == nil }

  /// Whether fewer rows are held than would be shown, though the store may have more.
  var needsRefill: Bool { !isComplete && keys.count < window.end }

  /// The ranks of the shown rows.
  var shownRanks: Range<Int> { window.ranks(of: keys.count) }

  /// The rows that are shown.
  var count: Int { shownRanks.count }

  /// The key of the row at an index below the count.
  func key(at index: Int) -> Int64 { keys.key(at: window.offset + index) }

  /// The index of a row; nil if it is not shown.
  func index(of key: Int64) -> Int? {
    guard let rank = keys.rank(of: key), shownRanks.contains(rank) else { return nil }
    return rank - shownRanks.lowerBound
  }

  /// Whether a row is held, shown or not.
  func holds(_ key: Int64) -> Bool { keys.contains(key) }

  /// The keys of a range of indices.
  func keys(in range: Range<Int>) -> [Int64] {
    var result: [Int64] = []
    result.reserveCapacity(range.count)
    let offset = shownRanks.lowerBound
    keys.forEach(in: range.lowerBound + offset..<range.upperBound + offset) { result.append($0) }
    return result
  }

  /// The place of the last row that is held.
  var lastPlace: Place? {
    guard keys.count > 0 else { return Place(sortKey: SortKey(prefix: 0), key: .min / 2 + 1) }
    let key = keys.key(at: keys.count - 1)
    return Place(sortKey: keys.sortKey(of: key), key: key)
  }

  /// Drops held rows beyond so many, of which none is shown; the arrangement is not complete then.
  func trim(to count: Int) {
    let kept = max(count, window.end)
    guard keys.count > kept else { return }
    while keys.count > kept {
      let last = keys.count - 1
      if let ordinal = sections?.locate(row: last).ordinal { sections?.removeRow(ordinal: ordinal) }
      keys.remove(keys.key(at: last))
    }
    _ = sections?.sweep()
    boundary = lastPlace
  }

  /// The bytes it takes.
  var bytesUsed: Int { keys.bytesUsed + (sections?.bytesUsed ?? 0) }

  /// Holds keys and sections against one another.
  func checkInvariants() throws {
    try keys.checkInvariants()
    try sections?.checkInvariants(rows: keys.count)
    if let boundary, let last = lastPlace {
      try BrokenInvariant.unless(!(boundary < last), "row \(last.key) is held beyond the boundary")
    }
  }
}
