internal import Presentation

/// The lines of a block as they were laid out the last time: a key changes one of them, most stay as they are.
struct LaidOutLines {
  /// A piece of a line.
  struct Line {
    var bytes: ArraySlice<UInt8>
    var prompt: String
    /// Its colours, from its first byte.
    var marks: [BlockLayout.Mark] = []

    static func isSame(_ one: Line, _ other: Line) -> Bool {
      one.bytes == other.bytes && one.prompt == other.prompt && one.marks.elementsEqual(other.marks, by: ==)
    }
  }

  /// The lines by their numbers; nil for the one that had the cursor.
  private var known: [(line: Line, rows: [BlockLayout.Row])?] = []
  private var columns = 0
  private var number = 0

  /// Begins with the first line.
  mutating func begin(columns: Int) {
    if columns != self.columns { known = [] }
    self.columns = columns
    number = 0
  }

  /// Goes on to the next line, as this one was laid out for the cursor.
  mutating func skip() { keep(nil) }

  /// The rows of the next line.
  mutating func rows(of line: Line, _ style: Style) -> [BlockLayout.Row] {
    if number < known.count, let former = known[number], Line.isSame(former.line, line) {
      number += 1
      return former.rows
    }
    let rows = LineLayout(line, point: nil, columns: columns, style, hint: "").rows
    keep((Line(bytes: ArraySlice(Array(line.bytes)), prompt: line.prompt, marks: line.marks), rows))
    return rows
  }

  private mutating func keep(_ line: (line: Line, rows: [BlockLayout.Row])?) {
    if number < known.count { known[number] = line } else { known.append(line) }
    number += 1
  }
}
