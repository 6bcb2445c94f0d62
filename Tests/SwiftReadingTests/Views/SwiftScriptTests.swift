import Modeling
import SwiftReading
import Testing

/// Swift besides requests is read as lines of Lua.
@Suite struct SwiftScriptTests {
  static var scope: SwiftScope {
    let kinds: [String: SwiftScope.Kind] = [
      "quakes": .results(entity: "Quake"), "query": .state, "person": .observable, "space": .namespace, "title": .other,
      "strong": .request(entity: "Quake"),
    ]
    return SwiftScope(
      model: ReadingSample.model, kind: { kinds[$0] }, isReserved: { ["show", "save", "Quake"].contains($0) })
  }

  struct Case: Sendable, CustomStringConvertible {
    var swift: String
    var lua: [String]
    var description: String { swift }
  }

  static let declarations = [
    Case(swift: "@State private var text = \"a\\\"b\"", lua: ["text = State(\"a\\\"b\")"]),
    Case(swift: "@State var number: Int?", lua: ["number = State(nil)"]),
    // A name of ours stays ours.
    Case(swift: "@State var show = false", lua: ["showValue = State(false)"]),
    Case(swift: "@State var `end` = 1", lua: ["endValue = State(1)"]),
    Case(swift: "@AppStorage(\"limit\") private var limit = 5", lua: ["limit = AppStorage(\"limit\", 5)"]),
    Case(swift: "@Namespace private var namespace", lua: ["namespace = Namespace()"]),
    Case(
      swift: "@Environment(\\.managedObjectContext) private var viewContext",
      lua: ["viewContext = Environment.managedObjectContext"]),
    Case(swift: "let id = \"1\"", lua: ["id = \"1\""]),
    Case(swift: "private var isVisible = true", lua: ["isVisible = true"]),
    Case(
      swift: "@Observable class Person { var name: String\n var age = 3\n init(name: String) { self.name = name } }",
      lua: [
        "function Person(values)", "  local object = { name = null, age = 3 }",
        "  for name, value in pairs(values or {}) do object[name] = value end", "  return Observable(object)", "end",
      ]),
    Case(
      swift:
        "struct A: View { @Namespace var n\n var body: some View { Circle().matchedGeometryEffect(id: \"1\", in: n) } }",
      lua: ["n = Namespace()", "n:tag(\"1\", \"Circle\", { source = true })"]),
  ]

  static let closures = [
    Case(
      swift:
        "Button(\"Only strong\") { $quakes.nsPredicate.wrappedValue = NSPredicate(format: \"magnitude > %@\", 5 as NSNumber) }",
      lua: ["function onlyStrong()", "  quakes.predicate = Predicate(\"magnitude > %@\", 5)", "end"]),
    Case(
      swift: "Button(\"Save\") { $quakes.sortDescriptors.wrappedValue = [.init(\\Quake.magnitude, order: .reverse)] }",
      lua: ["function saveAction()", "  quakes.sortDescriptors = { \"-magnitude\" }", "end"]),
    Case(
      swift: "Button(action: { quakes.nsPredicate = nil }) { Label(\"All\", systemImage: \"x\") }",
      lua: ["function all()", "  quakes.predicate = nil", "end"]),
    Case(
      swift:
        ".onChange(of: query) { value in quakes.nsPredicate = query.isEmpty ? nil : NSPredicate(format: \"place CONTAINS %@\", value) }",
      lua: [
        "function onChangeQuery(value)",
        "  quakes.predicate = #value > 0 and Predicate(\"place CONTAINS %@\", value) or nil", "end",
        "query:onChange(onChangeQuery)",
      ]),
    Case(
      swift: ".onChange(of: query) { old, new in if new != old { query = old } }",
      lua: [
        "function onChangeQuery(new, old)", "  if new ~= old then", "    query.value = old", "  end", "end",
        "query:onChange(onChangeQuery)",
      ]),
    Case(
      swift: "func toggle() { query.toggle() }", lua: ["function toggle()", "  query.value = not query.value", "end"]),
    Case(
      swift:
        "private func add(_ name: String) { let quake = Quake(context: viewContext); quake.place = name; try? viewContext.save() }",
      lua: ["function add(name)", "  local quake = Quake {}", "  quake.place = name", "  save()", "end"]),
    Case(
      swift: "func drop() { for quake in quakes { viewContext.delete(quake) } }",
      lua: ["function drop()", "  for _, quake in ipairs(quakes) do", "    quake:delete()", "  end", "end"]),
  ]

