import Testing

@testable import Session
@testable import Shell

/// Swift that is pasted at the prompt declares its properties in the session, and shows what its views show.
@Suite(.serialized) struct PastedSwiftTests {
  private func paste(_ text: String, _ session: PTYSession) throws {
    session.send("\u{1B}[200~\(text)\u{1B}[201~")
    session.settle()
    session.send("\r")
  }

  private static let view = """
    struct QuakeList: View {
        @FetchRequest(sortDescriptors: [SortDescriptor(\\.time, order: .reverse)])
        private var quakes: FetchedResults<Quake>
        @State private var query = ""

        var body: some View {
            Table(quakes, sortOrder: $quakes.sortDescriptors) {
                TableColumn("Where", value: \\.place)
                TableColumn("Size") { quake in
                    Text(quake.magnitude, format: .number.precision(.fractionLength(2)))
                }
                TableColumn("When", value: \\.time) { quake in Text(quake.time, style: .time) }
            }
            .onChange(of: query) { value in
                quakes.nsPredicate = query.isEmpty
                    ? nil
                    : NSPredicate(format: "place CONTAINS %@", value)
            }
            TextField("Filter", text: $query)
            Button("Only strong") { quakes.nsPredicate = NSPredicate(format: "magnitude > %@", 4 as NSNumber) }
            Image(systemName: "waveform")
        }
    }
    """

  @Test func aViewDeclaresWhatItsPropertiesAre() throws {
    let program = try BuiltProgram.withStore()
    let session = try program.terminal("--no-init quakes.sqlite", columns: 120, rows: 60)
    try session.expect("quakes> ")
    try paste(Self.view, session)
    for text in [
      "Where", "Size", "When", "Suva", "5.50", "22:13", "quakes is live, with the columns Where, Size, When",
      "query = State(\"\")", "onChangeQuery(value) sets quakes.predicate, and runs with each change",
      "onlyStrong() sets quakes.predicate", "TextField \"Filter\": query:binding()", "left out: Image",
    ] {
      try session.expect(text)
    }
    try session.expectPrompt()
    try paste("query.value = 'Japan'", session)
    try session.expectPrompt()
    try paste("#quakes + 100", session)
    try session.expect("101")
    try session.expectPrompt()
    try paste("onlyStrong() return #quakes + 200", session)
    try session.expect("202")
    try session.expectPrompt()
    // The pasted request is the last value but one; what it selects was not changed.
    try paste("_1.sortDescriptors[1].keyPath .. '!'", session)
    try session.expect("time!")
    try session.expectPrompt()
    try paste("quakes.predicate = nil; return quakes", session)
    try session.expect("Where")
    try session.expect("4.50")
  }

  @Test func namesWithoutAValueAreTold() throws {
    let program = try BuiltProgram.withStore()
    let session = try program.terminal("--no-init quakes.sqlite", columns: 160, rows: 40)
    try session.expect("quakes> ")
    try paste(
      """
      @FetchRequest private var strong: FetchedResults<Quake>
      init(minimum: Double, since: Date) {
        _strong = FetchRequest(sortDescriptors: [], predicate: NSPredicate(format: "magnitude > %@ AND time > %@", minimum as NSNumber, since as NSDate))
      }
      """, session)
    try session.expect("Quake where magnitude > $minimum AND time > $since")
    try session.expect("minimum (Double) and since (Date) have no value; give them some: ")
    try session.expect("strong = strong:bind { minimum = 1.5, since = Date \"2026-01-01\" }:live()")
    try session.expectPrompt()
    try paste("#_:bind { minimum = 3, since = Date(0) }:fetch() + 100", session)
    try session.expect("103")
  }

  struct Answer: Sendable, CustomStringConvertible {
    var swift: String
    var answer: String
    var description: String { swift }
  }

