import LuaBindings
import TestSupport
import Testing

/// A specification of Vega-Lite asks for a plot as options do, and what plots have not is refused by its path.
@Suite struct VegaLiteReadingTests {
  @Test func aSpecificationGivesThePlotOfTheSameOptions() throws {
    let script = try Script.quakes()
    for (specification, options) in [
      (
        #"{"mark":"bar","encoding":{"x":{"field":"magnitude","bin":true,"type":"quantitative"},"y":{"aggregate":"count"}}}"#,
        "{ x = 'magnitude' }"
      ),
      (
        #"{"mark":"bar","encoding":{"y":{"field":"place","type":"nominal"},"x":{"aggregate":"mean","field":"magnitude"}}}"#,
        "{ x = 'place', y = 'average(magnitude)' }"
      ),
      (
        #"{"mark":{"type":"bar","tooltip":true},"encoding":{"x":{"field":"magnitude","bin":{"maxbins":3}},"#
          + #""y":{"aggregate":"count","scale":{"type":"log"},"stack":null},"color":{"field":"place","type":"nominal"}}}"#,
        "{ x = 'magnitude', bins = 3, yScale = 'log', color = 'place' }"
      ),
      (
        #"{"title":"All","mark":"point","encoding":{"x":{"field":"magnitude","type":"quantitative","#
          + #""scale":{"domain":[1,3]}},"y":{"field":"magnitude"},"facet":{"field":"place"}}}"#,
        "{ title = 'All', x = 'magnitude', y = 'magnitude', xDomain = { 1, 3 }, facet = 'place' }"
      ),
      (
        #"{"mark":"boxplot","encoding":{"x":{"field":"place","type":"nominal"},"y":{"field":"magnitude"}}}"#,
        "{ mark = 'box', x = 'place', y = 'magnitude' }"
      ),
      (
        #"{"mark":"rect","encoding":{"x":{"field":"place"},"y":{"field":"magnitude","bin":{"maxbins":4}},"#
          + #""color":{"aggregate":"max","field":"magnitude"}}}"#,
        "{ mark = 'rect', x = 'place', y = 'magnitude', bins = 4, color = 'max(magnitude)' }"
      ),
    ] {
      let expected = try script.value("plot(Quake, \(options)).svg")
      #expect(try script.value("plot(Quake, [==[\(specification)]==]).svg") == expected, "\(specification)")
    }
    let table = "{ mark = 'bar', encoding = { x = { field = 'magnitude', bin = true }, y = { aggregate = 'count' } } }"
    let same = "plot(Quake, \(table)).svg == plot(Quake, { x = 'magnitude' }).svg"
    #expect(try script.value(same) == "true")
  }

  @Test func whatIsOutsideThePartIsRefusedByItsPath() throws {
    let script = try Script.quakes()
    let x = #""x":{"field":"magnitude","bin":true}"#
    for (specification, message) in [
      (#"{"mark":"arc","encoding":{}}"#, "mark: expected one of"),
      (#"{"mark":"bar"}"#, "encoding"),
      (#"{"mark":"bar","encoding":{\#(x)},"transform":[]}"#, "transform: this is outside"),
      (#"{"mark":"bar","encoding":{\#(x),"size":{"field":"felt"}}}"#, "encoding.size: this is outside"),
      (#"{"mark":"bar","encoding":{"x":{"feild":"magnitude"}}}"#, "encoding.x.feild: "),
      (#"{"mark":"bar","#, "expected"),
      (#"{"mark":"bar","encoding":{"x":{"field":"magnitude","bin":{"step":2}}}}"#, "encoding.x.bin.step: "),
      (
        #"{"mark":"bar","encoding":{"x":{"field":"time","timeUnit":"month"},"y":{"aggregate":"count"}}}"#,
        "encoding.x.timeUnit: "
      ),
      (
        #"{"mark":"bar","encoding":{"x":{"field":"magnitude","type":"quantitative"},"y":{"aggregate":"count"}}}"#,
        "encoding.x: "
      ),
      (
        #"{"mark":"point","encoding":{"x":{"field":"magnitude"},"y":{"field":"felt"},"#
          + #""color":{"field":"felt","type":"quantitative"}}}"#,
        "encoding.color.type: "
      ),
      (
        #"{"mark":"point","encoding":{"x":{"field":"magnitude","scale":{"type":"log","domain":[0,1]}},"#
          + #""y":{"field":"felt"}}}"#,
        "encoding.x.scale.domain: "
      ),
      (#"{"mark":{"type":"bar","interpolate":"step"},"encoding":{}}"#, "mark.interpolate: "),
      (#"{"$schema":"https://vega.github.io/schema/vega/v5.json","mark":"bar","encoding":{}}"#, "$schema: "),
    ] {
      let error = script.error("plot(Quake, [==[\(specification)]==])") ?? ""
      #expect(error.contains(message), "\(specification): \(error)")
    }
  }
}
