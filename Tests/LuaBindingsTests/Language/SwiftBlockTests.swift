import Testing

@testable import LuaBindings

/// What is entered is Swift where Lua cannot read it and only Swift writes like that.
@Suite struct SwiftBlockTests {
  static let swift = [
    "let now = Date.now", "var count: Int", "private var isVisible = true // Declares it.",
    "@State private var query = \"\"",
    "@Namespace private var namespace", "@Observable\nclass Person {\n  var name: String\n}",
    "@Bindable var person: Person",
    "struct QuakeList: View {", "class Person {\n  var name = \"\"\n}", "extension Quake {\n  static let all = 1\n}",
    "final class Store: ObservableObject {", "// a comment", "/* one */ let x = 1", "import SwiftUI",
    "$quakes.sortDescriptors", "$query",
    ".onChange(of: query) { value in\n  quakes.nsPredicate = nil\n}", ".searchable(text: $query)",
    "Table(quakes, sortOrder: $quakes.sortDescriptors) {\n  TableColumn(\"Place\", value: \\.place)\n}",
    "List {\n  ForEach(quakes) { quake in\n    Text(quake.place)\n  }\n}", "List {\n  ForEach(quakes) { quake in",
    "ForEach(trends, id:\\.id){ trend in\n  Row(trend)\n}",
    "Button(\"Strong\") {\n  $quakes.nsPredicate.wrappedValue = .init(value: false)\n}",
    "withAnimation(.none) {\n  save()\n}", "withAnimation {\n  let item = Item(context: viewContext)\n}",
    "TextField(\"Filter\", text: $query)", "Toggle(\"Visible\", isOn: $isVisible)",
    "var body: some View {\n  Text(\"a\")\n}", "init(start: Date) {\n  _quakes = FetchRequest(sortDescriptors: [])\n}",
    "ContentView()\n  .environment(\n    \\.managedObjectContext,\n    container.viewContext)",
    "sortDescriptors: [\n  .init(keyPath: \\Quake.time, ascending: true),\n]",
    "quakes.nsPredicate = query.isEmpty ? nil : NSPredicate(format: \"place CONTAINS %@\", query)",
    "_quakes = FetchRequest(entity: Quake.entity(), sortDescriptors: [])",
    "if isVisible == true {\n  Text(\"Hello\")\n}", "do {\n  try viewContext.save()\n} catch {\n}",
    "Rectangle()\n  .matchedGeometryEffect(id: id, in: namespace)", "SortDescriptor(\\.time, order: .reverse)",
    "Query(sort: \\Quake.time)", "func add() {\n  save()\n}", "static let strong = 5",
    "struct A: View {", "Button(\"a\") {\n  x = a ? b : c\n}",
    "guard let quake = quakes.first else { return }",
  ]

  static let lua = [
    "x = 1", "local x = 5", "let", "lets = 5", "init(\"a\")", "init(1, 2)", "init", "Quake:count()",
    "Quake:where \"magnitude > 5\"",
    "Button(\"abc\")", "List { 1, 2 }", "f { a = 1 }", "Quake { code = \"us1\" }", "for i = 1, 2 do", "if f {",
    "if x then",
    "while true do", "do", "do x = 1 end", "a.b.c = d", "x.y:z(1)", "import \"quakes.csv\"", "#results", "[1]", "NSFoo",
    "Query",
    "-- // comment", "return 5", "class", "class = 5", "struct.x = 1", "extension(1)", "var", "@Models",
    "import 'x.csv'",
    // Mistakes of Lua stay mistakes of Lua.
    "x = = 1", "Quake { code: \"us1\" }", "FetchRequest { entity: Quake }", "Quake:where(limit: 5)",
    "Quake.where(\"magnitude > 5\"",
    "foo(", "for i in 1 do", "x += 1", "if x == 1 then y = = 2 end",
    "if a && b then c() end", "if a || b then c() end", "while a != b do end", "local x = a && b", "x = y ? 1 : 2 then",
    // Predicates and SQL are recognized elsewhere.
    "place CONTAINS \"Chile\"", "magnitude > $minimum", "ANY reports.text == $text",
    "SUBQUERY(reports, $r, $r.text != nil).@count > 0",
    "select * from quake where code = $code", "SELECT place FROM quake", "class CONTAINS \"x\"", "class == $name",
    "", "   ", "\n", "\\dt", "?where", "= 5",
  ]

  @Test(arguments: swift) func whatOnlySwiftWritesIsSwift(_ text: String) {
    #expect(SwiftBlock(text) != nil)
    // As it is copied: indented, and with the line ends of another system.
    #expect(SwiftBlock("\n    " + text.replacing("\n", with: "\n    ")) != nil)
    #expect(SwiftBlock(text.replacing("\n", with: "\r\n")) != nil)
  }

  @Test(arguments: lua) func whatLuaReadsOrMayReadIsLua(_ text: String) { #expect(SwiftBlock(text) == nil) }

  @Test func lineByLineABlockBecomesSwiftBeforeLuaRefusesIt() throws {
    let lines = "Button(\"Strong\") {\n  $quakes.nsPredicate.wrappedValue = nil\n}".split(separator: "\n")
    // A call with a table may follow.
    #expect(SwiftBlock(String(lines[0])) == nil)
    let two = try #require(SwiftBlock(lines[..<2].joined(separator: "\n")))
    #expect(!two.isComplete)
    #expect(try #require(SwiftBlock(lines.joined(separator: "\n"))).isComplete)
  }

  @Test func anAttributeWaitsForWhatItIsOf() throws {
    for part in ["@State", "@FetchRequest(sortDescriptors: [])", "@Observable", "@Namespace private"] {
      #expect(try #require(SwiftBlock(part)).isComplete == false, "\(part)")
    }
    for whole in ["@Observable class A { }", "@Namespace var a", "@MainActor func f() { }"] {
      #expect(try #require(SwiftBlock(whole)).isComplete, "\(whole)")
    }
  }
}
