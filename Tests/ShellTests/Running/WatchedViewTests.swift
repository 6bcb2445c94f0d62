import Testing

/// `perilune watch VIEW.swift STORE` shows the list of a view, live.
@Suite(.serialized) struct WatchedViewTests {
  private static let view = """
    import SwiftUI

    struct QuakeList: View {
        @SectionedFetchRequest private var quakes: SectionedFetchResults<String, Quake>

        init(minimum: Double) {
            _quakes = SectionedFetchRequest<String, Quake>(
                sectionIdentifier: \\.place,
                sortDescriptors: [SortDescriptor(\\.place, comparator: .lexical), SortDescriptor(\\.code)],
                predicate: NSPredicate(format: "magnitude >= %@", minimum as NSNumber))
        }

        var body: some View {
            List {
                ForEach(quakes) { section in
                    Section(header: Text(section.id)) {
                        ForEach(section) { quake in QuakeRow(quake: quake) }
                    }
                }
            }
            .navigationTitle("Quakes")
        }
    }

    struct QuakeRow: View {
        let quake: Quake
        var body: some View {
            HStack {
                Text(quake.code)
                Text("M \\(quake.magnitude, format: .number.precision(.fractionLength(1)))")
            }
        }
    }
    """

  private static func program() throws -> BuiltProgram {
    let program = try BuiltProgram.withStore()
    try program.write("View.swift", view)
    return program
  }

  @Test func aTerminalGetsItOnAFullScreen() throws {
    let program = try Self.program()
    let session = try program.terminal("watch View.swift quakes.sqlite --param minimum=4", columns: 80, rows: 24)
    try session.expectScreen { screen in
      let text = screen.lines.joined(separator: "\n")
      return text.contains("2 Quake") && text.contains("in 2 sections by place") && text.contains("Suva  1")
        && text.contains("M 5.5") && text.contains("[code]")
    }
    // What another program writes is on it at once.
    let other = try program.run([
      "quakes.sqlite", "-e", "Quake { code = 'new', magnitude = 8.25, place = 'Suva' } save()",
    ])
    #expect(other.status == 0)
    try session.expectScreen { $0.lines.joined().contains("M 8.3") }
    session.send("q")
    #expect(try session.waitForExit() == 0)
  }

  @Test(arguments: ["List { }.searchable(text: $query)", #"TextField("Filter", text: $query)"#])
  func theKeyOfTheFilterTypesIntoTheFieldOfTheView(field: String) throws {
    let program = try BuiltProgram.withStore()
    try program.write(
      "Search.swift",
      """
      struct QuakeList: View {
          @State private var query = ""
          @FetchRequest(sortDescriptors: [SortDescriptor(\\.code)]) private var quakes: FetchedResults<Quake>
          var body: some View {
              List { ForEach(quakes) { quake in Text(quake.code) } }
                  .onChange(of: query) { value in
                      quakes.nsPredicate = value.isEmpty ? nil : NSPredicate(format: "code == %@", value)
                  }
              \(field)
          }
      }
      """)
    let session = try program.terminal("watch Search.swift quakes.sqlite", columns: 80, rows: 24)
    try session.expectScreen { $0.lines.joined().contains("5 Quake") && $0.lines.joined().contains("/ search") }
    session.send("/us3")
    try session.expectScreen { screen in
      screen.lines.joined().contains("1 Quake") && screen.lines.joined().contains("search: us3")
    }
    session.send("\u{1B}")
    try session.expectScreen { $0.lines.joined().contains("5 Quake") }
    session.send("q")
    #expect(try session.waitForExit() == 0)
  }

  @Test func aPipeGetsEachRowAndEachChange() throws {
    let program = try Self.program()
    let result = try program.run(["watch", "View.swift", "quakes.sqlite", "--param", "minimum=5", "--timeout", "1"])
    #expect(
      result.output == #"{"event":"initial","index":0,"id":"Quake/5","values":{"code":"us5","magnitude":5.5}}"# + "\n",
      "\(result)")
    #expect(result.status == 124)
    #expect(result.errors.contains("note: left out: HStack, .navigationTitle\n"), "\(result)")
  }

  @Test func whatIsMissingIsSaid() throws {
    let program = try Self.program()
    func errors(_ arguments: [String]) throws -> String {
      let result = try program.run(["watch"] + arguments)
      #expect(result.status != 0)
      return result.errors
    }
    #expect(
      try errors(["View.swift", "quakes.sqlite"])
        == "perilune: error: the view's request needs values: --param minimum=Double\n")
    #expect(
      try errors(["View.swift", "quakes.sqlite", "--param", "minimu=4"])
        == "perilune: error: the view's request has no 'minimu'; did you mean 'minimum'?\n")
    #expect(try errors(["View.swift"]).contains("expected a view and a store: perilune watch VIEW.swift STORE"))
    #expect(try errors(["Missing.swift", "quakes.sqlite"]).contains("Missing.swift"))
    try program.write("Empty.swift", "struct A: View { var body: some View { Text(\"a\") } }")
    #expect(try errors(["Empty.swift", "quakes.sqlite"]).contains("has no list of a request"))
  }
}
