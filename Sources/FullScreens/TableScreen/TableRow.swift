internal import Modeling
internal import Presentation

/// A row of a table as it is drawn.
struct TableRow {
  /// Its index among all rows.
  var index: Int
  var cells: [CellText]
  /// What became of it.
  var mark: RowMark?
  /// The texts that its cells had before, by column.
  var formerTexts: [Int: String] = [:]
}

/// A line of a table as it is drawn: a row, or the heading of a section.
struct ShownLine {
  enum Content {
    case heading(id: Value, count: Int, isFolded: Bool)
    case row(TableRow)
  }

  /// The line's place among all lines.
  var place: Int
  var content: Content

  /// The row; nil for a heading.
  var row: TableRow? { if case .row(let row) = content { row } else { nil } }
}
