import Modeling
import Plots
import TestSupport

/// Plots of random rows with random options, among them what is rare: nothing at all, nils, labels with markup.
enum RandomPlot {
  static func make(_ numbers: inout SplitMix) -> Plot {
    let mark = numbers.pick(PlotDescription.Mark.allCases)
    let aggregates: [PlotDescription.Aggregate?] = PlotDescription.Aggregate.allCases.map(Optional.some) + [nil]
    var aggregate = numbers.pick(aggregates)
    if mark == .bar || mark == .rect { aggregate = numbers.pick(PlotDescription.Aggregate.allCases) }
    if mark == .box { aggregate = nil }
    var description = PlotDescription(mark: mark, x: "x<&>", y: "y", aggregate: aggregate)
    if Bool.random(using: &numbers) { description.color = "kind" }
    if mark == .rect { description.color = "value" }
    if Bool.random(using: &numbers) { description.facet = "panel" }
    for axis in [\PlotDescription.xAxis, \PlotDescription.yAxis] {
      if Int.random(in: 0..<4, using: &numbers) == 0 { description[keyPath: axis].scale = .log }
      if Int.random(in: 0..<4, using: &numbers) == 0 {
        let low = Double.random(in: 0.5...20, using: &numbers)
        description[keyPath: axis].domain = low...(low + Double.random(in: 0.1...40, using: &numbers))
      }
    }
    description.bins = Int.random(in: 1...30, using: &numbers)
    let count = numbers.pick([0, 1, 2, 30, 100])
    let kind = Int.random(in: 0..<(aggregate == nil && mark != .box ? 3 : 4), using: &numbers)
    let size = numbers.pick([1e-6, 1, 300, 1e9])
    let xs = (0..<count).map { _ in value(kind, size, &numbers) }
    let ys = (0..<count).map { _ in value(Int.random(in: 0..<2, using: &numbers), size, &numbers) }
    var builder = PlotBuilder(description, x: bounds(xs), y: bounds(ys))
    for (x, y) in zip(xs, ys) {
      let color = mark == .rect ? y : .string("<\(Int.random(in: 0..<4, using: &numbers))>")
      builder.add(x: x, y: y, color: color, facet: .int(Int64.random(in: 0..<4, using: &numbers)))
    }
    return builder.plot()
  }

  private static func value(_ kind: Int, _ size: Double, _ numbers: inout SplitMix) -> Value {
    if Int.random(in: 0..<8, using: &numbers) == 0 { return .null }
    return switch kind {
    case 0: .int(Int64.random(in: -50...50, using: &numbers))
    case 1: .double(Double.random(in: -size...size, using: &numbers))
    case 2: .date(Timestamp(Double.random(in: -1e9...2e9, using: &numbers)))
    default: .string(numbers.pick(["a", "<b>\"&'\u{1}", "雪", "", "]]>", String(repeating: "long ", count: 40)]))
    }
  }

  /// The least and the greatest of the values, if they are numbers or dates.
  static func bounds(_ values: [Value]) -> PlotBuilder.Bounds? {
    let known = values.filter { $0.plotNumber != nil }.sorted { $0.plotNumber! < $1.plotNumber! }
    return known.first.map { ($0, known.last!) }
  }
}
