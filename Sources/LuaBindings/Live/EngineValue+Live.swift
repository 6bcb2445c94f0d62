internal import LiveQueries
internal import Modeling

// Live results in the engine's terms.
extension BoundFetchedResults {
  var display: EngineValue? { .live(results, sections: isSectioned ? sectionListing : nil) }

  /// The sections with their counts.
  fileprivate var sectionListing: Listing {
    let sections = results.sections
    return Listing(
      columns: [("section", sections.first?.id.isNumber == true), ("count", true)], count: sections.count,
      rowName: sections.count == 1 ? "section" : "sections"
    ) {
      [sections[$0].id, .int(Int64(sections[$0].count))]
    }
  }
}

extension BoundSections {
  var display: EngineValue? { .live(results.results, sections: results.sectionListing) }
}

extension BoundSection {
  var display: EngineValue? { .section(results.results, rows) }
}

extension BoundChange {
  var display: EngineValue? { .listing(listing) }
}

extension BoundFetchedValues {
  var display: EngineValue? { .listing(listing) }

  /// The rows for display and for programs.
  var listing: Listing {
    let isNumber = values.isEmpty ? values.columns.map { _ in false } : values[0].map(\.isNumber)
    return Listing(
      columns: Array(zip(values.columns, isNumber)), count: values.count, rowName: values.count == 1 ? "row" : "rows"
    ) { [values] in
      try values.row(at: $0)
    }
  }
}

extension Value {
  /// Whether it is a number, which is right-aligned.
  fileprivate var isNumber: Bool {
    switch self {
    case .int, .double, .decimal: true
    default: false
    }
  }
}
