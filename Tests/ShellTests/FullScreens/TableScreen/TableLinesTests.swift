import TestSupport
import Testing

@testable import FullScreens

@Suite(.seeded) struct TableLinesTests {
  @Test func withoutSectionsALineIsARow() {
    let rows = TableLines(count: 3)
    #expect(rows.count == 3)
    #expect((0..<3).map { rows.line(at: $0) } == [.row(0), .row(1), .row(2)])
    #expect(rows.place(ofRow: 2) == 2)
    #expect(rows.section(at: 1) == nil)
  }

  @Test func headingsAndRowsStandAsInAPlainList() {
    var random = SplitMix(seed: 1)
    for _ in 0..<300 {
      let sections = (0..<Int.random(in: 1...6, using: &random)).map { _ in Int.random(in: 1...4, using: &random) }
      let folded = Set(sections.indices.filter { _ in Bool.random(using: &random) })
      let rows = TableLines(sections: sections, isFolded: folded.contains)
      var plain: [TableLines.Line] = []
      var placeOfRow: [Int] = []
      var sectionOfLine: [Int] = []
      for (section, count) in sections.enumerated() {
        #expect(rows.place(ofSection: section) == plain.count)
        let heading = plain.count
        plain.append(.heading(section))
        for _ in 0..<count {
          placeOfRow.append(folded.contains(section) ? heading : plain.count)
          if !folded.contains(section) { plain.append(.row(placeOfRow.count - 1)) }
        }
        while sectionOfLine.count < plain.count { sectionOfLine.append(section) }
      }
      #expect(rows.count == plain.count)
      #expect(plain.indices.map { rows.line(at: $0) } == plain, "\(sections) \(folded)")
      #expect(placeOfRow.indices.map { rows.place(ofRow: $0) } == placeOfRow, "\(sections) \(folded)")
      #expect(plain.indices.map { rows.section(at: $0) } == sectionOfLine)
    }
  }
}
