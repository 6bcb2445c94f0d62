internal import Presentation

/// How the line of an editor is laid out below one another where it is too long for the window.
struct EditorLayout {
  /// A character as it is shown.
  struct Piece: Equatable {
    var text: String
    var width: Int
    var isMarked: Bool
  }

  private(set) var lines: [[Piece]] = [[]]
  /// The position of the cursor: a line, and a column after the margin.
  private(set) var cursor = (line: 0, column: 0)
  /// The position of the first marked character.
  private(set) var mark: (line: Int, columns: Range<Int>)?

  /// Lays out the line of `editor` in lines of `width` columns, `marks` (in bytes of UTF-8) marked.
  ///
  /// A mark that is empty, or behind the end, marks the place behind the last character.
  init(_ editor: PredicateEditor, marks: [Range<Int>], width: Int, _ charset: Charset) {
    var layout = Builder(width: max(width, 2))
    var byte = 0
    for (index, character) in editor.characters.enumerated() {
      if index == editor.cursor { layout.placeCursor(before: character, charset) }
      let isMarked = marks.contains { $0.contains(byte) || ($0.isEmpty && $0.lowerBound == byte) }
      layout.append(character, isMarked, charset)
      byte += character.utf8.count
    }
    if editor.cursor == editor.characters.count { layout.placeCursor(before: " ", charset) }
    if marks.contains(where: { $0.lowerBound >= byte }) { layout.append(" ", true, charset) }
    (lines, cursor, mark) = (layout.lines, layout.cursor, layout.mark)
  }

  /// The lines of a window of `height` lines that holds the cursor.
  func visible(_ height: Int) -> Range<Int> {
    let first = min(max(cursor.line - height + 1, 0), max(lines.count - height, 0))
    return first..<min(first + height, lines.count)
  }

  private struct Builder {
    let width: Int
    var lines: [[Piece]] = [[]]
    var column = 0
    var cursor = (line: 0, column: 0)
    var mark: (line: Int, columns: Range<Int>)?

    mutating func append(_ character: Character, _ isMarked: Bool, _ charset: Charset) {
      let shown = DisplayText(String(character), in: width, charset)
      wrap(shown.width)
      if isMarked { noteMark(shown.width) }
      lines[lines.count - 1].append(Piece(text: shown.text, width: shown.width, isMarked: isMarked))
      column += shown.width
    }

    mutating func placeCursor(before character: Character, _ charset: Charset) {
      wrap(DisplayText(String(character), in: width, charset).width)
      cursor = (lines.count - 1, column)
    }

    private mutating func wrap(_ needed: Int) {
      guard column + needed > width, column > 0 else { return }
      lines.append([])
      column = 0
    }

    private mutating func noteMark(_ width: Int) {
      guard let known = mark else {
        mark = (lines.count - 1, column..<column + max(width, 1))
        return
      }
      if known.line == lines.count - 1, known.columns.upperBound == column {
        mark = (known.line, known.columns.lowerBound..<column + width)
      }
    }
  }
}