  static let answers = [
    Answer(swift: "TextField(\"Filter\", text: $query)", answer: "the same here: query:binding()"),
    Answer(
      swift: "ContentView()\n.environment(\n\\.managedObjectContext,\ncontainer.viewContext)",
      answer: "the same here: Environment.with({ managedObjectContext = context }, function() end)"),
    Answer(
      swift:
        "withAnimation(.none) {\n  let quake = Quake(context: viewContext)\n  quake.time = Date()\n  try viewContext.save()\n}",
      answer:
        "\n  withAnimation(nil, function()\n    local quake = Quake {}\n    quake.time = Date()\n    save()\n  end)\n"),
    Answer(
      swift: "sortDescriptors: [\n  .init(keyPath: \\Quake.place, ascending: true),\n]",
      answer: "the same here: sortDescriptors = { \"place\" }"),
    Answer(swift: "VStack {\n  Text(\"a\").padding(.all)\n}", answer: "left out: VStack, Text, .padding"),
    Answer(
      swift: "List {\n  ForEach(trips) { trip in\n  }\n}",
      answer: "nothing is called trips yet; paste its declaration first"),
  ]

  @Test(arguments: answers) func whatActsIsAnsweredWithTheLuaForIt(_ example: Answer) throws {
    let result = try BuiltProgram.withStore().run(["quakes.sqlite"], input: example.swift)
    #expect(result.status == 1 && result.output.isEmpty, "\(result)")
    #expect(result.errors.contains(example.answer), "\(result)")
    #expect(result.errors.hasPrefix("perilune: error: this is Swift"), "\(result)")
  }

  @Test func whatIsPipedInRunsAsAtThePrompt() throws {
    let program = try BuiltProgram.withStore()
    let source = Self.view.replacing("\n", with: "\r\n").replacing("    ", with: "\t")
    let result = try program.run(["--mode", "csv", "quakes.sqlite"], input: source)
    #expect(result.status == 0)
    // Data are the values themselves.
    #expect(result.output.hasPrefix("Where,Size,When\nSuva,5.5,2023-11-14T22:13:25Z\n"), "\(result)")
    #expect(result.errors == "note: left out: Image\n")
    #expect(try program.run(["-q", "quakes.sqlite"], input: Self.view).errors == "")
  }

  /// A file as Xcode's templates make them.
  private static let file = """
    //
    //  ContentView.swift
    //

    import SwiftUI
    import CoreData

    struct ContentView: View {
        @Environment(\\.managedObjectContext) private var viewContext

        @FetchRequest(
            sortDescriptors: [NSSortDescriptor(keyPath: \\Quake.code, ascending: true)],
            animation: .default)
        private var quakes: FetchedResults<Quake>

        var body: some View {
            NavigationView {
                List {
                    ForEach(quakes) { quake in
                        NavigationLink {
                            Text("Quake at \\(quake.time!, formatter: quakeFormatter)")
                        } label: {
                            Text(quake.code!)
                            Text(quake.time!, style: .date)
                        }
                    }
                    .onDelete(perform: deleteQuakes)
                }
                .toolbar {
                    ToolbarItem { Button(action: addQuake) { Label("Add Quake", systemImage: "plus") } }
                }
            }
        }

        private func addQuake() {
            withAnimation {
                let newQuake = Quake(context: viewContext)
                newQuake.code = "new"
                newQuake.time = Date()
                do {
                    try viewContext.save()
                } catch {
                    let nsError = error as NSError
                    fatalError("Unresolved error \\(nsError), \\(nsError.userInfo)")
                }
            }
        }

        private func deleteQuakes(offsets: IndexSet) {
            withAnimation { offsets.map { quakes[$0] }.forEach(viewContext.delete) }
        }
    }

    private let quakeFormatter: DateFormatter = {
        let formatter = DateFormatter()
        formatter.dateStyle = .short
        return formatter
    }()

    #Preview { ContentView() }
    """

