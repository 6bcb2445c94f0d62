/// Computes the difference of the shown rows from an applied batch.
///
/// Untouched rows keep their order, so their old and new ranks follow from the removed and the inserted ranks.
/// Untouched rows that enter or leave the window do so at its edges.
struct DifferenceBuilder {
  /// The state before the batch.
  struct Shown {
    var ranks: Range<Int>
    var sections: Range<Int>

    /// Captures the current state of an arrangement.
    init(_ arrangement: Arrangement) {
      ranks = arrangement.shownRanks
      sections = arrangement.shownSections
    }
  }

  let arrangement: Arrangement
  var changes: ContiguousArray<ArrangementBatch.Change>
  let before: Shown
  let after: Shown
  let rows: RankShift
  var sections: RankShift
  /// The deleted sections with their old ordinals, ascending.
  var vanished: [(ordinal: Int, section: SectionIndex.Section)]
  /// The old ordinals of the removed rows' sections, ascending.
  var formerSections: [Int]

  init(
    changes: consuming ContiguousArray<ArrangementBatch.Change>, arrangement: Arrangement, before: Shown,
    swept: [SectionIndex.Section], firstNewSection: Int
  ) {
    self.arrangement = arrangement
    self.before = before
    self.changes = changes
    after = Shown(arrangement)
    (vanished, formerSections) = ([], [])
    sections = RankShift(removed: [], inserted: [])
    var (removed, inserted): ([Int], [Int]) = ([], [])
    removed.reserveCapacity(self.changes.count)
    inserted.reserveCapacity(self.changes.count)
    for place in self.changes.indices where !self.changes[place].stays {
      if let rank = self.changes[place].oldRank { removed.append(rank) }
      if let rank = self.changes[place].newRank { inserted.append(rank) }
    }
    removed.sort()
    inserted.sort()
    rows = RankShift(removed: removed, inserted: inserted)
    for place in self.changes.indices where self.changes[place].stays && self.changes[place].isChanged {
      if let rank = self.changes[place].oldRank {
        self.changes[place].newRank = rows.new(ofStaying: rows.staying(beforeOld: rank))
      }
    }
    if arrangement.sections != nil { compareSections(swept, firstNewSection) }
  }

  private mutating func compareSections(_ swept: [SectionIndex.Section], _ firstNewSection: Int) {
    let sweptByNumber = Dictionary(uniqueKeysWithValues: swept.map { ($0.number, $0) })
    var gone: [Int: SectionIndex.Section] = [:]
    var appeared: Set<Int> = []
    for place in changes.indices {
      if let old = changes[place].oldSection {
        if !changes[place].stays { formerSections.append(old.ordinal) }
        if let section = sweptByNumber[old.number] { gone[old.ordinal] = section }
      }
      if let rank = changes[place].newRank, let new = arrangement.sections?.locate(row: rank) {
        changes[place].newSection = new
        if new.number >= firstNewSection { appeared.insert(new.ordinal) }
      }
    }
    formerSections.sort()
    vanished = gone.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    sections = RankShift(removed: gone.keys.sorted(), inserted: appeared.sorted())
  }

  /// Returns the difference.
  mutating func difference() -> ArrangementDifference {
    var difference = ArrangementDifference()
    markKept()
    addChanges(to: &difference)
    addCrossers(to: &difference)
    addSections(to: &difference)
    difference.sort()
    return difference
  }

  private func addChanges(to difference: inout ArrangementDifference) {
    for place in changes.indices {
      let wasShown = changes[place].oldRank.map(before.ranks.contains) ?? false
      let isShown = changes[place].newRank.map(after.ranks.contains) ?? false
      guard wasShown || isShown else { continue }
      let entry = entry(place, wasShown: wasShown, isShown: isShown)
      if !wasShown {
        difference.inserted.append(entry)
      } else if !isShown {
        if !changes[place].stays || changes[place].isChanged { difference.deleted.append(entry) }
      } else if !changes[place].isKept {
        difference.moved.append(entry)
      } else if changes[place].isChanged {
        difference.updated.append(entry)
      }
    }
  }

  private func entry(_ place: Int, wasShown: Bool, isShown: Bool) -> ArrangementDifference.Entry {
    var entry = ArrangementDifference.Entry(oldKey: changes[place].oldKey, key: changes[place].key)
    if wasShown, let rank = changes[place].oldRank {
      let section = changes[place].oldSection
      entry.oldIndex = rank - max(section?.start ?? 0, before.ranks.lowerBound)
      entry.oldSection = section.map { $0.ordinal - before.sections.lowerBound }
    }
    if isShown, let rank = changes[place].newRank {
      let section = changes[place].newSection
      entry.index = rank - max(section?.start ?? 0, after.ranks.lowerBound)
      entry.section = section.map { $0.ordinal - after.sections.lowerBound }
    }
    return entry
  }

  /// Marks the changes whose rows crossed no untouched row and stayed in their section: as many of them as kept their
  /// order among themselves.
  private mutating func markKept() {
    var candidates: [(place: Int, oldRank: Int, newRank: Int)] = []
    let common = commonStaying
    for place in changes.indices {
      guard let oldRank = changes[place].oldRank, let newRank = changes[place].newRank else { continue }
      if changes[place].stays {
        changes[place].isKept = true
        continue
      }
      guard before.ranks.contains(oldRank), after.ranks.contains(newRank) else { continue }
      guard changes[place].oldSection?.number == changes[place].newSection?.number else { continue }
      let gap = rows.staying(beforeOld: oldRank).clamped(to: common)
      if gap == rows.staying(beforeNew: newRank).clamped(to: common) { candidates.append((place, oldRank, newRank)) }
    }
    candidates.sort { $0.oldRank < $1.oldRank }
    for place in longestAscending(candidates.map(\.newRank)) { changes[candidates[place].place].isKept = true }
  }
}

extension Int {
  /// The nearest number within the range, whose end is included.
  fileprivate func clamped(to range: Range<Int>) -> Int {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}
