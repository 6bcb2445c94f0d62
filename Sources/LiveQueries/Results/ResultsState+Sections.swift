internal import Modeling

extension ResultsState {
  /// How many sections are shown.
  var sectionCount: Int { arrangement.sectionCount }

  /// What a section's objects have in common, and where they stand.
  func section(at place: Int) -> (id: Value, rows: Range<Int>) {
    guard let section = arrangement.section(at: place) else { return (.null, 0..<0) }
    return (section.id, section.range)
  }

  /// The place of the section with an ID.
  func sectionIndex(of id: Value) -> Int? { arrangement.sectionPlace(of: SectionIdentity.of(id).key) }

  /// The section of a row, and its place there.
  func indexPath(of index: Int) -> (section: Int, item: Int)? {
    guard let place = arrangement.sectionPlace(ofRowAt: index), let section = arrangement.section(at: place) else {
      return nil
    }
    return (place, index - section.range.lowerBound)
  }

  /// Holds everything against a fresh fetch; for tests.
  ///
  /// - Throws: BrokenInvariant.
  func checkInvariants() throws { try arrangement.checkInvariants() }
}

extension SectionIdentity {
  /// The section of an identifier: told apart by the value alone, whatever the order.
  static func of(_ id: Value) -> SectionIdentity {
    let encoder = SortKeyEncoder([SortKeyEncoder.Component(isAscending: true)])
    return SectionIdentity(key: encoder.encode([id]), id: id)
  }
}
