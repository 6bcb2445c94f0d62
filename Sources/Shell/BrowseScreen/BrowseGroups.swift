internal import Modeling
internal import Terminal

/// The values that a column has, with how many objects have each, as lines to choose from.
struct BrowseGroups {
  /// The property whose values these are.
  let name: String
  let values: [(value: Value, count: Int)]
  private(set) var selected = 0
  private(set) var top = 0

  init(_ name: String, _ values: [(value: Value, count: Int)]) {
    self.name = name
    self.values = values
  }

  /// Moves to a line, or the nearest one there is.
  mutating func select(_ line: Int) { selected = min(max(line, 0), max(values.count - 1, 0)) }

  /// The lines that fit a window, after it was moved to show the selected one.
  mutating func visible(_ room: Int) -> Range<Int> {
    top = min(max(top, selected - room + 1), selected, max(values.count - room, 0))
    return top..<min(top + room, values.count)
  }

  var columns: [TabularColumn] {
    [TabularColumn(name), TabularColumn("count", alignment: .trailing)]
  }

  func row(_ index: Int, _ charset: Charset) -> [CellText] {
    [CellText(Cell(values[index].value), charset), CellText(.integer(Int64(values[index].count)), charset)]
  }
}
