import Modeling
import TestSupport
import Testing

@testable import Plots

/// A plot as a picture shows what the plot says, in a document that every program can read.
@Suite(.seeded) struct SVGPlotTests {
  @Test func everyPictureIsWellFormedAndTheSameTwice() {
    var numbers = SplitMix(seed: 7)
    for _ in 0..<300 {
      let plot = RandomPlot.make(&numbers)
      let text = SVGPlot().text(plot)
      #expect(fault(in: text) == nil, "\(fault(in: text) ?? "") \(text)")
      #expect(text == SVGPlot().text(plot))
      #expect(!text.contains("NaN") && !text.contains("inf\""))
    }
  }

  @Test func nothingIsDrawnOutsideThePicture() throws {
    var numbers = SplitMix(seed: 7)
    for _ in 0..<300 {
      var picture = SVGPlot()
      picture.width = numbers.pick([160, 400, 1_000])
      picture.height = numbers.pick([nil, 60, 500])
      let text = picture.text(RandomPlot.make(&numbers))
      let height = try #require(text.firstMatch(of: /viewBox="0 0 [0-9]+ ([0-9.]+)"/)).output.1
      for match in text.matches(of: /<rect class="[^g][^"]*" x="([^"]*)" y="([^"]*)" width="([^"]*)" height="([^"]*)"/)
      {
        let (x, y) = (try #require(Double(match.output.1)), try #require(Double(match.output.2)))
        let (w, h) = (try #require(Double(match.output.3)), try #require(Double(match.output.4)))
        #expect(x >= 0 && y >= 0 && w >= 0 && h >= 0, "\(match.output.0)")
        #expect(x + w <= Double(picture.width) + 0.1, "\(match.output.0)")
        #expect(y + h <= Double(height)! + 0.1, "\(match.output.0)")
      }
    }
  }

  @Test func barsAreAsLongAsTheirValues() throws {
    for isCategory in [false, true] {
      var builder = PlotBuilder(
        PlotDescription(mark: .bar, x: "x", y: "sum(y)", aggregate: .sum),
        x: isCategory ? nil : (.int(0), .int(4)))
      for number in 0..<5 {
        builder.add(
          x: isCategory ? .string("\(number)") : .int(Int64(number)), y: .int(Int64(number * 10 - 20)), color: .null)
      }
      builder.add(x: .null, y: .int(15), color: .null)
      let text = SVGPlot().text(builder.plot())
      let bars = text.matches(
        of: /<rect class="(fill s0|rest)"[^>]* width="([^"]*)" height="([^"]*)"><title>([^:]*): ([^<]*)</)
      #expect(bars.count == 5, "\(text)")
      let unit = try bars.map {
        try #require(Double(isCategory ? $0.output.2 : $0.output.3)) / abs(try #require(Double($0.output.5)))
      }
      #expect((unit.max() ?? 0) - (unit.min() ?? 0) < 0.01, "\(unit)")
      #expect(bars.contains { $0.output.4 == "nil" && $0.output.1 == "rest" })
    }
  }

  /// What is wrong with a document; nil if each element is closed and each text is escaped.
  private func fault(in text: String) -> String? {
    var open: [Substring] = []
    var rest = Substring(text)
    while let start = rest.firstIndex(where: { $0 == "<" || $0 == "&" }) {
      rest = rest[start...]
      if rest.first == "&" {
        guard rest.prefixMatch(of: /&(amp|lt|gt|quot);/) != nil else { return "& at \(rest.prefix(20))" }
        rest = rest.dropFirst()
        continue
      }
      guard let tag = rest.prefixMatch(of: /<(\/?)([a-zA-Z]+)((?: [a-zA-Z0-9:-]+="[^"<>]*")*)(\/?)>/) else {
        return "tag at \(rest.prefix(40))"
      }
      if tag.output.1 == "/" {
        guard open.popLast() == tag.output.2 else { return "end of \(tag.output.2)" }
      } else if tag.output.4.isEmpty {
        open.append(tag.output.2)
      }
      rest = rest[tag.range.upperBound...]
    }
    if text.unicodeScalars.contains(where: { $0.value < 0x20 && $0 != "\n" }) { return "control character" }
    return open.isEmpty ? nil : "open: \(open)"
  }
}
