import Foundation
import Modeling
import Plots
import TestSupport
import Testing

/// Ranges of numbers and of dates.
@Suite(.seeded) struct BinsTests {
  @Test func rangesOfNumbersAreRoundAndCoverAll() {
    let bins = NumberBins(from: 0.3, to: 9.7, atMost: 10)
    #expect((bins.lower, bins.step, bins.count) == (0, 1, 10))
    #expect(NumberBins(from: -3, to: 12, atMost: 100, wholeNumbers: true).step == 1)
    #expect(NumberBins(from: 5, to: 5, atMost: 10).count == 1)
    let fine = NumberBins(from: 1, to: 2, atMost: 5)
    #expect((0..<fine.count).map(fine.label) == ["1.00", "1.25", "1.50", "1.75", "2.00"])
  }

  /// Numbers at the ends of what a Double holds, on an axis of powers too.
  @Test(arguments: [1e308, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 1e-300, 1e300])
  func aPlotOfTheGreatestAndTheLeastNumbersIsDrawn(_ number: Double) {
    for values in [
      [number], [number, 1], [number, -number], [.leastNonzeroMagnitude, number, .greatestFiniteMagnitude],
    ] {
      for scale in [PlotDescription.Scale.linear, .log] {
        for mark in PlotDescription.Mark.allCases {
          let aggregate: PlotDescription.Aggregate? = mark == .bar || mark == .rect ? .sum : nil
          var description = PlotDescription(mark: mark, x: "x", y: "y", aggregate: aggregate)
          (description.xAxis.scale, description.yAxis.scale) = (scale, scale)
          let bounds = (Value.double(values.min() ?? 0), Value.double(values.max() ?? 0))
          var builder = PlotBuilder(description, x: bounds, y: bounds)
          for value in values { builder.add(x: .double(value), y: .double(value), color: .double(value)) }
          let plot = builder.plot()
          #expect(!TextPlot().text(plot).isEmpty)
          #expect(SVGPlot().text(plot).contains("</svg>"))
        }
      }
    }
  }

  /// 0.3 / 0.1 is a little less than 3.
  @Test(arguments: [0.1, 0.2, 0.01, 0.25, 0.5])
  func aNumberThatBeginsARangeIsInIt(step: Double) {
    for number in 1...60 {
      let value = Double("\(number)")! * step
      let written = (value * 1e6).rounded() / 1e6
      let bins = NumberBins(from: 0, to: step * 60, atMost: 61)
      #expect(bins.step == step)
      #expect(bins.index(of: written) == number, "\(written)")
      #expect(NumberBins(from: written, to: written + step * 10, atMost: 11).lower >= written - step * 1e-6)
    }
  }

  @Test func fuzzedNumbersAreInTheirRange() {
    var random = SplitMix(seed: 1)
    let odd = [
      0, -0.0, .infinity, -.infinity, .nan, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude,
      1e15, 1e15 + 0.125,
    ]
    for _ in 0..<3_000 {
      func number() -> Double {
        Bool.random(using: &random)
          ? odd.randomElement(using: &random)!
          : Double.random(in: -1...1, using: &random) * pow(10, Double.random(in: -20...20, using: &random))
      }
      let (one, other) = (number(), number())
      let limit = Int.random(in: 1...40, using: &random)
      let bins = NumberBins(from: min(one, other), to: max(one, other), atMost: limit)
      #expect((1...limit).contains(bins.count))
      for value in [one, other, number()] { #expect((0..<bins.count).contains(bins.index(of: value))) }
      for index in 0..<bins.count { #expect(!bins.label(index).isEmpty) }
    }
  }

  @Test func rangesOfTimeFollowTheCalendar() throws {
    func bins(_ from: String, _ to: String, _ limit: Int = 12) throws -> [String] {
      let bins = DateBins(
        from: try #require(Timestamp(iso8601: from)), to: try #require(Timestamp(iso8601: to)), atMost: limit)
      return (0..<bins.count).map(bins.label)
    }
    #expect(
      try bins("2023-01-31T10:00:00Z", "2023-04-01T00:00:00Z", 4) == ["2023-01", "2023-02", "2023-03", "2023-04"])
    #expect(try bins("2019-06-01T00:00:00Z", "2022-01-01T00:00:00Z", 4) == ["2019", "2020", "2021", "2022"])
    #expect(try bins("2024-02-28T12:00:00Z", "2024-03-01T12:00:00Z", 3) == ["2024-02-28", "2024-02-29", "2024-03-01"])
    #expect(
      try bins("2024-01-01T10:10:00Z", "2024-01-01T12:20:00Z", 3) == [
        "2024-01-01 10:00", "2024-01-01 11:00", "2024-01-01 12:00",
      ])
    #expect(try bins("1203-05-01T00:00:00Z", "1999-05-01T00:00:00Z", 10).first == "1200")
  }

  @Test func fuzzedDatesAreInTheirRange() {
    var random = SplitMix(seed: 1)
    for _ in 0..<3_000 {
      func date() -> Timestamp {
        Timestamp(Double.random(in: -1...1, using: &random) * pow(10, Double.random(in: 0...14, using: &random)))
      }
      let (one, other) = (date(), date())
      let limit = Int.random(in: 1...40, using: &random)
      let bins = DateBins(from: min(one, other), to: max(one, other), atMost: limit)
      #expect((1...limit).contains(bins.count))
      for value in [one, other, date()] { #expect((0..<bins.count).contains(bins.index(of: value))) }
      for index in 0..<bins.count { #expect(!bins.label(index).isEmpty) }
    }
  }
}
