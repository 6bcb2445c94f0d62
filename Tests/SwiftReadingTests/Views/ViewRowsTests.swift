import SwiftReading
import Testing

/// What a view's body says of rows: columns, titles, formats, sections.
@Suite struct ViewRowsTests {
  private func list(_ source: String) throws -> SwiftScript.List {
    try #require(SwiftScript(source, in: SwiftScriptTests.scope).lists.first)
  }

  private func column(_ path: String, _ title: String? = nil, _ format: String? = nil) -> SwiftScript.Column {
    SwiftScript.Column(path: path, title: title, format: format)
  }

  @Test func columnsOfATableHaveTheirTitlesAndFormats() throws {
    let list = try list(
      """
      Table(quakes, sortOrder: $quakes.sortDescriptors) {
        TableColumn("Place", value: \\.place)
        TableColumn("Time", value: \\.time) { quake in Text(quake.time, style: .time) }
        TableColumn("Size") { quake in Text(quake.magnitude, format: .number.precision(.fractionLength(1))) }
      }
      """)
    #expect(list.results == "quakes" && !list.isSectioned)
    #expect(
      list.columns == [column("place", "Place"), column("time", "Time", "time"), column("magnitude", "Size", "%.1f")])
  }

  @Test func textsOfARowAreItsColumns() throws {
    let list = try list(
      """
      List {
        ForEach(quakes) { quake in
          if let time = quake.time {
            NavigationLink { Text("Quake at \\(time)") } label: {
              HStack { Text(quake.place ?? "") ; Spacer() ; Text("M \\(quake.magnitude)") ; Text(time, format: .dateTime.hour()) }
            }
          }
        }
      }
      """)
    #expect(list.columns == [column("place"), column("magnitude", nil, "M {}"), column("time", nil, "time")])
  }

  @Test(arguments: [
    ("Text(q.time, format: .dateTime)", "dateTime"), ("Text(q.time, style: .date)", "date"),
    ("Text(q.time, style: .relative)", "relative"), ("Text(q.time, format: .dateTime.year().month())", "date"),
    ("Text(\"At \\(q.time, format: .dateTime)!\")", "At {dateTime}!"), ("Text(q.time, style: .timer)", "relative"),
    ("Text(q.time, format: .percent)", "percent"),
  ])
  func aFormatIsThatOfTheColumn(_ text: String, _ format: String) throws {
    #expect(try list("ForEach(quakes) { q in \(text) }").columns == [column("time", nil, format)])
  }

  @Test func sectionsAreThoseOfTheResults() throws {
    let list = try list(
      """
      List {
        ForEach(quakes) { section in
          Section(header: Text(section.id)) {
            ForEach(section) { quake in QuakeRow(quake: quake) }
          }
        }
      }
      struct QuakeRow: View {
        let quake: Quake
        var body: some View { Text(quake.place) }
      }
      """)
    #expect(list.isSectioned && list.columns == [column("place")])
  }

  @Test func aHeadingThatSaysMoreIsNamed() {
    func leftOut(_ header: String) -> [String] {
      SwiftScript(
        "ForEach(quakes) { s in Section(header: \(header)) { ForEach(s) { q in Text(q.place) } } }",
        in: SwiftScriptTests.scope
      )
      .leftOut
    }
    #expect(leftOut("Text(s.id)").isEmpty && leftOut("Text(\"\\(s.id)\")").isEmpty)
    #expect(
      leftOut("Text(\"Day \\(s.id)\")") == ["Section's header"] && leftOut("Text(\"All\")") == ["Section's header"])
  }

  @Test func rowsThatShowEachOtherEnd() throws {
    let rows = (0..<30).map {
      "struct R\($0): View { let q: Quake\n var body: some View { R\(($0 + 1) % 30)(q: q) ; R\(($0 + 2) % 30)(q: q) ; Text(q.place) } }"
    }
    let list = try list("ForEach(quakes) { quake in R0(q: quake) }\n" + rows.joined(separator: "\n"))
    #expect(list.columns == [column("place")])
  }

  @Test func listsWithinListsAreReadOnce() {
    let depth = 40
    let opening = (0..<depth).map { "ForEach(list\($0)) { e\($0) in " }.joined()
    let source = opening + "Circle().tag(1)" + String(repeating: "}", count: depth)
    #expect(SwiftScript(source, in: SwiftScriptTests.scope).requests.isEmpty)
  }
}
