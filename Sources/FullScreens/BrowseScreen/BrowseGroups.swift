internal import Modeling
internal import ObjectGraph
internal import Presentation

/// Lines to choose from, with how many objects each leads to: the values of a column, or who points at an object.
struct BrowseGroups {
  /// What the lines are of, by which they are counted again.
  enum Subject {
    /// The values of the property at an index.
    case values(Int)
    /// The objects that refer to an object.
    case references(ManagedObject)
  }

  let subject: Subject
  /// What the lines are: the name of the property, `references`.
  let name: String
  let lines: [(cell: Cell, count: Int)]
  private(set) var selected = 0
  private(set) var top = 0
  private let destination: (Int) -> BrowseStep

  /// - Parameter destination: Returns where a line leads to.
  init(
    _ subject: Subject, _ name: String, _ lines: [(cell: Cell, count: Int)],
    destination: @escaping (Int) -> BrowseStep
  ) {
    self.subject = subject
    self.name = name
    self.lines = lines
    self.destination = destination
  }

  /// The target of the selected line; nil if there is none.
  var selectedStep: BrowseStep? { lines.indices.contains(selected) ? destination(selected) : nil }

  /// Moves to a line, or the nearest one there is.
  mutating func select(_ line: Int) { selected = min(max(line, 0), max(lines.count - 1, 0)) }

  /// Moves to the line that is selected in `former`, if it is there.
  mutating func follow(_ former: BrowseGroups) {
    top = former.top
    let isKnown = former.lines.indices.contains(former.selected)
    let line = isKnown ? lines.firstIndex { $0.cell == former.lines[former.selected].cell } : nil
    select(line ?? former.selected)
  }

  /// The lines that fit a window, after it was moved to show the selected one.
  mutating func visible(_ room: Int) -> Range<Int> {
    top = min(max(top, selected - room + 1), selected, max(lines.count - room, 0))
    return top..<min(top + room, lines.count)
  }

  var columns: [TabularColumn] {
    [TabularColumn(name), TabularColumn("count", alignment: .trailing)]
  }

  func row(_ index: Int, _ charset: Charset) -> [CellText] {
    [CellText(lines[index].cell, charset), CellText(.integer(Int64(lines[index].count)), charset)]
  }
}
