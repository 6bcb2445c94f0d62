import LuaBindings
import TestSupport
import Testing

/// A plot that follows the store is the plot that would be made now.
@Suite(.seeded) struct LivePlotTests {
  /// Where axes have ends, they are given: else they are those of the rows that were there.
  private static let forms = [
    "{ x = 'magnitude', xDomain = { 0, 9 } }", "{ x = 'place', y = 'max(magnitude)' }",
    "{ x = 'place', y = 'average(magnitude)', mark = 'bar' }",
    "{ x = 'magnitude', y = 'sum(felt)', color = 'place', xDomain = { 0, 9 } }",
    "{ x = 'magnitude', y = 'felt', xDomain = { 0, 9 }, yDomain = { -1, 1000 } }",
    "{ mark = 'box', x = 'place', y = 'magnitude' }",
    "{ mark = 'rect', x = 'magnitude', y = 'felt', xDomain = { 0, 9 }, yDomain = { -1, 1000 } }",
    "{ x = 'magnitude', facet = 'place', xDomain = { 2, 6 } }",
  ]

  @Test func itIsThePlotThatWouldBeMadeNow() throws {
    var numbers = SplitMix(seed: 23)
    for form in Self.forms {
      let script = try Script.quakes()
      try script.run("store:sql 'UPDATE quake SET felt = 1' p = plot(Quake:where 'magnitude >= 1', \(form)):live()")
      for step in 0..<25 {
        let magnitude = Double(Int.random(in: 0...80, using: &numbers)) / 10
        let code = "n\(Int.random(in: 0...9, using: &numbers))"
        let place = numbers.pick(["'Chile'", "'Japan'", "nil"])
        switch Int.random(in: 0..<4, using: &numbers) {
        case 0: try script.run("if Quake:find '\(code)' then Quake:find('\(code)'):delete() save() end")
        case 1: try script.run("store:sql \"UPDATE quake SET felt = \(step) WHERE magnitude > \(magnitude)\"")
        default:
          try script.run(
            """
            local q = Quake:find '\(code)' or Quake { code = '\(code)' }
            q.magnitude = \(magnitude) q.place = \(place) q.felt = \(step % 5)
            save()
            """)
        }
        let (live, fresh) = (
          try script.value("p.svg"), try script.value("plot(Quake:where 'magnitude >= 1', \(form)).svg")
        )
        #expect(live == fresh, "\(form) after \(step)")
      }
    }
  }

  @Test func axesGrowAndShrinkWithTheRows() throws {
    let script = try Script.quakes()
    try script.run(
      "p = plot(Quake, { x = 'magnitude' }):live() t = p:text() n = 0 p:onChange(function() n = n + 1 end)")
    try script.run("q = Quake { code = 'far', magnitude = 9.9 } save()")
    #expect(try script.value("p:text() == plot(Quake, { x = 'magnitude' }):text() and p:text() ~= t") == "true")
    try script.run("q:delete() save()")
    #expect(try script.value("p:text() == t") == "true")
    #expect(try script.value("n") == "2")
  }

  @Test func aPlotOfLiveResultsFollowsTheirRequest() throws {
    let script = try Script.quakes()
    try script.run("r = Quake:where('magnitude > 4'):live() p = plot(r, { x = 'magnitude' })")
    let before = try script.value("p:text():match 'n = (%d+)'")
    #expect(try script.value("tostring(#r)") == before)
    try script.run("r.predicate = Predicate 'magnitude > 2'")
    #expect(try script.value("p:text():match 'n = (%d+)' == tostring(#r)") == "true")
    #expect(try script.value("p:text():match 'n = (%d+)'") != before)
    try script.run("r:close()")
    #expect(try script.value("p.isLive") == "false")
  }

  @Test func observersAreToldOfEachChange() throws {
    let script = try Script.quakes()
    try script.run(
      """
      p, n = plot(Quake, { x = 'magnitude' }):live(), 0
      token = p:onChange(function() n = n + 1 end)
      Quake:first().magnitude = 3.3 save()
      Quake:first().place = 'not drawn' save()
      """)
    #expect(try script.value("n") == "1")
    try script.run("token:cancel() Quake:first().magnitude = 3.4 save()")
    #expect(try script.value("n") == "1")
  }

  @Test func whatHasObserversStaysWithoutBeingHeld() throws {
    let script = try Script.quakes()
    try script.run(
      """
      n = 0
      token = plot(Quake, { x = 'magnitude' }):live():onChange(function() n = n + 1 end)
      collectgarbage() collectgarbage()
      Quake:first().magnitude = 3.3 save()
      token:cancel()
      collectgarbage() collectgarbage()
      Quake:first().magnitude = 4.3 save()
      """)
    #expect(try script.value("n") == "1")
  }

  @Test func aPlotThatIsObservedEndsWithItsStore() throws {
    let script = try Script.quakes()
    try script.run(
      """
      for i = 1, 20 do plot(Quake, { x = 'magnitude' }):live():onChange(function() end) end
      Quake:first().magnitude = 3.3
      save()
      """)
    // What remains is held by what observes the store.
    script.collect()
    try script.run("store:close()")
  }

  @Test func axesGetEndsWithTheFirstRow() throws {
    let script = try Script.quakes()
    try script.run("Quake:batchDelete [[TRUEPREDICATE]] p = plot(Quake, { x = 'magnitude' }):live() t = p:text()")
    try script.run("Quake { code = 'a', magnitude = 3 } Quake { code = 'b', magnitude = 5.5 } save()")
    #expect(try script.value("p:text() == plot(Quake, { x = 'magnitude' }):text()") == "true")
  }

  @Test func whatFollowsNothingSaysSo() throws {
    let script = try Script.quakes()
    #expect(script.error("plot({ 1, 2 }, {}):live()")?.contains("a plot of a list follows no store") == true)
    #expect(
      script.error("plot(Quake, { x = 'magnitude' }):onChange(print)")?.contains("plot:live() gives one that follows")
        == true)
    try script.run("p = plot(Quake, { x = 'magnitude' }):live() p:close()")
    #expect(script.error("p:onChange(print)")?.contains("closed") == true)
    #expect(try script.value("p:text():match 'n = %d+' ~= nil") == "true")
  }
}
