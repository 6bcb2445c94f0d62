import Modeling
import TestSupport
import Testing

@testable import Plots

/// A plot of which rows are taken away is that of the rows which are left.
@Suite(.seeded) struct PlotRemovalTests {
  private struct Row {
    var x: Value
    var y: Value
    var color: Value
    var facet: Value
  }

  private func row(_ numbers: inout SplitMix, isNamed: Bool) -> Row {
    func number() -> Value {
      Int.random(in: 0..<8, using: &numbers) == 0
        ? .null : .double(Double(Int.random(in: -40...400, using: &numbers)) / 8)
    }
    let name = Value.string(numbers.pick(["a", "b", "c", "d", "e", "f"]))
    return Row(
      x: isNamed ? name : number(), y: number(), color: .string(numbers.pick(["p", "q", "r"])),
      facet: .int(Int64.random(in: 0...2, using: &numbers)))
  }

  @Test func whatIsLeftIsDrawnAsIfItWereAlone() {
    var numbers = SplitMix(seed: 19)
    for round in 0..<300 {
      let mark = PlotDescription.Mark.allCases[round % PlotDescription.Mark.allCases.count]
      var aggregate: PlotDescription.Aggregate? = numbers.pick(PlotDescription.Aggregate.allCases)
      if mark == .box || mark == .point && Bool.random(using: &numbers) { aggregate = nil }
      var description = PlotDescription(mark: mark, x: "x", y: "y", aggregate: aggregate)
      if Bool.random(using: &numbers) { description.color = mark == .rect ? "value" : "color" }
      if Bool.random(using: &numbers) { description.facet = "facet" }
      if Int.random(in: 0..<3, using: &numbers) == 0 { description.xAxis.domain = 0...30 }
      let isNamed = aggregate != nil && Bool.random(using: &numbers)
      let ends = (Value.double(-5), Value.double(50))
      let isPlane = aggregate == nil || mark == .rect
      func builder(isLive: Bool) -> PlotBuilder {
        PlotBuilder(description, x: isNamed ? nil : ends, y: isPlane ? ends : nil, isLive: isLive)
      }
      func place(_ row: Row, in builder: inout PlotBuilder) -> PlotBuilder.Mark {
        builder.mark(x: row.x, y: row.y, color: mark == .rect ? row.y : row.color, facet: row.facet)
      }
      var live = builder(isLive: true)
      var kept: [(row: Row, mark: PlotBuilder.Mark)] = []
      for _ in 0..<Int.random(in: 0...120, using: &numbers) {
        if !kept.isEmpty, Int.random(in: 0..<5, using: &numbers) < 2 {
          let place = Int.random(in: kept.indices, using: &numbers)
          live.remove(kept.remove(at: place).mark)
        } else {
          let row = row(&numbers, isNamed: isNamed)
          let mark = place(row, in: &live)
          live.insert(mark)
          kept.append((row, mark))
        }
      }
      live.settle(kept.map(\.mark))
      var fresh = builder(isLive: true)
      for row in kept.map(\.row) { fresh.insert(place(row, in: &fresh)) }
      #expect(live.plot() == fresh.plot(), "\(mark) \(String(describing: aggregate)) \(description)")
    }
  }

  @Test func sumsKeepNothingOfWhatWasTakenAway() {
    let description = PlotDescription(mark: .bar, x: "x", y: "y", aggregate: .sum)
    var builder = PlotBuilder(description, x: nil, isLive: true)
    func mark(_ number: Double) -> PlotBuilder.Mark { builder.mark(x: .string("a"), y: .double(number)) }
    let (small, huge) = (mark(0.1), mark(1e17))
    builder.insert(small)
    builder.insert(huge)
    builder.remove(huge)
    #expect(builder.plot().content == .bars([Plot.Band(label: "a")], [[0.1]]))
    let infinite = mark(.infinity)
    builder.insert(infinite)
    builder.remove(infinite)
    #expect(builder.isUnsure)
    builder.settle([small])
    #expect(builder.plot().content == .bars([Plot.Band(label: "a")], [[0.1]]))
  }

  @Test func aRowBeyondTheAxesIsNoticed() {
    for (mark, aggregate) in [(PlotDescription.Mark.bar, PlotDescription.Aggregate.count), (.point, nil)] {
      let description = PlotDescription(mark: mark, x: "x", y: "y", aggregate: aggregate)
      var builder = PlotBuilder(description, x: (.double(0), .double(9.5)), y: (.double(0), .double(9.5)), isLive: true)
      builder.add(x: .double(5), y: .double(5))
      let isFine = !builder.needsAxes
      #expect(isFine)
      builder.add(x: .double(10.5), y: .double(5))
      let isNoticed = builder.needsAxes
      #expect(isNoticed, "\(mark)")
    }
  }
}
