import Modeling
import TestSupport
import Testing

@testable import FullScreens
@testable import Presentation
@testable import Shell

@Suite(.seeded) struct SpreadOfValuesTests {
  private func lines(_ plot: SpreadOfValues, width: Int, _ charset: Charset = .utf8) -> [String] {
    plot.lines(width: width, Style(enabled: false), charset).map(\.text)
  }

  @Test func barsAreAsLongAsTheirCounts() {
    let plot = SpreadOfValues(bars: [
      SpreadOfValues.Bar(label: "a", count: 16), SpreadOfValues.Bar(label: "bb", count: 3),
      SpreadOfValues.Bar(label: "c", count: 0),
      SpreadOfValues.Bar(label: "nil", count: 1, isRest: true),
    ])
    #expect(lines(plot, width: 17) == ["a    ████████ 16", "bb   █▌ 3", "c    0", "nil  ▌ 1"])
    #expect(lines(plot, width: 17, .ascii) == ["a    ######## 16", "bb   ## 3", "c    0", "nil  # 1"])
  }

  @Test func barsNeverLeaveTheWindow() {
    let plot = SpreadOfValues(bars: [
      SpreadOfValues.Bar(label: String(repeating: "雪", count: 50), count: .max),
      SpreadOfValues.Bar(label: "\n", count: 1),
    ])
    for width in [10, 40, 41, 120] {
      for line in plot.lines(width: width, Style(enabled: true), .utf8) { #expect(line.width <= width) }
    }
  }
}
