import Modeling
import SQLite
import TestSupport
import Testing

@testable import SQLiteStorage

@Suite(.seeded) struct PlanNarratorTests {
  @Test func anyLineIsReadAndTold() throws {
    let words = [
      "SCAN", "SEARCH", "USING", "INDEX", "COVERING", "AUTOMATIC", "t0", "t1", "(a=?", "b>?)", "(", ")", "AND", "1",
      "MULTI-INDEX", "OR", "USE TEMP B-TREE FOR", "ORDER BY", "CORRELATED", "SUBQUERY", "SCALAR", "LIST", "LEFT-JOIN",
      "VIRTUAL TABLE INDEX", "BLOOM FILTER ON", "CO-ROUTINE", "é\u{301}", "", "PRIMARY KEY", "\u{0}", "👩‍🚀",
    ]
    let sample = try Sample()
    let quake = sample.entity("Quake")
    let roles = [
      "t0": AliasRole(entity: quake, table: "quake"),
      "t1": AliasRole(
        entity: sample.entity("Report"), table: "report", origin: ("t0", sample.index("Quake", "reports"))),
    ]
    var random = SplitMix(seed: 5)
    for _ in 0..<3000 {
      var rows: [(id: Int64, parent: Int64, detail: String)] = []
      for id in 1...Int64.random(in: 1...8, using: &random) {
        let line = (0..<Int.random(in: 0...7, using: &random)).map { _ in words.randomElement(using: &random)! }
        rows.append((id, Int64.random(in: -1...9, using: &random), line.joined(separator: " ")))
      }
      let lines = [PlanLine](rows: rows)
      #expect(lines.map(\.detail) == rows.map(\.detail))
      let narrator = PlanNarrator(lines: lines, roles: roles, layout: sample.store.layout)
      let told = narrator.words
      let silent = lines.filter { if case .branch = $0.step { true } else { false } }
      #expect(told.count == lines.count - silent.count)
      for (index, line) in lines.enumerated() {
        if case .other(let text) = line.step { #expect(text == rows[index].detail) }
      }
    }
  }
}
