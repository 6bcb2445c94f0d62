import LuaBindings
import TestSupport
import Testing

/// What scripts plot.
@Suite struct PlotFunctionsTests {
  @Test func aListIsPlottedAsTheRequestThatGaveIt() throws {
    let script = try Script.quakes()
    for options in [
      "{ x = 'magnitude', y = 'count' }", "{ x = 'place', y = 'average(magnitude)', mark = 'bar' }",
      "{ x = 'magnitude', y = 'magnitude' }", "{ mark = 'box', x = 'place', y = 'magnitude' }",
      "{ mark = 'rect', x = 'place', y = 'magnitude' }", "{ x = 'magnitude', xScale = 'log', facet = 'place' }",
      "{ x = 'magnitude', xDomain = { 1, 3 }, color = 'place' }",
    ] {
      let rows =
        "(function() local t = {} for q in Quake:each() do "
        + "t[#t + 1] = { magnitude = q.magnitude, place = q.place, felt = q.felt } end return t end)()"
      #expect(
        try script.value("plot(Quake, \(options)).svg == plot(\(rows), \(options)).svg") == "true", "\(options)")
    }
  }

  @Test func mistakesInOptionsAreNamed() throws {
    let script = try Script.quakes()
    for (call, message) in [
      ("plot(Quake, { x = 'magnitude', mark = 'pie' })", #"one of "bar", "point""#),
      ("plot(Quake, { x = 'magnitude', xDomain = { 3, 1 } })", "the lesser first"),
      ("plot(Quake, { x = 'magnitude', yScale = 'log', yDomain = { 0, 1 } })", "above 0"),
      ("plot(Quake, { x = 'place', y = 'felt', mark = 'rect', color = 'magnitude' })", "average(magnitude)"),
      ("plot(Quake, { mark = 'box', y = 'count' })", "a box is of the values"),
      ("plot(Quake, { x = 'nonsense' })", "no property 'nonsense'"),
    ] {
      let error = script.error(call) ?? ""
      #expect(error.contains(message), "\(call): \(error)")
    }
  }

  @Test func aLogarithmicAxisBeginsAtTheLeastNumberThatIsOnIt() throws {
    let script = try Script.quakes()
    try script.run("local q = Quake:first() q.magnitude = 0 save()")
    let text = try script.value("plot(Quake, { x = 'magnitude', xScale = 'log', bins = 4 }):text()")
    #expect(text.contains("1 without a place"), "\(text)")
    #expect(!text.contains("e-"), "\(text)")
  }
}
