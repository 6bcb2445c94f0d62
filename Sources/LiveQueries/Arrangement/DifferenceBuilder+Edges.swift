/// The effects of the window's edges and of the sections on the difference.
extension DifferenceBuilder {
  /// The untouched rows that were shown, numbered among the untouched rows.
  private var stayingBefore: Range<Int> {
    rows.staying(beforeOld: before.ranks.lowerBound)..<rows.staying(beforeOld: before.ranks.upperBound)
  }

  private var stayingAfter: Range<Int> {
    rows.staying(beforeNew: after.ranks.lowerBound)..<rows.staying(beforeNew: after.ranks.upperBound)
  }

  /// The untouched rows that are shown before and after: only these can be reported as crossed.
  var commonStaying: Range<Int> {
    let (before, after) = (stayingBefore, stayingAfter)
    let start = max(before.lowerBound, after.lowerBound)
    return start..<max(start, min(before.upperBound, after.upperBound))
  }

  func addCrossers(to difference: inout ArrangementDifference) {
    let leaving = stayingBefore.apart(from: stayingAfter)
    let coming = stayingAfter.apart(from: stayingBefore)
    guard !leaving.isEmpty || !coming.isEmpty else { return }
    let reported = Set(changes.filter { $0.stays && $0.isChanged }.compactMap(\.oldRank))
    for number in leaving {
      let rank = rows.old(ofStaying: number)
      if reported.contains(rank) { continue }
      let key = arrangement.keys.key(at: rows.new(ofStaying: number))
      var entry = ArrangementDifference.Entry(oldKey: key, key: key)
      let section = formerSection(ofStaying: number)
      entry.oldIndex = rank - max(section?.start ?? 0, before.ranks.lowerBound)
      entry.oldSection = section.map { $0.ordinal - before.sections.lowerBound }
      difference.deleted.append(entry)
    }
    for number in coming {
      let rank = rows.new(ofStaying: number)
      if reported.contains(rows.old(ofStaying: number)) { continue }
      let key = arrangement.keys.key(at: rank)
      var entry = ArrangementDifference.Entry(oldKey: key, key: key)
      let section = arrangement.sections?.locate(row: rank)
      entry.index = rank - max(section?.start ?? 0, after.ranks.lowerBound)
      entry.section = section.map { $0.ordinal - after.sections.lowerBound }
      difference.inserted.append(entry)
    }
  }

  /// The section of an untouched row before the batch, and the rank of its first row.
  private func formerSection(ofStaying number: Int) -> (ordinal: Int, start: Int)? {
    guard let section = arrangement.sections?.locate(row: rows.new(ofStaying: number)) else { return nil }
    let ordinal = sections.old(ofStaying: sections.staying(beforeNew: section.ordinal))
    let stayingBefore = rows.staying(beforeNew: section.start)
    return (ordinal, stayingBefore + formerSections.countBelow { $0 < ordinal })
  }

  func addSections(to difference: inout ArrangementDifference) {
    guard let index = arrangement.sections else { return }
    let (old, new) = (before.sections, after.sections)
    for (ordinal, section) in vanished where old.contains(ordinal) {
      difference.deletedSections.append(.init(index: ordinal - old.lowerBound, id: section.identity.id))
    }
    for ordinal in sections.inserted where new.contains(ordinal) {
      let id = index.identity(ordinal: ordinal).id
      difference.insertedSections.append(.init(index: ordinal - new.lowerBound, id: id))
    }
    let stayingOld = sections.staying(beforeOld: old.lowerBound)..<sections.staying(beforeOld: old.upperBound)
    let stayingNew = sections.staying(beforeNew: new.lowerBound)..<sections.staying(beforeNew: new.upperBound)
    for number in stayingOld.apart(from: stayingNew) {
      let id = index.identity(ordinal: sections.new(ofStaying: number)).id
      difference.deletedSections.append(.init(index: sections.old(ofStaying: number) - old.lowerBound, id: id))
    }
    for number in stayingNew.apart(from: stayingOld) {
      let ordinal = sections.new(ofStaying: number)
      let id = index.identity(ordinal: ordinal).id
      difference.insertedSections.append(.init(index: ordinal - new.lowerBound, id: id))
    }
    difference.insertedSections.sort { $0.index < $1.index }
    difference.deletedSections.sort { $0.index < $1.index }
  }
}

extension Range<Int> {
  /// The numbers that another range does not contain.
  func apart(from other: Range<Int>) -> [Int] {
    if isEmpty { return [] }
    if other.isEmpty || !overlaps(other) { return Array(self) }
    let below = lowerBound..<Swift.max(lowerBound, other.lowerBound)
    let above = Swift.min(upperBound, other.upperBound)..<upperBound
    return Array(below) + Array(above)
  }
}
