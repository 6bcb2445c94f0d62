internal import Modeling

extension Arrangement {
  /// A shown section.
  struct ShownSection {
    /// Its identifier.
    var id: Value
    /// The indices of its rows.
    var range: Range<Int>
  }

  /// The ordinals of the shown sections among all sections.
  var shownSections: Range<Int> {
    let shown = shownRanks
    guard let sections, !shown.isEmpty else { return 0..<0 }
    if shown.count == keys.count { return 0..<sections.count }
    return sections.locate(row: shown.lowerBound).ordinal..<sections.locate(row: shown.upperBound - 1).ordinal + 1
  }

  /// The number of shown sections.
  var sectionCount: Int { shownSections.count }

  /// The section at an index below `sectionCount`; nil without sections.
  func section(at place: Int) -> ShownSection? {
    guard let sections else { return nil }
    let location = sections.locate(ordinal: shownSections.lowerBound + place)
    let shown = shownRanks
    let range = (location.start..<location.start + location.count).clamped(to: shown)
    return ShownSection(
      id: sections.identity(ordinal: location.ordinal).id,
      range: range.lowerBound - shown.lowerBound..<range.upperBound - shown.lowerBound)
  }

  /// The index of the shown section whose encoded identifier is `key`; nil if there is none.
  func sectionPlace(of key: SortKey) -> Int? {
    guard let ordinal = sections?.ordinal(of: key), shownSections.contains(ordinal) else { return nil }
    return ordinal - shownSections.lowerBound
  }

  /// The index of the section of the row at an index; nil without sections.
  func sectionPlace(ofRowAt index: Int) -> Int? {
    guard let ordinal = sections?.locate(row: shownRanks.lowerBound + index).ordinal else { return nil }
    return ordinal - shownSections.lowerBound
  }
}
