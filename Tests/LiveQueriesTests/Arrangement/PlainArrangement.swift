import Modeling

@testable import LiveQueries

/// What an arrangement should show, kept as plainly as can be: rows in an array that is sorted anew for each batch.
struct PlainArrangement {
  var rows: [ArrangedRow] = []
  var window = Arrangement.Window()
  var isSectioned = false

  /// The rows in order.
  var sorted: [ArrangedRow] {
    rows.sorted { left, right in
      Arrangement.Place(sortKey: left.sortKey, key: left.key)
        < Arrangement.Place(sortKey: right.sortKey, key: right.key)
    }
  }

  /// What is shown.
  var shown: ShownSections {
    let sorted = sorted
    let shown = sorted[window.ranks(of: sorted.count)]
    var result = ShownSections()
    for row in shown {
      let id = isSectioned ? row.section?.id ?? .null : .null
      if result.sections.last?.id != id || result.sections.isEmpty { result.sections.append((id, [])) }
      result.sections[result.sections.count - 1].keys.append(row.key)
    }
    if !isSectioned, result.sections.isEmpty { result.sections = [(.null, [])] }
    return result
  }

  /// Applies a batch with each row once.
  mutating func apply(_ placements: [RowPlacement]) {
    let gone = Set(placements.compactMap { $0.oldKey ?? $0.row?.key })
    rows.removeAll { gone.contains($0.key) }
    rows += placements.compactMap(\.row)
  }
}

/// Keys in sections; one section where there are none.
struct ShownSections: Equatable, CustomStringConvertible {
  var sections: [(id: Value, keys: [Int64])] = []

  var description: String {
    sections.map { "\($0.id.displayText): \($0.keys)" }.joined(separator: " | ")
  }

  static func == (left: ShownSections, right: ShownSections) -> Bool {
    left.sections.map(\.id) == right.sections.map(\.id) && left.sections.map(\.keys) == right.sections.map(\.keys)
  }

  /// What an arrangement shows.
  init(_ arrangement: Arrangement) {
    guard arrangement.sections != nil else {
      sections = [(.null, arrangement.keys(in: 0..<arrangement.count))]
      return
    }
    for place in 0..<arrangement.sectionCount {
      guard let section = arrangement.section(at: place) else { continue }
      sections.append((section.id, arrangement.keys(in: section.range)))
    }
  }

  init() {}

  /// Follows a difference as a table view does: deletes what left its place, the last first, and puts in what came.
  mutating func apply(_ difference: ArrangementDifference) throws {
    for entry in (difference.deleted + difference.moved).sorted(by: Self.isOldBefore).reversed() {
      let (section, index) = (entry.oldSection ?? 0, try entry.oldIndex.orBroken())
      try BrokenInvariant.unless(sections[section].keys[index] == entry.oldKey, "\(entry) is not at its old place")
      sections[section].keys.remove(at: index)
    }
    for section in difference.deletedSections.reversed() {
      try BrokenInvariant.unless(sections[section.index].keys.isEmpty, "section \(section) is not empty")
      try BrokenInvariant.unless(sections[section.index].id == section.id, "section \(section) is another")
      sections.remove(at: section.index)
    }
    for section in difference.insertedSections { sections.insert((section.id, []), at: section.index) }
    for entry in (difference.inserted + difference.moved).sorted(by: Self.isNewBefore) {
      sections[entry.section ?? 0].keys.insert(entry.key, at: try entry.index.orBroken())
    }
  }

  /// Gives rows their new key that got another one without a report.
  mutating func rename(_ batch: [RowPlacement]) {
    var keys: [Int64: Int64] = [:]
    for placement in batch {
      if let oldKey = placement.oldKey, let row = placement.row { keys[oldKey] = row.key }
    }
    for section in sections.indices { sections[section].keys = sections[section].keys.map { keys[$0] ?? $0 } }
  }

  private static func isOldBefore(_ left: ArrangementDifference.Entry, _ right: ArrangementDifference.Entry) -> Bool {
    (left.oldSection ?? 0, left.oldIndex ?? 0) < (right.oldSection ?? 0, right.oldIndex ?? 0)
  }

  private static func isNewBefore(_ left: ArrangementDifference.Entry, _ right: ArrangementDifference.Entry) -> Bool {
    (left.section ?? 0, left.index ?? 0) < (right.section ?? 0, right.index ?? 0)
  }
}

extension Int? {
  fileprivate func orBroken() throws -> Int {
    guard let self else { throw BrokenInvariant(description: "an index is missing") }
    return self
  }
}
