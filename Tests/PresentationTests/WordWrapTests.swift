import Testing

@testable import Presentation

@Suite struct WordWrapTests {
  @Test func wordsAreNotCut() {
    let text = "a note that is longer than its window\nand a short line"
    #expect(WordWrap.broken(text, in: 20) == "a note that is\n  longer than its\n  window\nand a short line")
    for width in 8...60 {
      let lines = WordWrap.broken(text, in: width).split(separator: "\n")
      #expect(lines.allSatisfy { $0.count <= width }, "\(width)")
      #expect(lines.joined(separator: " ").split(separator: " ") == text.split { " \n".contains($0) })
    }
  }

  @Test func theRestStandsBelowTheLastColumn() {
    #expect(
      WordWrap.broken("  .sql  run SQL; or show the SQL", in: 20) == "  .sql  run SQL; or\n        show the SQL")
    #expect(WordWrap.broken("          one two three", in: 18) == "          one two\n          three")
    #expect(WordWrap.broken("  note: one two three four", in: 16) == "  note: one two\n    three four")
  }

  @Test func coloursTakeNoRoomAndLongWordsStayWhole() {
    #expect(WordWrap.broken("\u{1B}[1mab\u{1B}[0m cd", in: 5) == "\u{1B}[1mab\u{1B}[0m cd")
    #expect(WordWrap.broken("abc aWordThatIsLonger cd", in: 8) == "abc\n  aWordThatIsLonger\n  cd")
    #expect(WordWrap.broken("", in: 8) == "" && WordWrap.broken("日本 日本 日本", in: 9) == "日本 日本\n  日本")
  }
}
