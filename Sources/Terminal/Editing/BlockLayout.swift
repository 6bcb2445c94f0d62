internal import Presentation

/// The rows of a window that show a block with its prompts, and the place of the cursor in them.
///
///     quakes> for i = 1, 2 do
///          2>   print(i)
struct BlockLayout: Equatable {
  /// A row as it is written, with its colours, and the columns that it takes.
  struct Row: Equatable {
    var text = ""
    var width = 0
  }

  private(set) var rows: [Row] = []
  private(set) var cursor = (row: 0, column: 0)
  private let columns: Int

  /// A part of the block in a colour, in bytes of UTF-8.
  typealias Mark = (range: Range<Int>, role: Style.Role)

  static func == (left: BlockLayout, right: BlockLayout) -> Bool {
    left.rows == right.rows && left.cursor == right.cursor && left.columns == right.columns
  }

  /// Lays out `block`; `prompt` gives the prompt of each line, from 1. `marks` are in order and do not overlap; `hint` stands
  /// behind the end. Lines that `lines` has from the last time are not laid out again.
  init(
    _ block: [UInt8], point: Int, columns: Int, style: Style, marks: [Mark] = [], hint: String = "",
    lines: inout LaidOutLines, prompt: (Int) -> String
  ) {
    self.columns = max(columns, 2)
    lines.begin(columns: self.columns)
    var (start, number, firstMark) = (0, 1, 0)
    var hasCursor = false
    while true {
      let end = block[start...].firstIndex(of: UInt8(ascii: "\n")) ?? block.count
      while firstMark < marks.count, marks[firstMark].range.upperBound <= start { firstMark += 1 }
      var line = LaidOutLines.Line(bytes: block[start..<end], prompt: prompt(number))
      for mark in marks[firstMark...] {
        guard mark.range.lowerBound < end else { break }
        let own = max(mark.range.lowerBound, start) - start..<min(mark.range.upperBound, end) - start
        line.marks.append((own, mark.role))
      }
      let isLast = end == block.count
      let isAtCursor = !hasCursor && (point <= end || isLast)
      if isAtCursor || isLast && !hint.isEmpty {
        let layout = LineLayout(
          line, point: isAtCursor ? max(point - start, 0) : nil, columns: self.columns, style, hint: isLast ? hint : "")
        if let place = layout.cursor {
          cursor = (rows.count + place.row, place.column)
          hasCursor = true
        }
        rows += layout.rows
        lines.skip()
      } else {
        rows += lines.rows(of: line, style)
      }
      if isLast { return }
      (start, number) = (end + 1, number + 1)
    }
  }

  /// Lays out `block` with nothing known from before.
  init(
    _ block: [UInt8], point: Int, columns: Int, style: Style, marks: [Mark] = [], hint: String = "",
    prompt: (Int) -> String
  ) {
    var lines = LaidOutLines()
    self.init(
      block, point: point, columns: columns, style: style, marks: marks, hint: hint, lines: &lines, prompt: prompt)
  }
}