  static let actions = [
    Case(
      swift:
        "withAnimation(.none) { let q = Quake(context: viewContext)\n q.time = Date()\n do { try viewContext.save() } catch { } }",
      lua: [
        "withAnimation(nil, function()", "  local q = Quake {}", "  q.time = Date()", "  save()", "end)",
      ]),
    Case(
      swift: "withAnimation(.easeIn(duration: 1)) { query = \"a\" + title }",
      lua: ["withAnimation(\"easeIn\", function()", "  query.value = \"a\" .. title", "end)"]),
    Case(
      swift: "ContentView().environment(\\.managedObjectContext, container.viewContext)",
      lua: ["Environment.with({ managedObjectContext = context }, function() end)"]),
    Case(
      swift: "sortDescriptors: [.init(keyPath: \\Quake.time, ascending: false), SortDescriptor(\\Quake.place)]",
      lua: ["sortDescriptors = { \"-time\", SortDescriptor(\"place\", { comparator = \"standard\" }) }"]),
    Case(
      swift: "print(\"a \\(title == \"x\" ? \"b\\\"\" : \"c\") d\")",
      lua: ["print(\"a \" .. tostring((title == \"x\") and \"b\\\"\" or \"c\") .. \" d\")"]),
    Case(
      swift: "query = \"Chile\"; $quakes.nsPredicate.wrappedValue = nil",
      lua: ["query.value = \"Chile\"", "quakes.predicate = nil"]),
    Case(
      swift: "Circle().matchedGeometryEffect(id: other, in: space)",
      lua: ["space:tag(other, \"Circle\", { source = true })"]),
    Case(
      swift: "ForEach(trends) { trend in Row().accessibilityRotorEntry(id: trend.id, in: space) }",
      lua: ["for _, trend in ipairs(trends) do", "  space:tag(trend.id, \"Row\", { source = true })", "end"]),
    Case(
      swift: "List { ForEach(others) { other in Text(other.place) } }",
      lua: ["watch(others, { columns = { \"place\" } })"]),
    Case(swift: "List(strong) { quake in Text(quake.place) }", lua: ["watch(strong, { columns = { \"place\" } })"]),
  ]

  @Test(arguments: declarations) func aDeclarationDeclaresItsProperties(_ example: Case) {
    let script = SwiftScript(example.swift, in: Self.scope)
    #expect(script.declarations == example.lua && script.actions.isEmpty)
  }

  @Test(arguments: closures) func aClosureIsANamedFunction(_ example: Case) {
    let script = SwiftScript(example.swift, in: Self.scope)
    #expect(script.completions == example.lua && script.actions.isEmpty, "\(script)")
  }

  @Test(arguments: actions) func whatActsIsSaidAndNotDeclared(_ example: Case) {
    let script = SwiftScript(example.swift, in: Self.scope)
    #expect(script.actions == example.lua && !script.declares, "\(script)")
  }

  @Test func aFunctionSaysWhatItChanges() {
    let script = SwiftScript(Self.closures[0].swift, in: Self.scope)
    #expect(script.functions.map(\.place) == ["Button \"Only strong\""])
    #expect(script.functions.map(\.changes) == [["quakes.predicate"]])
  }

  @Test func functionsOfOneNameAreNumbered() {
    let source = String(repeating: "Button(\"Go\") { query = \"a\" }\n", count: 2_000)
    let names = SwiftScript("@State var go2 = 1\n" + source, in: Self.scope).functions.map(\.name)
    #expect(names.prefix(3) == ["go", "go3", "go4"] && Set(names).count == 2_000)
  }

