internal import LiveQueries
internal import Modeling
internal import Presentation

/// The objects of sections as rows, each section under a heading: `Chile · 2`.
final class SectionedRows: TabularSource {
  let columns: [TabularColumn]
  let rowName: String?
  private(set) var heading: String?
  private let rows: ObjectRows
  private let sections: FetchedSections
  private let dot: String
  private var section = -1
  /// How many rows of the section are still to come.
  private var left = 0

  /// The rows of results with sections, which `rows` gives one after another.
  init(_ results: FetchedResults, _ rows: ObjectRows, _ charset: Charset) {
    self.rows = rows
    columns = rows.columns
    rowName = rows.rowName
    sections = results.sections
    dot = charset.dot
  }

  func next() throws -> [Cell]? {
    heading = nil
    guard let row = try rows.next() else { return nil }
    while left == 0, section + 1 < sections.count {
      section += 1
      let next = sections[section]
      left = next.count
      heading = title(next)
    }
    left -= 1
    return row
  }

  private func title(_ section: FetchedSection) -> String {
    "\(section.id.isNull ? "nil" : section.id.displayText) \(dot) \(Quantity.grouped(section.count))"
  }

  func totalCount() -> Int? { rows.totalCount() }

  func lastRows(_ count: Int) throws -> [[Cell]]? { try rows.lastRows(count) }

  /// The sections that begin among the last rows, and the one that the first of them is in.
  func lastHeadings(_ count: Int) -> [Int: String] {
    var headings: [Int: String] = [:]
    var place = count
    for number in sections.indices.reversed() where place > 0 && sections[number].count > 0 {
      place -= sections[number].count
      headings[max(place, 0)] = title(sections[number])
    }
    return headings
  }
}
