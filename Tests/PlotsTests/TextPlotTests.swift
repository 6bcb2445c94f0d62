import Modeling
import Plots
import TestSupport
import Testing

/// A plot as text fits the columns it is given, with any content.
@Suite(.seeded) struct TextPlotTests {
  private func bars(_ values: [(Value, Double)], color: Bool = false) -> Plot {
    var description = PlotDescription(mark: .bar, x: "place", y: "sum(n)", aggregate: .sum)
    description.color = color ? "kind" : nil
    var builder = PlotBuilder(description, x: nil)
    for (index, value) in values.enumerated() {
      builder.add(x: value.0, y: .double(value.1), color: .string(index.isMultiple(of: 2) ? "even" : "odd"))
    }
    return builder.plot()
  }

  @Test func barsAreInEighthsAndNilHasItsOwn() {
    var text = TextPlot()
    text.width = 30
    let plot = bars([(.string("Chile"), 16), (.string("Japan"), 8.5), (.null, 1)])
    #expect(
      text.text(plot) == """
        sum(n) by place          n = 3
        Chile ███████████████████ 16
        Japan ██████████▏ 8.5
        nil   █▎ 1
        """, "\(text.text(plot))")
  }

  @Test func barsBelowZeroGoToTheOtherSide() {
    var text = TextPlot()
    (text.width, text.isASCII) = (24, true)
    let lines = text.text(bars([(.string("a"), 4), (.string("b"), -4)])).split(separator: "\n").dropFirst()
    let (up, down) = (lines.first ?? "", lines.last ?? "")
    #expect(up.filter { $0 == "#" }.count == down.filter { $0 == "#" }.count)
    #expect(up.prefix { $0 != "#" }.count > down.prefix { $0 != "#" }.count)
  }

  @Test func aLineRisesFromTheLowerLeftToTheUpperRight() {
    let description = PlotDescription(mark: .line, x: "x", y: "y", aggregate: nil)
    var builder = PlotBuilder(description, x: (.int(0), .int(10)), y: (.int(0), .int(10)))
    for number in 0...10 { builder.add(x: .int(Int64(number)), y: .int(Int64(number)), color: .null) }
    var text = TextPlot()
    (text.width, text.height, text.isASCII) = (24, 6, true)
    #expect(
      text.text(builder.plot()) == """
        y by x            n = 11
        10 +                 ***
           |               **
           |           ****
           |        ***
           |    ****
         0 +****
           ++------------------+
            0                 10
        """, "\(text.text(builder.plot()))")
  }

  @Test func aBoxHasWhiskersQuartilesAndMedian() {
    var builder = PlotBuilder(
      PlotDescription(mark: .box, x: "", y: "y", aggregate: nil), x: nil, y: (.int(0), .int(20)))
    for number in [0, 2, 4, 6, 8, 10, 20] { builder.add(x: .string(""), y: .int(Int64(number)), color: .null) }
    var text = TextPlot()
    (text.width, text.isASCII) = (24, true)
    #expect(
      text.text(builder.plot()) == """
        y                  n = 7
         |--===#===|         o 6
        ++-------------------+
         0                  20
        """, "\(text.text(builder.plot()))")
  }

  @Test func cellsAreDarkerTheMoreRowsTheyHave() {
    var description = PlotDescription(mark: .rect, x: "x", y: "y", aggregate: .count)
    description.color = "count"
    var builder = PlotBuilder(description, x: nil, y: nil)
    for (x, y, count) in [("a", "u", 8), ("b", "u", 1), ("a", "v", 3)] {
      for _ in 0..<count { builder.add(x: .string(x), y: .string(y), color: .null) }
    }
    builder.add(x: .string("a"), y: .null, color: .null)
    var text = TextPlot()
    (text.width, text.isASCII) = (60, true)
    let lines = text.text(builder.plot()).split(separator: "\n")
    #expect(lines.dropFirst().prefix(3) == ["u   |########........", "v   |++++++++", "nil |........"], "\(lines)")
  }
}
