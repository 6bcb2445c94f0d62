import Modeling
import Presentation
import Testing

@testable import Session
@testable import Shell

/// A column's format is how people see its values; data are the values.
@Suite struct ColumnFormatTests {
  private static let date = Cell(.date(Timestamp(1_700_000_000)))

  static let cases: [(format: String, cell: Cell, text: String)] = [
    ("date", date, "2023-11-14"), ("time", date, "22:13"), ("dateTime", date, "2023-11-14 22:13"),
    ("At {time}!", date, "At 22:13!"), ("{}", .text("a"), "a"), ("<{}>", .text("a"), "<a>"),
    ("M {%.1f}", .real(6.54), "M 6.5"),
    ("%.0f", .integer(7), "7"), ("%.2f", .decimal("1.005"), "1.00"), ("percent", .real(0.256), "26%"),
    // A format that is not for a value leaves it.
    ("time", .text("noon"), "noon"), ("%.1f", .text("x"), "x"),
  ]

  @Test(arguments: cases) func aValueIsShownInItsFormat(_ format: String, _ cell: Cell, _ text: String) throws {
    let shown = try #require(ColumnFormat(format)).cell(cell)
    #expect(CellText(shown, .utf8).text == text)
  }

  @Test func nothingStaysNothing() throws { #expect(try #require(ColumnFormat("At {time}")).cell(.null) == .null) }

  @Test func aDistanceIsToNow() throws {
    let format = try #require(ColumnFormat("relative"))
    func text(_ seconds: Double) -> String {
      CellText(format.cell(Cell(.date(Timestamp(Timestamp.now.seconds + seconds)))), .utf8).text
    }
    #expect(text(-7_300) == "2 hours ago" && text(90_000) == "in 1 day" && text(0) == "now")
  }

  @Test(arguments: ["", "tim", "%d", "%.99f", "%.16f", "{tim}", "{", "{time"]) func whatIsNoFormatIsRefused(
    _ text: String
  ) {
    #expect(ColumnFormat(text) == nil)
  }

  @Test func showWatchAndResultsTakeFormats() throws {
    let program = try BuiltProgram.withStore()
    let script = """
      local columns = { { "place", title = "Where" }, { "magnitude", format = "M {%.2f}" }, { "time", format = "time" } }
      show(Quake:all():sorted("code"):limit(1), { columns = columns, mode = "table" })
      local live = Quake:all():sorted("code"):limit(1):live()
      live.columns = columns
      show(live, { mode = "table" })
      show(live, { mode = "json" })
      live.columns = nil
      print(live.columns)
      print(pcall(show, Quake, { columns = { { "time", format = "tim" } } }))
      live.columns = { { "time", format = 5 } }
      print(pcall(show, live))
      print(pcall(function() live.columns = 5 end))
      """
    try program.write("formats.lua", script)
    let result = try program.run(["quakes.sqlite", "formats.lua"])
    let table = "│ Where        │ magnitude │ time  │"
    #expect(result.output.components(separatedBy: table).count == 3, "\(result)")
    #expect(result.output.components(separatedBy: "│ Namie, Japan │    M 1.50 │ 22:13 │").count == 3, "\(result)")
    #expect(result.output.contains(#""magnitude":1.5,"time":"2023-11-14T22:13:21Z""#), "\(result)")
    #expect(result.output.contains("format: expected date, time, dateTime, relative, percent"), "\(result)")
    #expect(result.output.contains("got 'tim'") && result.output.contains("results.columns: column 1"), "\(result)")
  }
}
