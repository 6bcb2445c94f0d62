internal import LiveQueries
internal import Modeling
internal import ObjectGraph

/// The lines of a table with sections: a heading for each section, and its rows unless it is folded.
///
/// Sections are looked up by their places, so that a window costs the same wherever it is: O(log n) and its lines. Each
/// exception, a section that is opened while the others are folded or the other way round, adds to that.
struct SectionLines {
  /// A line of the table.
  enum Line {
    case heading(FetchedSection, isFolded: Bool)
    /// A row, by its index in the results.
    case row(Int)
  }

  private let results: FetchedResults
  private let sections: FetchedSections
  private let areFolded: Bool
  /// The sections that are folded otherwise than the rest, by place, with the number of their rows.
  private let exceptions: [(place: Int, count: Int)]
  /// The number of lines.
  let count: Int

  init(_ results: FetchedResults, _ folding: SectionFolding) {
    self.results = results
    let sections = results.sections
    self.sections = sections
    areFolded = folding.areFolded
    let places = Set(folding.exceptions.compactMap(SectionFolding.value).compactMap { sections.index(of: $0) })
    exceptions = places.sorted().map { ($0, sections[$0].count) }
    let excepted = exceptions.reduce(0) { $0 + $1.count }
    count = sections.count + (areFolded ? excepted : results.count - excepted)
  }

  private func isFolded(_ place: Int) -> Bool { areFolded != exceptions.contains { $0.place == place } }

  /// The line of a section's heading.
  private func heading(of place: Int) -> Int {
    let excepted = exceptions.prefix { $0.place < place }.reduce(0) { $0 + $1.count }
    if areFolded { return place + excepted }
    return place + (place < sections.count ? sections[place].rows.lowerBound : results.count) - excepted
  }

  /// The section whose heading or row stands at a line.
  private func section(atLine line: Int) -> Int {
    var (low, high) = (0, sections.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if heading(of: middle) <= line { low = middle } else { high = middle }
    }
    return low
  }

  /// The lines of a range within `count`.
  func lines(in range: Range<Int>) -> [Line] {
    guard !range.isEmpty, !sections.isEmpty else { return [] }
    var place = section(atLine: range.lowerBound)
    var next = heading(of: place)
    var lines: [Line] = []
    while next < range.upperBound, place < sections.count {
      let (section, folded) = (sections[place], isFolded(place))
      if range.contains(next) { lines.append(.heading(section, isFolded: folded)) }
      next += 1
      if !folded {
        let shown = (next..<next + section.count).clamped(to: range)
        lines += shown.map { .row(section.rows.lowerBound + $0 - next) }
        next += section.count
      }
      place += 1
    }
    return lines
  }

  /// The line of a row; that of its section's heading if this is folded.
  func line(of object: ManagedObject) -> Int? {
    guard let (place, item) = results.indexPath(of: object) else { return nil }
    return heading(of: place) + (isFolded(place) ? 0 : item + 1)
  }
}
