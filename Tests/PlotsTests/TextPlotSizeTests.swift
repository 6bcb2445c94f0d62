import Modeling
import Plots
import TestSupport
import Testing

/// A plot is drawn at any size and of any numbers.
@Suite(.seeded) struct TextPlotSizeTests {
  @Test func noLineIsWiderThanAsked() {
    var numbers = SplitMix(seed: 7)
    for width in [40, 80, 200] {
      for mark in PlotDescription.Mark.allCases {
        for isASCII in [false, true] {
          for color in [nil, "kind"] {
            var description = PlotDescription(
              mark: mark, x: "x", y: mark == .bar ? "count" : "y",
              aggregate: mark == .bar || mark == .rect ? .count : nil)
            description.color = color
            let size = numbers.pick([1e-9, 1e-3, 1, 500, 1e7, 1e12])
            let isDate = Bool.random(using: &numbers)
            let x = (0..<50).map { _ in
              let number = Double.random(in: -1...1, using: &numbers)
              return isDate ? Value.date(Timestamp(number * 1e9)) : .double(number * size)
            }.sorted { $0.plotNumber! < $1.plotNumber! }
            var builder = PlotBuilder(description, x: (x[0], x[49]), y: (.double(-size), .double(size)))
            for x in x {
              builder.add(
                x: x, y: .double(Double.random(in: -size...size, using: &numbers)),
                color: .string("series \(Int.random(in: 0..<15, using: &numbers))"))
            }
            var text = TextPlot()
            (text.width, text.isASCII) = (width, isASCII)
            let shown = text.text(builder.plot())
            for line in shown.split(separator: "\n") { #expect(line.count <= width, "\(mark) \(width):\n\(shown)") }
            if isASCII { #expect(shown.utf8.allSatisfy { $0 < 128 }, "\(shown)") }
          }
        }
      }
    }
  }

  @Test func nothingIsWiderThanAskedWhateverIsDrawn() {
    var numbers = SplitMix(seed: 7)
    for _ in 0..<500 {
      var text = TextPlot()
      (text.width, text.isASCII) = (numbers.pick([20, 24, 31, 80, 200]), Bool.random(using: &numbers))
      let plot = RandomPlot.make(&numbers)
      let shown = text.text(plot)
      for line in shown.split(separator: "\n") { #expect(line.count <= text.width, "\(plot.description)\n\(shown)") }
    }
  }

  @Test func endlessAndHugeNumbersAreDrawn() {
    for mark in PlotDescription.Mark.allCases {
      for aggregate in [nil] + PlotDescription.Aggregate.allCases.map(Optional.some) {
        let description = PlotDescription(mark: mark, x: "x", y: "y", aggregate: aggregate)
        let huge = Double.greatestFiniteMagnitude
        let odd = [-.infinity, -huge, -1, 0, .leastNonzeroMagnitude, huge, Double.infinity].map(Value.double)
        var builder = PlotBuilder(description, x: (odd[0], odd[6]), y: (odd[1], odd[5]))
        for x in odd { for y in odd + [.null, .double(.nan)] { builder.add(x: x, y: y, color: .null) } }
        #expect(TextPlot().text(builder.plot()).contains("n = 63"))
      }
    }
  }
}
