import Modeling
import TestSupport
import Testing

@testable import LiveQueries

/// Random batches, held against an array that is sorted anew.
@Suite(.seeded) struct ArrangementFuzzTests {
  enum Sections: CaseIterable { case none, leading, monotone }

  @Test(arguments: 0..<90)
  func followingDifferencesGivesWhatIsShown(seed: Int) throws {
    var script = ArrangementScript(seed: seed, rows: 0...40, batch: 0...8)
    for _ in 0..<40 { try script.step() }
  }

  @Test(arguments: 0..<6)
  func followingDifferencesOfManyRowsGivesWhatIsShown(seed: Int) throws {
    var script = ArrangementScript(seed: seed, rows: 1500...2000, batch: 0...600)
    for _ in 0..<5 { try script.step() }
  }

  @Test(arguments: 0..<60)
  func differencesBetweenArrangementsAreFollowedAsWell(seed: Int) throws {
    var script = ArrangementScript(seed: seed, rows: 0...25, batch: 0...10)
    for _ in 0..<20 { try script.compare() }
  }
}

/// A random life of an arrangement.
struct ArrangementScript {
  var random: SplitMix
  var plain = PlainArrangement()
  var arrangement: Arrangement
  var nextKey: Int64 = 1
  var nextTemporary = Int64.min / 2
  let sections: ArrangementFuzzTests.Sections
  let sortKeys: Int
  let hasTails: Bool
  let batch: ClosedRange<Int>

  init(seed: Int, rows many: ClosedRange<Int>, batch: ClosedRange<Int>) {
    random = SplitMix(seed: seed + 1)
    self.batch = batch
    sections = ArrangementFuzzTests.Sections.allCases[seed % 3]
    sortKeys = [3, 12, 1000].randomElement(using: &random) ?? 3
    hasTails = Bool.random(using: &random)
    arrangement = Arrangement(ArrangedRows())
    plain.isSectioned = sections != .none
    let count = Int.random(in: many, using: &random)
    for _ in 0..<count { plain.rows.append(newRow()) }
    if Bool.random(using: &random) { plain.window = randomWindow(count) }
    arrangement = makeArrangement(isHead: Bool.random(using: &random))
  }

  private mutating func randomWindow(_ count: Int) -> Arrangement.Window {
    let limit = Int.random(in: 0...max(12, count / 2), using: &random)
    return .init(
      offset: Int.random(in: 0...max(6, count / 4), using: &random), limit: Bool.random(using: &random) ? limit : nil)
  }

  /// An arrangement of all rows, or of those at the beginning up to some behind the window.
  private mutating func makeArrangement(isHead: Bool) -> Arrangement {
    let sorted = plain.sorted
    let isHead = isHead && plain.window.limit != nil
    let held = isHead ? min(sorted.count, plain.window.end + Int.random(in: 0...5, using: &random)) : sorted.count
    let rows = ArrangedRows()
    for row in sorted[..<held].shuffled(using: &random) { rows.append(row) }
    return Arrangement(rows, isSectioned: plain.isSectioned, window: plain.window, isComplete: held == sorted.count)
  }

  private mutating func newRow() -> ArrangedRow {
    if Int.random(in: 0..<4, using: &random) == 0 {
      nextTemporary -= 1
      return row(nextTemporary)
    }
    nextKey += Int64.random(in: 1...3, using: &random)
    return row(nextKey)
  }

  /// The key at a random place. Sections lead the order or are tens of what leads it.
  mutating func row(_ key: Int64) -> ArrangedRow {
    let number = Int.random(in: 0..<sortKeys, using: &random)
    let section = SectionIdentity(key: SortKey(prefix: UInt64(number / 4)), id: .int(Int64(number / 4)))
    var bytes: [UInt8] = sections == .leading ? [UInt8(number / 4 % 256), 0] : []
    bytes += [UInt8(number / 256), UInt8(number % 256)]
    if hasTails {
      bytes += Array(repeating: 0, count: 8 - bytes.count)
      bytes += (0..<Int.random(in: 0...3, using: &random)).map { _ in UInt8.random(in: 0...3, using: &random) }
    }
    return ArrangedRow(key: key, sortKey: SortKey(bytes), section: sections == .none ? nil : section)
  }

