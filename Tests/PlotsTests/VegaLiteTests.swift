import Modeling
import TestSupport
import Testing

@testable import Plots

/// The specification of a plot holds what the plot shows, in words that Vega-Lite 5 has.
@Suite(.seeded) struct VegaLiteTests {
  /// The properties that Vega-Lite 5 documents, by the object they are in; those of the subset that is written.
  private static let words: [String: Set<String>] = [
    "": [
      "$schema", "title", "description", "width", "height", "data", "mark", "encoding", "layer", "facet", "columns",
      "spec", "transform",
    ],
    "mark": ["type", "tooltip", "line", "opacity", "clip", "thickness", "size"], "data": ["values"],
    "encoding": ["x", "x2", "y", "y2", "color", "xOffset", "yOffset"],
    "channel": ["field", "type", "title", "scale", "axis", "stack", "sort", "bin"],
    "scale": ["domain", "nice", "zero", "type"], "axis": ["values"], "bin": ["binned", "step"],
  ]

  private func members(_ json: JSON?) -> [String: JSON] {
    if case .object(let members)? = json { members } else { [:] }
  }

  private func numbers(_ json: JSON?) -> [Double] {
    guard case .array(let elements)? = json else { return [] }
    return elements.compactMap { number($0) }
  }

  private func number(_ json: JSON?) -> Double? {
    switch json {
    case .int(let number)?: Double(number)
    case .double(let number)?: number
    default: nil
    }
  }

  @Test func allPropertiesAreDocumentedAndAllFieldsAreInTheData() throws {
    var random = SplitMix(seed: 7)
    for _ in 0..<300 {
      let specification = members(RandomPlot.make(&random).vegaLite)
      #expect(try JSON.parse(JSON.object(specification).text) == .object(specification))
      guard case .array(let rows)? = members(specification["data"])["values"] else {
        Issue.record("no data")
        continue
      }
      check(specification, rows)
    }
  }

  /// Holds a view, and those in it, to the documented properties, and its channels to the fields of the data.
  private func check(_ view: [String: JSON], _ rows: [JSON]) {
    #expect(Self.words[""]!.isSuperset(of: view.keys), "\(view.keys)")
    #expect(Self.words["mark"]!.isSuperset(of: members(view["mark"]).keys))
    if let inner = view["spec"] { check(members(inner), rows) }
    if case .array(let layers)? = view["layer"] { for layer in layers { check(members(layer), rows) } }
    let channels = members(view["encoding"])
    #expect(Self.words["encoding"]!.isSuperset(of: channels.keys))
    for (name, channel) in channels {
      let channel = members(channel)
      #expect(Self.words["channel"]!.isSuperset(of: channel.keys), "\(name)")
      for inner in ["scale", "axis", "bin"] {
        #expect(Self.words[inner]!.isSuperset(of: members(channel[inner]).keys), "\(name).\(inner)")
      }
      guard case .string(let field)? = channel["field"] else {
        Issue.record("\(name) has no field")
        continue
      }
      // Boxes and what is beyond them are rows of their own.
      let isPartial = view["transform"] != nil
      #expect(isPartial || rows.allSatisfy { members($0)[field] != nil }, "\(field)")
    }
  }

  @Test func theDataAreTheBarsOfThePlot() {
    var random = SplitMix(seed: 7)
    for _ in 0..<300 {
      let plot = RandomPlot.make(&random)
      guard plot.description.mark == .bar, case .bars(let bands, _) = plot.content else { continue }
      guard case .array(let rows)? = members(members(plot.vegaLite)["data"])["values"] else { continue }
      let expected = plot.panels.flatMap { panel -> [Double] in
        guard case .bars(_, let values) = panel.content else { return [] }
        return bands.indices.flatMap { band in values.compactMap { $0[band] } }
      }
      #expect(rows.map { number(members($0)["value"]) } == expected)
      if bands.contains(where: { $0.label == "nil" && $0.isRest }) {
        #expect(rows.contains { members($0)["band"] == .string("nil") })
      }
    }
  }

  @Test func theScaleOfTheValuesIsThatOfThePicture() throws {
    var random = SplitMix(seed: 7)
    for _ in 0..<300 {
      let plot = RandomPlot.make(&random)
      guard plot.description.mark == .bar, case .bars(let bands, _) = plot.content, !bands.isEmpty else { continue }
      let view = members(plot.vegaLite)
      let channels = members((members(view["spec"])["encoding"]) ?? view["encoding"])
      let values = ["x", "y"].map { members(channels[$0]) }.first { $0["field"] == .string("value") }
      let domain = numbers(members(values?["scale"])["domain"])
      try #require(domain.count == 2)
      // A bar that is as long as the domain would fill the plane of the picture.
      let axis = plot.valueAxis(ticks: plot.hasScale ? Plot.verticalTicks : Plot.ticks)
      #expect(domain == [axis.lower, axis.upper])
      var picture = SVGPlot()
      picture.width = 4_000
      let shown = picture.text(plot)
      for label in axis.labels { #expect(shown.contains(">\(label)</text>") || !plot.hasScale) }
      #expect(numbers(members(values?["axis"])["values"]) == axis.ticks)
    }
  }
}
