internal import LiveQueries
internal import LuaRuntime
internal import Modeling

// Live results as Lua values.
extension Engine {
  /// The engine value of a live result, a section or a change at `index`; nil for other values.
  func liveValue(at index: Int32, on stack: LuaStack) -> EngineValue? {
    if let live = classes.object(BoundFetchedResults.self, at: index, on: stack) {
      return .live(live.results, sections: live.isSectioned ? live.sectionListing : nil)
    }
    if let section = classes.object(BoundSection.self, at: index, on: stack) {
      return .section(section.results.results, section.rows)
    }
    if let list = classes.object(BoundSections.self, at: index, on: stack) {
      return .live(list.results.results, sections: list.results.sectionListing)
    }
    if let values = classes.object(BoundFetchedValues.self, at: index, on: stack) { return .listing(values.listing) }
    if let change = classes.object(BoundChange.self, at: index, on: stack) { return .listing(change.listing) }
    return nil
  }
}

extension BoundFetchedResults {
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

extension BoundFetchedValues {
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
