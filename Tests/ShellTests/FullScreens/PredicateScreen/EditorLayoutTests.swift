import Testing

@testable import FullScreens

@Suite struct EditorLayoutTests {
  private func text(_ layout: EditorLayout) -> [String] { layout.lines.map { $0.map(\.text).joined() } }
  private func marked(_ layout: EditorLayout) -> String {
    layout.lines.flatMap(\.self).filter(\.isMarked).map(\.text).joined()
  }

  @Test func aLongLineGoesOnBelow() {
    var editor = PredicateEditor("abcdefghij")
    let layout = EditorLayout(editor, marks: [], width: 4, .utf8)
    #expect(text(layout) == ["abcd", "efgh", "ij"])
    #expect(layout.cursor == (2, 2))
    editor.moveToStart()
    #expect(EditorLayout(editor, marks: [], width: 4, .utf8).cursor == (0, 0))
  }

  @Test func theCursorBehindAFullLineIsOnTheNext() {
    let layout = EditorLayout(PredicateEditor("abcd"), marks: [], width: 4, .utf8)
    #expect(layout.cursor == (1, 0))
    #expect(layout.lines.count == 2)
  }

  @Test func aWideCharacterIsNotCut() {
    let layout = EditorLayout(PredicateEditor("abc雪d"), marks: [], width: 4, .utf8)
    #expect(text(layout) == ["abc", "雪d"])
    #expect(layout.cursor == (1, 3))
  }

  @Test func marksAreBytesOfTheText() {
    let layout = EditorLayout(PredicateEditor("é magn > 5"), marks: [3..<7], width: 40, .utf8)
    #expect(marked(layout) == "magn")
    #expect(layout.mark?.columns == 2..<6)
  }

  @Test func anEmptyMarkMarksAPlace() {
    #expect(marked(EditorLayout(PredicateEditor("a > 5"), marks: [2..<2], width: 40, .utf8)) == ">")
    let end = EditorLayout(PredicateEditor("a >"), marks: [3..<3], width: 40, .utf8)
    #expect(marked(end) == " ")
    #expect(end.cursor == (0, 3))
  }

  @Test func theWindowHoldsTheCursor() {
    var editor = PredicateEditor(String(repeating: "x", count: 35))
    #expect(EditorLayout(editor, marks: [], width: 10, .utf8).visible(2) == 2..<4)
    editor.moveToStart()
    #expect(EditorLayout(editor, marks: [], width: 10, .utf8).visible(2) == 0..<2)
  }
}
