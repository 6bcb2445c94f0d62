import Testing

@testable import Shell

/// A plot on a full screen follows the store, on a real terminal.
@Suite(.serialized) struct WatchedPlotTests {
  private let program: BuiltProgram
  private let session: PTYSession

  init() throws {
    program = try BuiltProgram.withStore()
    session = try program.terminal("-q quakes.sqlite", columns: 80, rows: 20)
    try session.expect("quakes> ")
  }

  private func watch(_ call: String) throws {
    session.send(call + "\r")
    try session.expectScreen { $0.lines.last?.hasPrefix("q leave") == true }
  }

  private func write(_ line: String) throws {
    _ = try program.run(["quakes.sqlite", "-e", line + " save()"])
  }

  private func expect(_ texts: String...) throws {
    try session.expectScreen { screen in texts.allSatisfy { text in screen.lines.contains { $0.contains(text) } } }
  }

  @Test func whatOthersWriteIsDrawn() throws {
    try watch("watch(plot(Quake, { x = 'magnitude', xDomain = { 0, 10 } }))")
    try expect("count by magnitude", "n = 5")
    try write("Quake { code = 'us6', magnitude = 4 }")
    try expect("n = 6", "1 change")
    session.send("q")
    try session.expectPrompt()
  }

  @Test func spaceHoldsItAndLetsItGoOn() throws {
    try watch("watch(plot(Quake, { x = 'magnitude', y = 'magnitude', xDomain = { 0, 10 }, yDomain = { 0, 10 } }))")
    try expect("n = 5")
    session.send(" ")
    try expect("q leave  Space go on", "paused, 0 changes waiting")
    try write("Quake { code = 'us6', magnitude = 4 }")
    try expect("paused, 1 change waiting", "n = 5")
    session.send(" ")
    try expect("n = 6", "q leave  Space pause")
    session.send("\u{1B}")
    try session.expectPrompt()
  }

  @Test func itFitsTheWindow() throws {
    try watch("watch(plot(Quake, { x = 'magnitude', y = 'magnitude', height = 100, width = 300 }))")
    for (columns, rows) in [(40, 12), (120, 40), (20, 5), (30, 8)] {
      session.resize(columns: columns, rows: rows)
      session.signal(28)
      let isSmall = columns < 24 || rows < 8
      try session.expectScreen { screen in
        isSmall
          ? screen.lines.first?.hasPrefix("the window is too") == true
          : screen.lines.count == rows && screen.lines[rows - 1].hasPrefix("q leave")
            && screen.lines[0].hasSuffix("n = 5")
      }
    }
    session.send("\u{3}")
    try session.expectPrompt()
  }

  @Test func aPlotThatAScriptMadeLiveStaysLive() throws {
    session.send("p = plot(Quake, { x = 'magnitude' }):live()\r")
    try session.expectPrompt()
    try watch("watch(p)")
    session.send("q")
    try session.expectPrompt()
    session.send("p.isLive\r")
    try session.expect("true")
    session.send("watch(plot({ 1, 2 }, {}))\r")
    try session.expect("a plot of a list follows no store")
    session.send("watch(p, { columns = { 'code' } })\r")
    try session.expect("columns: a plot has none")
  }
}
