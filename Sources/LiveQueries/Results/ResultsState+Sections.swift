internal import Modeling

extension ResultsState {
  /// The number of sections.
  var sectionCount: Int { arrangement.sectionCount }

  /// The identifier of a section, and the indices of its rows.
  func section(at place: Int) -> (id: Value, rows: Range<Int>) {
    guard let section = arrangement.section(at: place) else { return (.null, 0..<0) }
    return (section.id, section.range)
  }

  /// The index of the section with an ID.
  func sectionIndex(of id: Value) -> Int? { arrangement.sectionPlace(of: SectionIdentity.of(id).key) }

  /// The section of a row, and the row's index there.
  func indexPath(of index: Int) -> (section: Int, item: Int)? {
    guard let place = arrangement.sectionPlace(ofRowAt: index), let section = arrangement.section(at: place) else {
      return nil
    }
    return (place, index - section.range.lowerBound)
  }

  /// Compares everything with a fresh fetch; for tests.
  ///
  /// - Throws: BrokenInvariant.
  func checkInvariants() throws { try arrangement.checkInvariants() }
}

extension SectionIdentity {
  /// The section with an identifier; only the value distinguishes sections, not the order.
  static func of(_ id: Value) -> SectionIdentity {
    let encoder = SortKeyEncoder([SortKeyEncoder.Component(isAscending: true)])
    return SectionIdentity(key: encoder.encode([id]), id: id)
  }
}
