import Foundation
import Testing

@testable import Shell

/// Live groups on a full screen, on a real terminal, and as lines of JSON without one.
@Suite(.serialized) struct LiveRowsTests {
  private let program: BuiltProgram

  init() throws {
    program = try BuiltProgram.withStore()
    let script = "for q in Quake:all():each() do q.place = q.magnitude > 3 and 'north' or 'south' end save()"
    _ = try program.run(["quakes.sqlite", "-e", script])
  }

  private static let groups = "Quake:grouped('place', { n = 'count', top = 'max(magnitude)' })"

  @Test func groupsAreShownAndFollowWhatOthersWrite() throws {
    let session = try program.terminal("-q quakes.sqlite", columns: 80, rows: 20)
    try session.expect("quakes> ")
    session.send("watch(\(Self.groups))\r")
    func rows(_ screen: Screen) -> [String] {
      screen.lines.filter { $0.contains("north") || $0.contains("south") }
    }
    try session.expectScreen { rows($0).count == 2 && $0.lines.last?.hasPrefix("q leave") == true }
    #expect(session.screen.lines[0].hasPrefix("2 rows of Quake · sorted by place"))
    #expect(rows(session.screen)[0].hasPrefix("> north"))
    _ = try program.run(["quakes.sqlite", "-e", "Quake:find('us1').place = 'north' save { author = 'feed' }"])
    try session.expectScreen { screen in
      screen.lines[1].hasPrefix("2 updated (remote") && rows(screen).contains { $0.contains("  4 │") }
        && rows(screen).contains { $0.hasPrefix("~ south") && $0.contains("  1 │") }
    }
    // The next column, and its least value first.
    session.send("\u{1B}[Cs")
    try session.expectScreen { $0.lines[0].contains("sorted by n, place") && rows($0)[0].contains("south") }
    session.send("s")
    try session.expectScreen { $0.lines[0].contains("sorted by -n, place") && rows($0)[0].contains("north") }
    session.send("q")
    try session.expectPrompt()
  }

  @Test func groupsAreFilteredAndTheirColumnsHidden() throws {
    let session = try program.terminal("-q quakes.sqlite", columns: 80, rows: 20)
    try session.expect("quakes> ")
    session.send("watch(\(Self.groups))\r")
    try session.expectScreen { $0.lines[0].hasPrefix("2 rows of Quake") && $0.lines.last?.hasPrefix("q leave") == true }
    // A filter chooses the objects that groups are made of, and its words are completed.
    session.send("/magn\t > 3\r")
    try session.expectScreen { screen in
      screen.lines[0].hasPrefix("1 row of Quake · sorted by place · where magnitude > 3")
        && screen.lines[1].hasPrefix("filter: magnitude > 3") && screen.lines.contains { $0.hasPrefix("> north") }
    }
    session.send("\u{1B}")
    try session.expectScreen { $0.lines[0].hasPrefix("2 rows of Quake · sorted by place") && $0.lines[1].isEmpty }
    session.send("l-")
    try session.expectScreen { $0.lines[3].contains("[top]") && !$0.lines[3].contains(" n ") }
    session.send("s")
    try session.expectScreen { $0.lines[0].contains("sorted by top, place") && $0.lines[3].contains("[top] ▲") }
    session.send("+")
    try session.expectScreen { $0.lines[3].contains("[n]") && $0.lines[3].contains("top ▲") }
    session.send("?")
    try session.expectScreen { $0.lines.first == "keys" && $0.lines.contains { $0.contains("hide the column") } }
    session.send("x")
    try session.expectScreen { $0.lines.last?.hasPrefix("q leave") == true }
    session.send("q")
    try session.expectPrompt()
  }

  @Test func groupsAreLinesOfJSONForPrograms() throws {
    let script = """
      after(0, function()
        Quake:find('us5').place = 'west' save { author = 'feed' }
        Quake:find('us5'):delete() save()
        stopLoop()
      end)
      watch(\(Self.groups))
      """
    let result = try program.run(["quakes.sqlite", "-e", script])
    #expect(result.status == 0 && result.errors.isEmpty, "\(result)")
    #expect(
      result.output.split(separator: "\n") == [
        #"{"event":"initial","index":0,"values":{"place":"north","n":3,"top":5.5}}"#,
        #"{"event":"initial","index":1,"values":{"place":"south","n":2,"top":2.5}}"#,
        #"{"event":"inserted","index":2,"kind":"save","author":"feed","values":{"place":"west","n":1,"top":5.5}}"#,
        #"{"event":"updated","index":0,"oldIndex":0,"kind":"save","author":"feed","values":"#
          + #"{"place":"north","n":2,"top":4.5},"old":{"n":3,"top":5.5}}"#,
        #"{"event":"deleted","oldIndex":2,"kind":"save","values":{"place":"west","n":1,"top":5.5}}"#,
      ], "\(result.output)")
  }

  @Test func aCountIsWatched() throws {
    let script = """
      after(0, function() Quake:find('us1'):delete() save() stopLoop() end)
      watch(FetchRequest { entity = Quake, resultType = 'count' })
      """
    let result = try program.run(["quakes.sqlite", "-e", script])
    #expect(
      result.output.split(separator: "\n") == [
        #"{"event":"initial","index":0,"values":{"count":5}}"#,
        #"{"event":"updated","index":0,"oldIndex":0,"kind":"save","values":{"count":4}}"#,
      ], "\(result.output)")
  }

  @Test func columnsAreThoseOfTheRequest() throws {
    let result = try program.run(["quakes.sqlite", "-e", "watch(\(Self.groups), { columns = { 'n' } })"])
    #expect(result.errors.contains("rows of values have those of their request"))
  }
}
