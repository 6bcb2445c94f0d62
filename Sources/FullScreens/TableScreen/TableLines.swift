/// The lines of live results on a screen: the headings of sections, and the rows of those that are not folded.
///
///     let rows = TableLines(sections: [2, 3], isFolded: { $0 == 0 })
///     rows.count            // 5: two headings and the rows 2, 3 and 4
///     rows.line(at: 2)      // .row(2)
struct TableLines {
  /// What stands on a line: the heading of a section or a row, counted from 0.
  enum Line: Equatable {
    case heading(Int)
    case row(Int)
  }

  /// How many lines there are.
  let count: Int
  /// For each section, the line of its heading and its first row.
  private let starts: [(line: Int, row: Int)]

  /// So many rows without sections.
  init(count: Int) {
    self.count = count
    starts = []
  }

  /// Sections of so many rows each.
  init(sections: some Sequence<Int>, isFolded: (Int) -> Bool) {
    var starts: [(line: Int, row: Int)] = []
    var (line, row) = (0, 0)
    for (section, count) in sections.enumerated() {
      starts.append((line, row))
      line += isFolded(section) ? 1 : 1 + count
      row += count
    }
    self.starts = starts
    count = line
  }

  /// What stands on a line, which there is.
  func line(at line: Int) -> Line {
    guard let section = lastStart(where: { $0.line <= line }) else { return .row(line) }
    let start = starts[section]
    return line == start.line ? .heading(section) : .row(start.row + line - start.line - 1)
  }

  /// The line of a row, or of the heading that it is folded under.
  func place(ofRow row: Int) -> Int {
    guard let section = lastStart(where: { $0.row <= row }) else { return row }
    let start = starts[section]
    let next = section + 1 < starts.count ? starts[section + 1].line : count
    return min(start.line + 1 + row - start.row, next - 1 == start.line ? start.line : .max)
  }

  /// The line of a section's heading.
  func place(ofSection section: Int) -> Int { starts.indices.contains(section) ? starts[section].line : 0 }

  /// The section that a line belongs to; nil without sections.
  func section(at line: Int) -> Int? { lastStart { $0.line <= line } }

  private func lastStart(where isBefore: ((line: Int, row: Int)) -> Bool) -> Int? {
    var (low, high) = (0, starts.count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(starts[middle]) { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? low - 1 : nil
  }
}
