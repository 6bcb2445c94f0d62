/// Compares two states of the shown rows.
struct ShownRowsComparison {
  private let former: Arrangement.ShownRows
  private let present: Arrangement.ShownRows
  /// The current keys of the rows in `former`.
  private let formerKeys: [Int64]
  /// The former index of each remaining section, by its new index; -1 for an inserted one.
  private var formerSections: [Int] = []
  private var result = ArrangementDifference()

  init(former: Arrangement.ShownRows, present: Arrangement.ShownRows, rekeyed: [Int64: Int64]) {
    self.former = former
    self.present = present
    formerKeys = rekeyed.isEmpty ? former.keys : former.keys.map { rekeyed[$0] ?? $0 }
  }

  /// Returns the difference.
  mutating func difference(updated: Set<Int64>) -> ArrangementDifference {
    compareSections()
    compareRows(updated)
    result.sort()
    return result
  }

  private mutating func compareSections() {
    var places: [SectionIdentity: Int] = [:]
    for (place, section) in former.sections.enumerated() { places[section] = place }
    let common = present.sections.enumerated().compactMap { place, section in
      places[section].map { (former: $0, present: place) }
    }
    formerSections = Array(repeating: -1, count: present.sections.count)
    var stayed = [Bool](repeating: false, count: former.sections.count)
    for place in longestAscending(common.map(\.former)) {
      formerSections[common[place].present] = common[place].former
      stayed[common[place].former] = true
    }
    for (place, section) in former.sections.enumerated() where !stayed[place] {
      result.deletedSections.append(.init(index: place, id: section.id))
    }
    for (place, section) in present.sections.enumerated() where formerSections[place] < 0 {
      result.insertedSections.append(.init(index: place, id: section.id))
    }
  }

  private mutating func compareRows(_ updated: Set<Int64>) {
    let (old, new) = differingRanges()
    for index in 0..<old.lowerBound { keep(index, index, updated) }
    for index in old.upperBound..<formerKeys.count { keep(index, index - old.upperBound + new.upperBound, updated) }
    var oldIndices = [Int64: Int](minimumCapacity: old.count)
    for index in old { oldIndices[formerKeys[index]] = index }
    var stays = [Bool](repeating: false, count: old.count)
    var common: [(old: Int, new: Int)] = []
    for index in new {
      guard let oldIndex = oldIndices[present.keys[index]] else {
        result.inserted.append(entry(old: nil, new: index))
        continue
      }
      stays[oldIndex - old.lowerBound] = true
      if isInSameSection(oldIndex, index) {
        common.append((oldIndex, index))
      } else {
        result.moved.append(entry(old: oldIndex, new: index))
      }
    }
    for index in old where !stays[index - old.lowerBound] { result.deleted.append(entry(old: index, new: nil)) }
    var kept = selection(of: common, updated)[...]
    for (place, pair) in common.enumerated() {
      if kept.first == place {
        kept.removeFirst()
        keep(pair.old, pair.new, updated)
      } else {
        result.moved.append(entry(old: pair.old, new: pair.new))
      }
    }
  }

  /// The indices of the rows that are reported as unmoved: as many as possible, and among such selections one with the
  /// fewest updated rows.
  private func selection(of common: [(old: Int, new: Int)], _ updated: Set<Int64>) -> [Int] {
    let numbers = common.map(\.old)
    let isChanged = updated.isEmpty ? [] : common.map { updated.contains(present.keys[$0.new]) }
    return isChanged.contains(true) ? longestAscending(numbers, avoiding: isChanged) : longestAscending(numbers)
  }

  /// The ranges between the common beginning and the common end.
  private func differingRanges() -> (old: Range<Int>, new: Range<Int>) {
    var (start, oldEnd, newEnd) = (0, formerKeys.count, present.keys.count)
    while start < min(oldEnd, newEnd), isSame(start, start) { start += 1 }
    while min(oldEnd, newEnd) > start, isSame(oldEnd - 1, newEnd - 1) { (oldEnd, newEnd) = (oldEnd - 1, newEnd - 1) }
    return (start..<oldEnd, start..<newEnd)
  }

  private func isSame(_ old: Int, _ new: Int) -> Bool {
    formerKeys[old] == present.keys[new] && isInSameSection(old, new)
  }

  private func isInSameSection(_ old: Int, _ new: Int) -> Bool {
    guard let section = present.section(of: new) else { return former.sectionPlaces.isEmpty }
    return formerSections[section] == former.section(of: old)
  }

  private mutating func keep(_ old: Int, _ new: Int, _ updated: Set<Int64>) {
    if updated.contains(present.keys[new]) { result.updated.append(entry(old: old, new: new)) }
  }

  private func entry(old: Int?, new: Int?) -> ArrangementDifference.Entry {
    let key = new.map { present.keys[$0] } ?? old.map { former.keys[$0] } ?? 0
    return ArrangementDifference.Entry(
      oldKey: old.map { former.keys[$0] } ?? key, key: key, oldIndex: old.map(former.indexInSection),
      index: new.map(present.indexInSection), oldSection: old.flatMap(former.section),
      section: new.flatMap(present.section))
  }
}
