import TestSupport
import Testing

@testable import FullScreens

@Suite(.seeded) struct PredicateEditorTests {
  @Test func textIsPutInAtTheCursor() {
    var editor = PredicateEditor("place == x")
    editor.moveToStart()
    editor.insert("NOT ")
    #expect(editor.text == "NOT place == x")
    #expect(editor.cursor == 4)
    #expect(editor.byteOffset == 4)
  }

  @Test func lineBreaksBecomeBlanksAndControlCharactersAreDropped() {
    var editor = PredicateEditor()
    editor.insert("a\r\nb\nc\td\u{1B}[e\u{7F}\u{9B}")
    #expect(editor.text == "a b c d[e")
  }

  @Test func aCombiningMarkJoinsTheCharacterBeforeTheCursor() {
    var editor = PredicateEditor("ex")
    editor.moveLeft()
    editor.insert("\u{301}")
    #expect(editor.text == "e\u{301}x")
    #expect(editor.cursor == 1)
    editor.deleteBackward()
    #expect(editor.text == "x")
  }

  @Test func charactersAreDeletedAndPassedWhole() {
    var editor = PredicateEditor("a👩🏽‍🚀b")
    editor.moveLeft()
    editor.moveLeft()
    #expect(editor.byteOffset == 1)
    editor.deleteForward()
    #expect(editor.text == "ab")
  }

  @Test func wordsArePassedAndCut() {
    var editor = PredicateEditor("reports.text == \"very long\"")
    editor.moveWordLeft()
    #expect(editor.cursor == 22)
    editor.moveWordLeft()
    editor.moveWordLeft()
    #expect(editor.cursor == 8)
    editor.moveWordRight()
    #expect(editor.cursor == 12)
    editor.cutWordBackward()
    #expect(editor.text == "reports. == \"very long\"")
    editor.moveToEnd()
    editor.cutBlankWordBackward()
    #expect(editor.text == "reports. == \"very ")
  }

  @Test func whatIsCutInOneGoIsPastedAsOne() {
    var editor = PredicateEditor("one two three")
    editor.cutBlankWordBackward()
    editor.cutBlankWordBackward()
    #expect(editor.text == "one ")
    editor.moveToStart()
    editor.paste()
    #expect(editor.text == "two threeone ")
    editor.cutToEnd()
    #expect(editor.text == "two three")
    editor.cutToStart()
    #expect(editor.text == "")
    editor.paste()
    #expect(editor.text == "two threeone ")
  }

  @Test func undoTakesBackAWordOrACut() {
    var editor = PredicateEditor()
    for character in "magnitude > 5" { editor.insert(String(character)) }
    editor.undo()
    #expect(editor.text == "magnitude > ")
    editor.cutToStart()
    editor.undo()
    #expect(editor.text == "magnitude > ")
    #expect(editor.cursor == 12)
    while editor.undo() {}
    #expect(editor.text == "")
  }

  @Test func deletingInOneGoIsTakenBackAtOnce() {
    var editor = PredicateEditor("abc")
    editor.deleteBackward()
    editor.deleteBackward()
    editor.undo()
    #expect(editor.text == "abc")
  }

  @Test func aReplacementTakesThePlaceOfTheBytesBeforeTheCursor() {
    var editor = PredicateEditor("é == ma > 1")
    for _ in 0..<4 { editor.moveLeft() }
    editor.replace(from: 6, with: "magnitude")
    #expect(editor.text == "é == magnitude > 1")
    #expect(editor.byteOffset == 15)
    editor.undo()
    #expect(editor.text == "é == ma > 1")
  }

  @Test func fuzzedEditsKeepTheCursorWithinAndCanAllBeTakenBack() {
    var random = SplitMix(seed: 1)
    let pieces = ["a", " ", "雪", "\u{301}", "🇨", "🇱", "\u{200D}", "👩", "_", "\"", "long text"]
    let edits: [(inout PredicateEditor) -> Void] = [
      { $0.deleteBackward() }, { $0.deleteForward() }, { $0.cutToEnd() }, { $0.cutToStart() },
      { $0.cutBlankWordBackward() }, { $0.cutWordForward() }, { $0.paste() }, { $0.moveLeft() }, { $0.moveRight() },
      { $0.moveWordLeft() }, { $0.moveWordRight() }, { $0.moveToStart() }, { $0.moveToEnd() }, { $0.undo() },
    ]
    for _ in 0..<200 {
      var editor = PredicateEditor()
      for _ in 0..<60 {
        if Bool.random(using: &random) {
          editor.insert(pieces.randomElement(using: &random)!)
        } else {
          edits.randomElement(using: &random)!(&editor)
        }
        #expect((0...editor.characters.count).contains(editor.cursor))
        // What is shown is what is sent: the same characters, read again.
        #expect(Array(editor.text) == editor.characters)
      }
      while editor.undo() {}
      #expect(editor.text == "")
    }
  }
}