  @Test func aWholeFileIsPasted() throws {
    let program = try BuiltProgram.withStore()
    let session = try program.terminal("--no-init quakes.sqlite", columns: 200, rows: 60)
    try session.expect("quakes> ")
    try paste(Self.file, session)
    for text in [
      "│ us1  │ 2023-11-14 │", "quakes is live, with the columns code, time", "addQuake() is func addQuake",
      "left out: ", "func deleteQuakes", "quakeFormatter",
    ] {
      try session.expect(text)
    }
    try session.expectPrompt()
    try paste("addQuake()", session)
    try session.expect("saved: 1 inserted")
    try session.expectPrompt()
    try paste("quakes[1].code .. '!'", session)
    try session.expect("new!")
  }

  @Test func aListShowsTheResultsOfTheSession() throws {
    let program = try BuiltProgram.withStore()
    let session = try program.terminal("--no-init quakes.sqlite", columns: 120, rows: 40)
    try session.expect("quakes> ")
    try paste("strong = Quake:where('magnitude > 4'):live()", session)
    try session.expectPrompt()
    // The view of a row is not there.
    try paste("List {\n    ForEach(strong) { quake in\n        QuakeRow(quake: quake)\n    }\n}", session)
    try session.expect("Suva")
    try session.expect("strong is shown")
    try session.expect("left out: QuakeRow")
    try session.expectPrompt()
    try paste("isVisible = true", session)
    try session.expectPrompt()
    try paste("Toggle(\"Visible\", isOn: $isVisible)", session)
    try session.expect("isVisible is no State, which has a binding: isVisible = State(isVisible)")
    try session.expect("the same here: isVisible:binding()")
  }

  @Test func severalRequestsAreEachTheirOwn() throws {
    let source = """
      @FetchRequest(sortDescriptors: [SortDescriptor(\\.magnitude)]) var quakes: FetchedResults<Quake>
      @Query(sort: \\Report.text) var reports: [Report]
      """
    let program = try BuiltProgram.withStore()
    let session = try program.terminal("--no-init quakes.sqlite", columns: 100, rows: 40)
    try session.expect("quakes> ")
    try paste(source, session)
    try session.expect("quakes is live")
    try session.expect("reports is live")
    try session.expectPrompt()
    try paste("#quakes * 100 + #reports", session)
    try session.expect("501")
  }

  @Test func mistakesOfRequestsAreThoseOfSwift() throws {
    let result = try BuiltProgram.withStore().run(
      ["quakes.sqlite"],
      input:
        "@Query(filter: #Predicate<Quake> { $0.magnitud > 5 }) var quakes: [Quake]\nList { ForEach(quakes) { q in Text(q.place) } }"
    )
    #expect(result.status == 1 && result.errors.contains("Quake has no property 'magnitud'; did you mean 'magnitude'?"))
  }

  @Test func aNamespaceWithTwoSourcesWarns() throws {
    let result = try BuiltProgram.withStore().run(
      ["quakes.sqlite"],
      input: """
        struct Pair: View {
          @Namespace var namespace
          var body: some View {
            VStack {
              Circle().matchedGeometryEffect(id: "1", in: namespace)
              Circle().matchedGeometryEffect(id: "1", in: namespace)
            }
          }
        }
        """)
    #expect(result.errors.contains("'1' has two sources, Circle and Circle 2; the first one is used"), "\(result)")
  }

  @Test func aKeptPasteIsItsRequest() throws {
    let program = try BuiltProgram.withStore()
    let session = try program.terminal("--no-init quakes.sqlite", columns: 100, rows: 40)
    try session.expect("quakes> ")
    try paste(
      "@FetchRequest(sortDescriptors: [SortDescriptor(\\.magnitude)]) var quakes: FetchedResults<Quake>", session)
    try session.expectPrompt()
    try paste(".keep mine", session)
    try session.expectPrompt()
    try paste(".kept mine", session)
    try session.expect("Suva")
  }

  @Test(arguments: ["@State", "@FetchRequest(", "/* a comment"])
  func sourceThatIsNotCompleteIsAnError(text: String) throws {
    let result = try BuiltProgram.withStore().run(["quakes.sqlite", "-e", text])
    #expect(result.status == 1 && result.errors.contains("not complete"), "\(result)")
  }

}
