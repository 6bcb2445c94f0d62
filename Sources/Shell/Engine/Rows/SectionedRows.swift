internal import LiveQueries
internal import Modeling
internal import Terminal

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
      heading = "\(next.id.isNull ? "nil" : next.id.displayText) \(dot) \(Quantity.grouped(left))"
    }
    left -= 1
    return row
  }

  func totalCount() -> Int? { rows.totalCount() }
}
