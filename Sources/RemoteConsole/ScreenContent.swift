internal import Modeling

/// The lines of a full screen, and where its cursor is.
package struct ScreenContent: Equatable, Sendable {
  package struct Line: Equatable, Sendable {
    /// With its colours.
    package var text: String
    /// The columns that it takes.
    package var width: Int

    package init(_ text: String, width: Int) { (self.text, self.width) = (text, width) }
  }

  package var lines: [Line]
  /// Nil hides the cursor.
  package var cursor: (row: Int, column: Int)?

  package init(_ lines: [Line], cursor: (row: Int, column: Int)?) { (self.lines, self.cursor) = (lines, cursor) }

  package static func == (one: ScreenContent, other: ScreenContent) -> Bool {
    one.lines == other.lines && one.cursor?.row == other.cursor?.row && one.cursor?.column == other.cursor?.column
  }

  /// Reads the members of a message; lines that are none are empty.
  init(_ fields: Fields) {
    lines = fields.list("lines").map { line in
      guard case .array(let parts) = line, parts.count == 2, case .string(let text) = parts[0],
        case .int(let width) = parts[1]
      else { return Line("", width: 0) }
      return Line(text, width: Int(clamping: max(width, 0)))
    }
    if let row = fields.integer("row"), let column = fields.integer("column"), row >= 0, column >= 0 {
      cursor = (Int(clamping: row), Int(clamping: column))
    }
  }

  var members: [String: JSON] {
    var members: [String: JSON] = ["lines": .array(lines.map { .array([.string($0.text), .int(Int64($0.width))]) })]
    if let cursor { (members["row"], members["column"]) = (.int(Int64(cursor.row)), .int(Int64(cursor.column))) }
    return members
  }
}
