import LuaBindings
import Plots
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

  @Test func aFileIsWhatItsNameSays() throws {
    let script = try Script.quakes()
    var files: [String: [UInt8]] = [:]
    script.engine.host.writesFile = { files[$0] = $2 }
    try script.run(
      """
      local p = plot(Quake, { x = "magnitude" })
      p:save("a.svg", { theme = "dark" }) p:save "b.json" p:save("c.txt", { width = 30 })
      """)
    #expect(files["a.svg"].map { String(decoding: $0, as: UTF8.self).contains("#0d1117") } == true)
    #expect(files["b.json"]?.first == UInt8(ascii: "{"))
    #expect(files["c.txt"].map { String(decoding: $0, as: UTF8.self).split(separator: "\n")[0].count } == 30)
    guard Raster.isAvailable else { return }
    try script.run(#"plot(Quake, { x = "magnitude" }):save("d.PNG", { width = 300, height = 200, scale = 2 })"#)
    let png = try #require(files["d.PNG"])
    #expect(Array(png[16..<24]) == [0, 0, 2, 0x58, 0, 0, 1, 0x90])
  }

  @Test func whatAFileCannotBeIsRefused() throws {
    let script = try Script.quakes()
    script.engine.host.writesFile = { _, _, _ in }
    for (call, message) in [
      (#"save "a.gif""#, "end it in .svg, .png, .txt or .json"), (#"save("a.svg", { scale = 2 })"#, "is no .png"),
      (#"save("a.txt", { theme = "dark" })"#, "is no .svg or .png"),
      (#"save("a.png", { theme = "night" })"#, #"one of "light" or "dark""#),
      (#"save("a.png", { scale = 99 })"#, "a number from 0.25 to 16"),
      (#"save("a.png", { width = 10000, height = 10000, scale = 2 })"#, "400,000,000 pixels"),
    ] {
      let error = script.error("plot(Quake, { x = 'magnitude' }):\(call)") ?? ""
      #expect(error.contains(message), "\(call): \(error)")
    }
  }
}
