import Glibc
import Modeling
import Plots
import TestSupport
import Testing

/// A plot shows every row once, and no other.
@Suite(.seeded) struct PlotBuilderTests {
  private func values(_ count: Int, _ numbers: inout SplitMix) -> [Value] {
    let kind = Int.random(in: 0..<4, using: &numbers)
    let size = Double.random(in: 0.001...1e6, using: &numbers)
    return (0..<count).map { _ in
      if Int.random(in: 0..<8, using: &numbers) == 0 { return .null }
      return switch kind {
      case 0: .int(Int64.random(in: -50...50, using: &numbers))
      case 1: .double(Double.random(in: -size...size, using: &numbers))
      case 2: .date(Timestamp(Double.random(in: -1e9...2e9, using: &numbers)))
      default: .string(String(Int.random(in: 0..<60, using: &numbers)))
      }
    }
  }

  private func bounds(_ values: [Value]) -> PlotBuilder.Bounds? {
    let known = values.filter { $0.plotNumber != nil }.sorted { $0.plotNumber! < $1.plotNumber! }
    return known.first.map { ($0, known.last!) }
  }

  @Test func eachRowIsInOneBarOfItsSeries() {
    var numbers = SplitMix(seed: 7)
    for _ in 0..<300 {
      let x = values(Int.random(in: 0..<200, using: &numbers), &numbers)
      var description = PlotDescription(mark: .bar, x: "x", y: "count", aggregate: .count)
      description.bins = Int.random(in: 1...40, using: &numbers)
      description.color = "c"
      var builder = PlotBuilder(description, x: bounds(x))
      var rows: [String: Int] = [:]
      for value in x {
        let color = ["a", "b", "c"].randomElement(using: &numbers)!
        rows[color, default: 0] += 1
        builder.add(x: value, y: .null, color: .string(color))
      }
      let plot = builder.plot()
      guard case .bars(let bands, let counts) = plot.content else { Issue.record("no bars"); continue }
      #expect(plot.series == rows.keys.sorted())
      for (series, counts) in zip(plot.series, counts) {
        #expect(counts.reduce(0) { $0 + ($1 ?? 0) } == Double(rows[series] ?? 0))
      }
      let missing = bands.firstIndex { $0.label == "nil" }
      let nils = x.count(where: \.isNull)
      #expect((missing != nil) == (nils > 0))
      if let missing { #expect(counts.reduce(0) { $0 + ($1[missing] ?? 0) } == Double(nils)) }
    }
  }

  @Test func barsOfNumbersCountWhatIsInTheirRange() {
    var numbers = SplitMix(seed: 7)
    for _ in 0..<200 {
      let x = (0..<100).map { _ in Double(Int.random(in: -400...400, using: &numbers)) / 4 }
      let description = PlotDescription(mark: .bar, x: "x", y: "sum(x)", aggregate: .sum)
      var builder = PlotBuilder(description, x: bounds(x.map(Value.double)))
      for value in x { builder.add(x: .double(value), y: .double(value), color: .null) }
      guard case .bars(let bands, let sums) = builder.plot().content else { Issue.record("no bars"); continue }
      for (index, band) in bands.enumerated() {
        let end = index + 1 < bands.count ? bands[index + 1].start! : .infinity
        let expected = x.filter { $0 >= band.start! && $0 < end }.reduce(0, +)
        #expect(abs((sums[0][index] ?? 0) - expected) < 1e-9)
      }
    }
  }

  @Test func datesAreCountedByTheUnitAskedFor() {
    for (unit, label) in [(CalendarUnit.month, "2024-02"), (.year, "2024"), (.quarter, "2024"), (.week, "2024-02-26")] {
      var description = PlotDescription(mark: .bar, x: "time", y: "count", aggregate: .count)
      description.unit = unit
      let date = Value.date(Timestamp(1_709_164_800))  // 29 February 2024, a Thursday
      var builder = PlotBuilder(description, x: (date, date))
      builder.add(x: date, y: .null, color: .null)
      guard case .bars(let bands, _) = builder.plot().content else { Issue.record("no bars"); continue }
      #expect(bands.map { $0.label.hasPrefix(label) } == [true], "\(unit): \(bands.map(\.label))")
      #expect((bands[0].start ?? .infinity) <= 1_709_164_800)
    }
  }

  @Test func manyPointsCostCellsNotRows() {
    let description = PlotDescription(mark: .point, x: "x", y: "y", aggregate: nil)
    var builder = PlotBuilder(description, x: (.double(0), .double(1e6)), y: (.double(0), .double(1)))
    for number in 0..<100_000 { builder.add(x: .double(Double(number)), y: .double(0), color: .null) }
    guard case .points(let points) = builder.plot().content else {
      Issue.record("no points")
      return
    }
    #expect(points[0].count <= 2_001)
  }

  @Test func everyRowIsDrawnOrCountedBeside() {
    var numbers = SplitMix(seed: 7)
    for _ in 0..<500 {
      let plot = RandomPlot.make(&numbers)
      var drawn = 0.0
      for panel in plot.panels {
        switch panel.content {
        case .bars(_, let values) where plot.description.aggregate == .count:
          drawn += values.joined().reduce(0) { $0 + ($1 ?? 0) }
        case .cells(_, _, let values) where plot.description.aggregate == .count:
          drawn += values.joined().reduce(0) { $0 + ($1 ?? 0) }
        case .boxes(_, let boxes): drawn += Double(boxes.joined().reduce(0) { $0 + ($1?.count ?? 0) })
        default: drawn = Double(plot.rows - plot.missing - plot.outside)
        }
      }
      #expect(Int(drawn) + plot.missing + plot.outside == plot.rows, "\(plot.description) \(plot.count)")
    }
  }

  @Test func aDomainHasNoBarBeyondItsEnd() {
    var description = PlotDescription(mark: .bar, x: "x", y: "count", aggregate: .count)
    description.xAxis.domain = 4...6
    description.bins = 8
    var builder = PlotBuilder(description, x: (.double(0), .double(10)))
    for number in 0...10 { builder.add(x: .double(Double(number)), y: .null) }
    let plot = builder.plot()
    guard case .bars(let bands, let counts) = plot.content else { Issue.record("no bars"); return }
    #expect(bands.first?.start == 4 && bands.last?.end == 6)
    #expect(counts[0].reduce(0) { $0 + ($1 ?? 0) } == 3)
    #expect(plot.outside == 8)
  }

  @Test func rangesOfPowersHoldWhatIsBetweenTheirEnds() {
    var numbers = SplitMix(seed: 7)
    for _ in 0..<200 {
      var description = PlotDescription(mark: .bar, x: "x", y: "count", aggregate: .count)
      description.xAxis.scale = .log
      description.bins = Int.random(in: 1...40, using: &numbers)
      let x = (0..<50).map { _ in pow(10, Double.random(in: -8...8, using: &numbers)) }
      var builder = PlotBuilder(description, x: (.double(x.min()!), .double(x.max()!)))
      for x in x { builder.add(x: .double(x), y: .null) }
      builder.add(x: .double(0), y: .null)
      guard case .bars(let bands, let counts) = builder.plot().content else { Issue.record("no bars"); continue }
      #expect(builder.plot().missing == 1)
      #expect(bands.count <= description.bins)
      for (band, count) in zip(bands, counts[0]) {
        #expect(count == Double(x.count { $0 >= band.start! && $0 < band.end! }), "\(band)")
      }
    }
  }

  @Test func aBoxHasTheQuartilesOfItsSampleAndWhatIsFarFromThem() {
    let box = BoxSummary([1, 2, 3, 4, 5, 6, 7, 8, 9, 30])
    #expect(box?.lowerQuartile == 3.25 && box?.median == 5.5 && box?.upperQuartile == 7.75)
    #expect(box?.low == 1 && box?.high == 9 && box?.outliers == [30] && box?.count == 10)
    #expect(BoxSummary([7])?.median == 7 && BoxSummary([7])?.low == 7)
    #expect(BoxSummary([]) == nil)
  }
}
