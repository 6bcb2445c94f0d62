import Testing

@testable import Presentation

@Suite struct TableTests {
  let books = MemoryRows(
    columns: [
      TabularColumn("id", type: "Int", alignment: .trailing, role: .key), TabularColumn("title", type: "String"),
      TabularColumn("price", type: "Double", alignment: .trailing), TabularColumn("author", role: .toOne),
      TabularColumn("tags", alignment: .trailing, role: .toMany), TabularColumn("cover"),
    ],
    rows: [
      [
        .integer(2), .text("The 雪 Machine"), .real(50.13), .reference(label: "Gabriel García Márquez"), .count(3),
        .null,
      ],
      [
        .integer(11), .text("nil"), .null, .reference(label: "村上 春樹"), .count(0),
        .blob(Blob(Array(repeating: 0xA8, count: 24))),
      ],
      [.integer(1769), .text(""), .real(5), .null, .count(12), .blob(Blob(byteCount: 90_000, head: [1, 2, 3]))],
    ], rowName: "Book")

  @Test func numbersStandUnderTheirPointsAndNothingDiffersFromItsName() throws {
    var options = terminal(width: 110)
    options.elapsed = { 0.000_4 }
    #expect(
      try rendered(.table, books, options) == """
        ┌──────┬────────────────┬───────┬──────────────────────────┬──────┬──────────────────┐
        │   id │ title          │ price │ author                   │ tags │ cover            │
        ├──────┼────────────────┼───────┼──────────────────────────┼──────┼──────────────────┤
        │    2 │ The 雪 Machine │ 50.13 │ → Gabriel García Márquez │    3 │ nil              │
        │   11 │ "nil"          │   nil │ → 村上 春樹              │    0 │ ‹24 B a8a8…a8a8› │
        │ 1769 │                │  5.0  │ nil                      │   12 │ ‹90 kB 0102…›    │
        └──────┴────────────────┴───────┴──────────────────────────┴──────┴──────────────────┘
          3 Book · 0.40 ms

        """)
  }

  @Test func floatsHaveSixDigitsInTablesAndAllOfThemElsewhere() throws {
    let values = [3.0714285714285716, -117.67123456, 0.000_123_456_789, 1_705_940_772.5172, 2.5, 1e300, 0.1 + 0.2]
    func rows() -> MemoryRows {
      MemoryRows(columns: [TabularColumn("x", alignment: .trailing)], rows: values.map { [.real($0)] })
    }
    let table = try rendered(.table, rows(), terminal(width: 60))
    for text in ["3.07143 ", "-117.671 ", "0.000123457 ", " 1705940772.5 ", "2.5 ", "1e+300", "0.3 "] {
      #expect(table.contains(text), "\(text) \(table)")
    }
    for mode in [OutputMode.lines, .csv, .json] {
      let whole = try rendered(mode, rows(), terminal(width: 60))
      #expect(whole.contains("3.0714285714285716") && whole.contains("1705940772.5172"), "\(whole)")
    }
  }

  @Test func theMarkOfAColumnIsNotCutOff() throws {
    var column = TabularColumn("[a very long name of a column", alignment: .trailing)
    column.mark = "] ▼"
    let rows = MemoryRows(
      columns: [column, TabularColumn("b")], rows: [[.integer(1), .text(String(repeating: "b", count: 90))]])
    var options = terminal(width: 40)
    options.allowsCards = false
    #expect(try rendered(.table, rows, options).contains("…] ▼ │"))
  }

  @Test func textGivesWayBeforeNumbersDo() throws {
    let table = try rendered(.table, books, terminal(width: 70))
    #expect(
      table.hasPrefix(
        """
        ┌──────┬───────────────┬───────┬───────────────┬──────┬──────────────┐
        │   id │ title         │ price │ author        │ tags │ cover        │
        """))
    #expect(table.contains("│ The 雪 Machi… │ 50.13 │ → Gabriel Ga… │    3 │"))
  }

  @Test func everyLineIsAsWideAsTheOthersAndFitsTheWindow() throws {
    let rows = scripts.map { [Cell.text($0.text), .text($0.text + $0.text), .integer(7)] }
    for width in 12...90 {
      let lines = try rendered(.table, textRows(rows), terminal(width: width)).split(separator: "\n").dropLast()
      let widths = Set(lines.map { $0.terminalWidth })
      #expect(widths.count == 1, "window of \(width)")
      #expect(widths.max() ?? 0 <= width)
    }
  }

  /// A terminal of either kind draws what it draws; the sequence behind it sets the border.
  @Test func aBorderBehindADisputedWidthIsPlacedByItsColumn() throws {
    let rows: [[Cell]] = [
      [.text("नि"), .text("👨‍👩‍👧")], [.text("plain"), .text("é")], [.integer(7), .text("🇯🇵")],
    ]
    for (movesCursor, count) in [(true, 3), (false, 0)] {
      var options = terminal(width: 40)
      options.movesCursor = movesCursor
      let lines = try rendered(.table, textRows(rows), options).split(separator: "\n").map(String.init)
      let border = lines[0].firstIndex(of: "┬").map { lines[0].distance(from: lines[0].startIndex, to: $0) } ?? 0
      let sequences = lines.joined().matches(of: /\u{1B}\[([0-9]+)G/).compactMap { Int($0.output.1) }
      #expect(sequences.count == count)
      // The place behind the blank that precedes a border, counted from 1, is the border's own, counted from 0.
      for column in sequences { #expect(column == border || column == lines[0].count - 1) }
    }
  }

  @Test func columnsAreDroppedFromTheEndWithANote() throws {
    let rows = (0..<5).map { row in (0..<9).map { Cell.text("value \(row) of column \($0)") } }
    let table = try rendered(.table, textRows(rows), terminal(width: 60))
    #expect(table.contains("│ a           │ b           │ c           │ d          │ … │"))
    #expect(table.contains("4 of 9 columns (.mode lines shows all)"))
  }

  @Test(arguments: stride(from: 30, through: 160, by: 7).map(\.self)) func whatWasAskedAboutStaysLongestAndTheTitleNext(
    _ width: Int
  ) throws {
    let standings: [TabularColumn.Standing] = [.other, .key, .other, .asked, .other, .title, .other, .asked, .other]
    let columns = standings.enumerated().map { place, standing in
      var column = TabularColumn("\(standing)\(place)", role: standing == .key ? .key : .attribute)
      column.standing = standing
      return column
    }
    // What was asked about is nil everywhere, which is an answer.
    let row = columns.map { $0.standing == .asked ? Cell.null : .text("a value of some length in \($0.name)") }
    let source = MemoryRows(columns: columns, rows: Array(repeating: row, count: 5))
    let table = try rendered(.table, source, terminal(width: width))
    let isShown = columns.map { column in
      table.split(separator: "\n")[1].split(separator: "│").contains {
        $0.trimmingPrefix(while: { $0 == " " }).prefix { $0 != " " } == column.name
      }
    }
    let shown = zip(columns, isShown).filter(\.1).map(\.0.standing)
    let dropped = zip(columns, isShown).filter { !$0.1 }.map(\.0)
    #expect(!shown.isEmpty)
    #expect(dropped.map(\.standing).max() ?? .other <= shown.min() ?? .other, "\(table)")
    let footer = try #require(table.split(separator: "\n").last)
    #expect(footer.terminalWidth <= width)
    if !dropped.isEmpty {
      let names = dropped.map(\.name).joined(separator: ", ")
      #expect(footer.contains("\(shown.count) of 9 columns"))
      #expect(footer.contains("without \(names) (") == footer.contains("without"))
    }
  }

  @Test func aColumnThatDoesNotFitLeavesItsRoomToThoseBehindIt() throws {
    let cells = [Cell.integer(1), .integer(123_456_789_012), .integer(2), .integer(3)]
    let columns = ["a", "b", "c", "d"].map { TabularColumn($0, alignment: .trailing) }
    let table = try rendered(
      .table, MemoryRows(columns: columns, rows: Array(repeating: cells, count: 5)), terminal(width: 20))
    #expect(table.contains("│ a │ … │ c │ d │"))
  }

  @Test func aLongResultShowsItsEndsAndCountsTheRest() throws {
    let source = textRows((1...2_000).map { [.integer($0)] }, rowName: "Book")
    let lines = try rendered(.table, source, terminal(width: 80)).split(separator: "\n")
    #expect(lines.count == 3 + 20 + 1 + 5 + 1 + 1)
    #expect(lines[23] == "│ ⋮    │")
    #expect(lines[24] == "│ 1996 │")
    #expect(lines.last == "  25 of 2,000 Book")
  }

  @Test func theRowsBetweenTheEndsAreCountedWhereThereIsRoom() throws {
    let rows = (1...2_000).map { [Cell.text("the number \($0) of them")] }
    let lines = try rendered(.table, textRows(rows), terminal(width: 80)).split(separator: "\n")
    #expect(lines[23] == "│ ⋮ 1,975 in between      │")
    #expect(lines[24] == "│ the number 1996 of them │")
  }

  @Test func datesAreCutToTheDayBeforeColumnsAreDropped() throws {
    func table(_ width: Int, asked: Bool = false) throws -> [Substring] {
      var time = TabularColumn("time", type: "Date")
      if asked { time.standing = .asked }
      let columns = [TabularColumn("code"), time, TabularColumn("updated", type: "Date"), TabularColumn("n")]
      let row = [
        Cell.text("us1"), .date("2024-01-22T20:30:00Z"), .date("2024-02-23T01:02:03Z"), .text("a text of some length"),
      ]
      let source = MemoryRows(columns: columns, rows: Array(repeating: row, count: 5))
      return try rendered(.table, source, terminal(width: width)).split(separator: "\n")
    }
    #expect(try table(100)[3].contains("│ 2024-01-22T20:30:00Z │ 2024-02-23T01:02:03Z │"))
    #expect(try table(67)[3].contains("│ 2024-01-22T20:30:00Z │ 2024-02-23T01:02:03Z │ a text of"))
    #expect(try table(56)[3].contains("│ 2024-01-22 │ 2024-02-23 │ a text of some"))
    #expect(try table(57, asked: true)[3].contains("│ 2024-01-22T20:30:00Z │ 2024-02-23 │ a text"))
    #expect(try table(47, asked: true)[3].contains("│ us1  │ 2024-01-22 │ 2024-02-23 │ a text"))
    #expect(try table(47)[1].contains("│ code │ time       │ updated    │ n "))
    #expect(try table(46)[1].contains("…"))
  }

  @Test func aLongResultSaysHowToSeeAllOfItWhereThereIsRoom() throws {
    func footer(_ rows: Int64, width: Int) throws -> String? {
      var options = terminal(width: width)
      options.remedyForRows = ".last shows all"
      let source = textRows((1...rows).map { [.integer($0)] }, rowName: "Book")
      return try rendered(.table, source, options).split(separator: "\n").last.map(String.init)
    }
    #expect(try footer(2_000, width: 80) == "  25 of 2,000 Book (.last shows all)")
    #expect(try footer(2_000, width: 36) == "  25 of 2,000 Book (.last shows all)")
    #expect(try footer(2_000, width: 35) == "  25 of 2,000 Book")
    #expect(try footer(25, width: 80) == "  25 Book")
  }

  @Test func aResultWhoseEndIsFarSaysThatThereIsMore() throws {
    let source = Endless()
    let table = try rendered(.table, source, terminal(width: 80))
    #expect(table.hasSuffix("  the first 20 rows\n"))
    #expect(source.asked == 26, "no more rows are read than are needed")
  }

  @Test func allRowsAreShownWhenAskedFor() throws {
    var options = terminal(width: 80)
    options.rows = .all
    let lines = try rendered(.table, textRows((1...1_500).map { [.integer($0)] }), options).split(separator: "\n")
    #expect(lines.count == 1_500 + 5)
    #expect(lines.last == "  1,500 rows")
  }

  @Test func aLimitIsCountedAgainstTheWhole() throws {
    var options = terminal(width: 80)
    options.limit = 3
    let lines = try rendered(.table, textRows((1...50).map { [.integer($0)] }), options).split(separator: "\n")
    #expect(lines.last == "  3 of 50 rows")
    options.limit = 40
    #expect(
      try rendered(.table, textRows((1...50).map { [.integer($0)] }), options).hasSuffix(
        "│ 40 │\n└────┘\n  40 of 50 rows\n"))
  }

  @Test func aFewWideRowsBecomeCards() throws {
    let row = (0..<6).map { Cell.text("a long value in column \($0), too long for all") }
    let cards = try rendered(.table, textRows([row], rowName: "Book"), terminal(width: 40))
    #expect(
      cards.hasPrefix(
        """
        ── Book 1 ──────────────────────────────
          a  a long value in column 0, too long\u{20}
             for all
        """))
    #expect(cards.hasSuffix("  1 Book\n"))
  }

  @Test func theFrameIsASCIIWithoutUTF8() throws {
    let table = try rendered(
      .table, textRows([[.text("é\n雪")], [.reference(label: "x")]]), terminal(width: 40, charset: .ascii))
    #expect(table == "+------+\n| a    |\n+------+\n| ?\\n? |\n| -> x |\n+------+\n  2 rows\n")
  }

  @Test func nothingIsDimOnATerminalWithColours() throws {
    var options = terminal(width: 40)
    options.style = Style(enabled: true)
    let table = try rendered(.table, textRows([[.null], [.text("nil")]]), options)
    #expect(table.contains("\u{1B}[2mnil\u{1B}[0m"))
    #expect(table.contains(" \"nil\" "))
  }

  @Test func anEmptyResultShowsItsColumns() throws {
    let source = MemoryRows(columns: [TabularColumn("title")], rows: [], rowName: "Book")
    #expect(
      try rendered(.table, source, terminal(width: 40)) == "┌───────┐\n│ title │\n├───────┤\n└───────┘\n  0 Book\n")
  }

  /// Rows without an end, which count how often they were asked.
  final class Endless: TabularSource {
    let columns = [TabularColumn("n")]
    var asked = 0
    func next() -> [Cell]? {
      asked += 1
      return [.integer(Int64(asked))]
    }
  }
}
