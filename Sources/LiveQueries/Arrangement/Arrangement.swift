internal import Modeling

/// The content of a live result: the keys of its rows in order, optionally in sections, within a window.
///
///     let arrangement = Arrangement(rows, window: .init(offset: 0, limit: 20))
///     let difference = arrangement.apply([.placed(row), .leaving(4)])
///
/// Indices count shown rows; ranks count held rows. An incomplete arrangement holds the beginning of an order whose
/// rest is in the store. It holds every row up to its boundary.
final class Arrangement {
  /// The range of the order that is shown.
  struct Window: Hashable {
    /// The number of rows to skip.
    var offset = 0
    /// The maximum number of rows to show; nil for all.
    var limit: Int?

    /// The rank after the last shown row.
    var end: Int { limit.map { offset +| $0 } ?? .max }

    /// The shown ranks of `count` rows.
    func ranks(of count: Int) -> Range<Int> {
      let start = min(offset, count)
      return start..<max(start, min(end, count))
    }
  }

  /// A position in the order.
  struct Place: Comparable {
    var sortKey: SortKey
    var key: Int64

    /// The position of a row with this key and sort key.
    init(sortKey: SortKey, key: Int64) {
      self.sortKey = sortKey
      self.key = key
    }

    /// The position of a row.
    init(_ row: ArrangedRow) { self.init(sortKey: row.sortKey, key: row.key) }

    static func < (left: Place, right: Place) -> Bool {
      left.sortKey == right.sortKey
        ? tieOrder(left.key) < tieOrder(right.key) : left.sortKey < right.sortKey
    }
  }

  var keys: OrderedKeys
  var sections: SectionIndex?
  /// The range of the order that is shown.
  var window: Window
  /// The position up to which every row of the order is held; nil if all rows are held.
  var boundary: Place?

  /// Creates an arrangement of these rows. An incomplete one ends with the last of them.
  ///
  /// `goesOn` is asked for each row with the bytes of its sort key's tail; if it returns false, the arrangement is of no use.
  init(
    _ rows: ArrangedRows, isSectioned: Bool = false, window: Window = Window(), isComplete: Bool = true,
    goesOn: (_ bytes: Int) -> Bool = { _ in true }
  ) {
    self.window = window
    guard isSectioned else {
      keys = OrderedKeys(rows, goesOn: goesOn)
      sections = nil
      boundary = isComplete ? nil : lastPlace
      return
    }
    var runs: [(number: Int, count: Int)] = []
    keys = OrderedKeys(rows, goesOn: goesOn) { place in
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

  /// Makes an arrangement by `body`, which asks whether to go on with so many bytes more.
  ///
  /// - Throws: EvaluationInterrupted.
  static func interruptible(
    _ poll: inout InterruptionPoll, _ body: (_ goesOn: (_ bytes: Int) -> Bool) -> Arrangement
  ) throws(EvaluationInterrupted) -> Arrangement {
    var stop: EvaluationInterrupted?
    let made = body { bytes in
      do throws(EvaluationInterrupted) { try poll.step(over: bytes) } catch { stop = error }
      return stop == nil
    }
    if let stop { throw stop }
    return made
  }

  /// The number of held rows, shown or not.
  var heldCount: Int { keys.count }

  /// Whether all rows of the order are held.
  var isComplete: Bool { boundary == nil }

  /// Whether fewer rows are held than the window shows, although the store may have more.
  var needsRefill: Bool { !isComplete && keys.count < window.end }

  /// The ranks of the shown rows.
  var shownRanks: Range<Int> { window.ranks(of: keys.count) }

  /// The number of shown rows.
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

  /// The position of the last held row.
  var lastPlace: Place? {
    guard keys.count > 0 else { return Place(sortKey: SortKey(prefix: 0), key: .min / 2 + 1) }
    let key = keys.key(at: keys.count - 1)
    return Place(sortKey: keys.sortKey(of: key), key: key)
  }

  /// Drops held rows after the first `count`, none of which may be shown; the arrangement is incomplete afterwards.
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

  /// The bytes of memory used.
  var bytesUsed: Int { keys.bytesUsed + (sections?.bytesUsed ?? 0) }

  /// Checks keys and sections against each other.
  func checkInvariants() throws {
    try keys.checkInvariants()
    try sections?.checkInvariants(rows: keys.count)
    if let boundary, let last = lastPlace {
      try BrokenInvariant.unless(!(boundary < last), "row \(last.key) is held beyond the boundary")
    }
  }
}
