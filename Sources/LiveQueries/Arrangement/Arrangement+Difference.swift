extension Arrangement {
  /// Returns the difference from this arrangement's shown rows to those of another, for results that were fetched
  /// again.
  ///
  /// Of the rows in both, a longest subsequence in the same order stays; the others moved. `updated` are the keys of
  /// rows with other values, `rekeyed` the new keys of rows that were unsaved.
  func difference(
    to next: Arrangement, updated: Set<Int64> = [], rekeyed: [Int64: Int64] = [:]
  ) -> ArrangementDifference {
    let former = ShownRows(self)
    let present = ShownRows(next)
    var comparison = ShownRowsComparison(former: former, present: present, rekeyed: rekeyed)
    return comparison.difference(updated: updated)
  }

  /// The shown rows, each with its section, and the sections.
  struct ShownRows {
    var keys: [Int64] = []
    /// The index of each row's section among the shown ones; empty without sections.
    var sectionPlaces: [Int] = []
    /// The index of each section's first row.
    var starts: [Int] = []
    var sections: [SectionIdentity] = []

    init(_ arrangement: Arrangement) {
      keys = arrangement.keys(in: 0..<arrangement.count)
      guard let index = arrangement.sections else { return }
      let shown = arrangement.shownRanks
      for ordinal in arrangement.shownSections {
        let location = index.locate(ordinal: ordinal)
        let rows = (location.start..<location.start + location.count).clamped(to: shown)
        sectionPlaces += repeatElement(sections.count, count: rows.count)
        starts.append(rows.lowerBound - shown.lowerBound)
        sections.append(index.identity(ordinal: ordinal))
      }
    }

    func section(of index: Int) -> Int? { sectionPlaces.isEmpty ? nil : sectionPlaces[index] }

    func indexInSection(_ index: Int) -> Int { sectionPlaces.isEmpty ? index : index - starts[sectionPlaces[index]] }
  }
}