  mutating func step() throws {
    let batch = randomBatch()
    let before = plain.shown
    let held = Dictionary(uniqueKeysWithValues: plain.rows.map { ($0.key, $0) })
    plain.apply(batch)
    let changesWindow = Int.random(in: 0..<10, using: &random) == 0
    if changesWindow { plain.rows = Array(held.values) }
    if changesWindow, plain.window.limit != nil { plain.window = randomWindow(plain.rows.count) }
    let more = Int.random(in: 0...4, using: &random)
    let sorted = plain.sorted
    func refill(_ held: Int) -> Arrangement.Refill {
      let end = min(sorted.count - more, plain.window.end) + more
      return .init(rows: Array(sorted[held..<max(held, end)]), isComplete: end == sorted.count)
    }
    let difference =
      changesWindow ? arrangement.show(plain.window, refill: refill) : arrangement.apply(batch, refill: refill)
    try arrangement.checkInvariants()
    #expect(!arrangement.needsRefill)
    var followed = before
    try followed.apply(difference)
    if !changesWindow { followed.rename(batch) }
    #expect(followed.withoutEmpty == plain.shown.withoutEmpty)
    #expect(ShownSections(arrangement).withoutEmpty == plain.shown.withoutEmpty)
    try expectTellsWhatHappened(difference, changesWindow ? [] : batch, before: before, held: held)
    if Int.random(in: 0..<6, using: &random) == 0 { arrangement.trim(to: arrangement.heldCount - 2) }
    try arrangement.checkInvariants()
  }

  /// Compares with an arrangement made anew.
  mutating func compare() throws {
    let batch = randomBatch()
    let before = plain.shown
    plain.apply(batch)
    if Bool.random(using: &random) { plain.window = randomWindow(plain.rows.count) }
    let next = makeArrangement(isHead: Bool.random(using: &random))
    let rekeyed = Dictionary(
      uniqueKeysWithValues: batch.compactMap { placement in
        placement.oldKey.flatMap { oldKey in placement.row.map { (oldKey, $0.key) } }
      })
    let updated = Set(batch.filter(\.isUpdated).compactMap { $0.row?.key })
    let difference = arrangement.difference(to: next, updated: updated, rekeyed: rekeyed)
    var followed = before
    try followed.apply(difference)
    followed.rename(batch)
    #expect(followed.withoutEmpty == plain.shown.withoutEmpty)
    let (old, new) = (before.indices, plain.shown.indices)
    for placement in batch {
      guard let row = placement.row, old[placement.oldKey ?? row.key] != nil, new[row.key] != nil else { continue }
      let told = (difference.updated + difference.moved).contains { $0.key == row.key }
      #expect(told || !placement.isUpdated)
    }
    arrangement = next
  }

  private mutating func randomBatch() -> [RowPlacement] {
    var keys = plain.rows.map(\.key).shuffled(using: &random)[...]
    return (0..<Int.random(in: batch, using: &random)).map { _ in
      let choice = Int.random(in: 0..<8, using: &random)
      guard let key = keys.popFirst(), choice > 1 else {
        return Bool.random(using: &random) ? .placed(newRow()) : .leaving(-5)
      }
      switch choice {
      case 2, 3: return .leaving(key)
      case 4:
        nextKey += 1
        return .placed(row(nextKey), oldKey: key, isUpdated: Bool.random(using: &random))
      case 5:
        let same = plain.rows.first { $0.key == key }
        return .placed(same ?? row(key), isUpdated: Bool.random(using: &random))
      default: return .placed(row(key), isUpdated: Bool.random(using: &random))
      }
    }
  }

  /// Each row is reported once at most; a row that changed and stayed in sight is reported as updated or moved, and no
  /// other is.
  private func expectTellsWhatHappened(
    _ difference: ArrangementDifference, _ batch: [RowPlacement], before: ShownSections, held: [Int64: ArrangedRow]
  ) throws {
    let all = difference.inserted + difference.deleted + difference.updated + difference.moved
    #expect(Set(all.map(\.oldKey)).count == all.count)
    let old = before.indices
    let new = plain.shown.indices
    for entry in all {
      #expect(entry.oldIndex == old[entry.oldKey]?.index && entry.index == new[entry.key]?.index, "\(entry)")
      guard sections != .none else { continue }
      #expect(entry.oldSection == old[entry.oldKey]?.section && entry.section == new[entry.key]?.section, "\(entry)")
    }
    let told = Set((difference.updated + difference.moved).map(\.key))
    for placement in batch {
      guard let row = placement.row, let former = held[placement.oldKey ?? row.key] else { continue }
      guard old[former.key] != nil, new[row.key] != nil else { continue }
      if placement.isUpdated || former.sortKey != row.sortKey { #expect(told.contains(row.key)) }
    }
    let changed = Set(batch.compactMap { $0.row?.key })
    #expect(told.isSubset(of: changed))
  }
}

extension ShownSections {
  /// The same without the section that stands for none.
  var withoutEmpty: ShownSections {
    var result = self
    result.sections.removeAll { $0.keys.isEmpty }
    return result
  }

  /// Where each key is shown.
  var indices: [Int64: (section: Int, index: Int)] {
    var result: [Int64: (section: Int, index: Int)] = [:]
    for (section, content) in sections.enumerated() {
      for (index, key) in content.keys.enumerated() { result[key] = (section, index) }
    }
    return result
  }
}
