import SourceChecking
import Testing

/// Places are counted in lines as editors and Lua count them.
@Suite struct SourceLinesTests {
  @Test(arguments: ["\n", "\r\n", "\r"])
  func aLineEndsWithAnyEndOfLine(end: String) {
    let text = "é😀 a\(end)\(end)b c"
    let lines = SourceLines(text)
    let last = text.utf8.count - 1
    #expect(lines.line(of: 7) == 1 && lines.line(of: last) == 3)
    #expect(lines.columns(of: 7..<last) == 7..<8)
    #expect(lines.columns(of: last..<last + 9) == 2..<3)
    #expect(lines.range(ofColumns: 0..<1, inLine: 3) == last - 2..<last - 1)
    #expect(lines.columnsInUTF16(7..<8, ofLine: 1) == 4..<5)
  }

  @Test func anEmptyTextHasOneLine() {
    let lines = SourceLines("")
    #expect(lines.line(of: 0) == 1)
    #expect(lines.columns(of: 0..<0) == 0..<0)
  }
}