  @Test func bindingsAreThoseOfLua() {
    let source = """
      TextField("Filter", text: $query)
      Toggle("On", isOn: $person.isOn)
      Table(quakes, sortOrder: $quakes.sortDescriptors) { }
      """
    #expect(
      SwiftScript(source, in: Self.scope).bindings.map(\.lua) == [
        "query:binding()", "Bindable(person).isOn", "quakes:binding \"sortDescriptors\"",
      ])
  }

  @Test func aBindingIsNotOfAPlainValue() {
    #expect(SwiftScript("let isOn = true\nToggle(\"On\", isOn: $isOn)", in: Self.scope).plain == ["isOn"])
    #expect(SwiftScript("TextField(\"Filter\", text: $query)", in: Self.scope).plain.isEmpty)
  }

  @Test func whatCannotBeSaidIsNamed() {
    let script = SwiftScript(
      "struct A: View { @GestureState var g = 1\n var body: some View { VStack { Button(\"Go\") { switch x { default: y() } } }.padding() } }",
      in: Self.scope)
    #expect(script.leftOut == ["@GestureState", "VStack", "Button \"Go\"", ".padding"])
    #expect(!script.declares && script.actions.isEmpty)
  }

  // MARK: Requests

  @Test func namesWithoutAValueHaveTheirTypes() throws {
    let source = """
      struct L: View {
        @FetchRequest private var quakes: FetchedResults<Quake>
        init(since: Date, minimum: Double = 5) {
          _quakes = FetchRequest(sortDescriptors: [], predicate: NSPredicate(format: "time > %@ AND magnitude > %@", since as NSDate, minimum as NSNumber))
        }
      }
      """
    let request = try #require(SwiftScript(source, in: Self.scope).requests.first)
    #expect(request.name == "quakes" && !request.isQuery)
    #expect(request.variables.map(\.name) == ["since", "minimum"])
    #expect(request.variables.map(\.type) == ["Date", "Double"])
  }

  @Test func anInitialiserAloneMakesTheRequestsThatItNames() {
    let source = """
      init(minimum: Double) {
        _strong = FetchRequest<Quake>(sortDescriptors: [], predicate: NSPredicate(format: "magnitude > %@", minimum as NSNumber))
        _all = Query(sort: \\Quake.time)
      }
      """
    let requests = SwiftScript(source, in: Self.scope).requests
    #expect(requests.map(\.name) == ["strong", "all"] && requests.map(\.isQuery) == [false, true])
    #expect(requests[0].variables.map(\.name) == ["minimum"] && requests[1].variables.isEmpty)
  }

  @Test func eachOfSeveralRequestsHasASourceOfItsOwn() throws {
    let source = """
      @FetchRequest(sortDescriptors: []) var all: FetchedResults<Quake>
      @Query(filter: #Predicate<Quake> { $0.magnitude > 5 }) var strong: [Quake]
      """
    let script = SwiftScript(source, in: Self.scope)
    #expect(script.requests.map(\.name) == ["all", "strong"] && script.requests.map(\.isQuery) == [false, true])
    #expect(!script.requests[0].source.contains("strong") && script.requests[1].source.contains("@Query"))
    #expect(!script.requests[1].source.contains("all"))
  }

  @Test func aConstantThatIsARequestOrAPredicateHasItsName() {
    let request =
      "extension Quake { static let strong: NSFetchRequest<Quake> = { let r = NSFetchRequest<Quake>(entityName: \"Quake\"); return r }() }"
    #expect(SwiftScript(request, in: Self.scope).source == .request)
    #expect(SwiftScript(request, in: Self.scope).sourceName == "strong")
    let predicate = SwiftScript("let now = Date.now\nlet recent = #Predicate<Quake> { $0.time < now }", in: Self.scope)
    #expect(predicate.source == .predicate && predicate.sourceName == "recent")
    #expect(SwiftScript("#Predicate<Quake> { $0.magnitude > 5 }", in: Self.scope).sourceName == nil)
  }
}
