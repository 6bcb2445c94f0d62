import Foundation
import Observation
import PeriluneKit
import Testing

@Observable private final class People {
  var name: String
  var age: Int

  init(name: String, age: Int) { (self.name, self.age) = (name, age) }
}

private final class Library: ObservableObject {
  @Published var title = "Quakes"
  @Published var count = 1
  var note = ""
}

/// A structure with a property whose value is made before it is used.
private struct Fahrenheit: DynamicProperty {
  @State var celsius = 20.0
  @State private(set) var text = ""

  func update() { text = "\(celsius * 9 / 5 + 32) °F" }
}

private enum Widest: PreferenceKey {
  static var defaultValue: Int { 0 }
  static func reduce(value: inout Int, nextValue: () -> Int) { value = max(value, nextValue()) }
}

private enum Title: EnvironmentKey { static var defaultValue: String { "none" } }

extension EnvironmentValues {
  fileprivate var title: String {
    get { self[Title.self] }
    set { self[Title.self] = newValue }
  }
}

@Suite struct ObservingTests {
  private let container: PersistentContainer

  init() throws { container = try PersistentContainer(":memory:", for: EverythingSchema.self) }

  private struct Editor {
    @State var person = People(name: "fat", age: 18)
    @State var any: Any = 1
  }

  private final class Form {
    @Bindable var person: People
    init(person: People) { self.person = person }
  }

  @Test func effectsFollowObservableClassesInStatesAndBindables() throws {
    let editor = Editor()
    var seen: [String] = []
    let effect = container.effect { seen.append("\(editor.person.name) \(editor.person.age)") }
    let form = Form(person: editor.person)
    form.$person.name.wrappedValue = "thin"
    @Bindable var local = editor.person
    $local.age.wrappedValue += 1
    try container.turn.run()
    #expect(seen == ["fat 18", "thin 19"])
    editor.person = People(name: "new", age: 1)
    try container.turn.run()
    form.person.name = "ignored"
    try container.turn.run()
    #expect(seen == ["fat 18", "thin 19", "new 1"])
    effect.cancel()
  }

  @Test func aStateMayHaveAValueOfAnyType() throws {
    let editor = Editor()
    var runs = 0
    let effect = container.effect {
      _ = (editor.any, editor.person)
      runs += 1
    }
    editor.any = "text"
    try container.turn.run()
    // The same object is no change.
    editor.person = editor.person
    try container.turn.run()
    #expect(runs == 2 && editor.any as? String == "text")
    effect.cancel()
  }

  @Test func publishedPropertiesAnnounceThemselvesAndTheirObject() async throws {
    let library = Library()
    #expect(library.objectWillChange === library.objectWillChange)
    var titles: [String] = []
    let effect = container.effect { titles.append(library.title) }
    library.title = "Shocks"
    library.count = 2
    try container.turn.run()
    #expect(titles == ["Quakes", "Shocks"])
    effect.cancel()
    var announced = library.objectWillChange.makeAsyncIterator()
    var values = library.$title.makeAsyncIterator()
    let first = await values.next(isolation: #isolation)
    library.title = "Tremors"
    let second = await values.next(isolation: #isolation)
    let announcement: Void? = await announced.next(isolation: #isolation)
    #expect(first == "Shocks" && second == "Tremors" && announcement != nil)
  }

  @Test func wrappersOfObservableObjectsFollowTheWholeObject() throws {
    struct View {
      @StateObject var own = Library()
      @ObservedObject var given: Library
      @EnvironmentObject var shared: Library
      @Environment(Library.self) var found: Library?
    }
    let view = View(given: Library())
    let shared = Library()
    #expect(view.own === view.own && view.found == nil)
    var seen: [String] = []
    let effect = container.effect {
      withEnvironmentObject(shared) {
        seen.append(view.own.note + view.given.note + view.shared.note + (view.found?.note ?? "?"))
      }
    }
    view.given.note = "a"
    try container.turn.run()
    view.given.objectWillChange.send()
    try container.turn.run()
    view.$own.count.wrappedValue = 5
    shared.note = "s"
    try container.turn.run()
    #expect(seen == ["", "a", "ass"] && view.own.count == 5)
    effect.cancel()
  }

  @Test func dynamicPropertiesAreUpdatedBeforeTheirUse() throws {
    struct View {
      var weather = Fahrenheit()
      @FetchRequest(sortDescriptors: [SortDescriptor(\Part.number)]) var parts: FetchedResults<Part>
    }
    let view = View()
    updateDynamicProperties(of: view)
    #expect(view.weather.text == "68.0 °F")
    var seen: [String] = []
    let effect = container.effect(of: view) { seen.append($0.weather.text) }
    view.weather.celsius = 25
    try container.turn.run()
    #expect(seen == ["68.0 °F", "77.0 °F"])
    effect.cancel()
  }

  @Test func aTransactionAccompaniesWhateverChangesInIt() throws {
    let other = try PersistentContainer(":memory:", for: EverythingSchema.self)
    let (state, people) = (State(1), People(name: "fat", age: 18))
    var seen: [String] = []
    func note(_ text: String) { seen.append("\(text) \(container.turn.transaction.animation?.description ?? "-")") }
    let effects = [
      container.effect { note("state \(state.value)") }, container.effect { note("name \(people.name)") },
      other.effect { seen.append("other \(state.value) \(other.turn.transaction.animation?.description ?? "-")") },
    ]
    seen = []
    state.value = 2
    withAnimation(.easeIn) { people.name = "thin" }
    #expect(seen == ["state 2 -", "name thin easeIn"])
    seen = []
    withAnimation {
      state.value = 3
      withTransaction(Transaction(animation: .linear)) { state.value = 4 }
    }
    #expect(Set(seen) == ["state 4 default", "other 4 default"])
    seen = []
    withAnimation(.bouncy) {
      withAnimation(.linear) { state.value = 5 }
      #expect(seen.isEmpty)
    }
    #expect(Set(seen) == ["state 5 bouncy", "other 5 bouncy"])
    #expect(throws: CancellationError.self) { try withAnimation(.linear) { throw CancellationError() } }
    for effect in effects { effect.cancel() }
  }

  @Test func theEnvironmentOfTheProgramIsTheSameOnAllThreadsOutsideOfScopes() async {
    let values = await withEnvironment(\.title, "scoped") {
      Task.detached { EnvironmentValues.current.title }
    }.value
    #expect(values == "none")
    EnvironmentValues.set(\.title, "program")
    #expect(await Task.detached { EnvironmentValues.current.title }.value == "program")
    withEnvironment(\.title, "scoped") {
      EnvironmentValues.set(\.title, "inner")
      #expect(EnvironmentValues.current.title == "inner")
    }
    #expect(EnvironmentValues.current.title == "program")
  }

  @Test func preferencesAreReducedUpwards() {
    let outer = collectPreference(Widest.self) {
      setPreference(Widest.self, 3)
      #expect(collectPreference(Widest.self) { setPreference(Widest.self, 7) } == 7)
    }
    #expect(outer == 7 && collectPreference(Widest.self) {} == 0)
  }

  @Test func aNamespaceHasThingsOfAnyTypeAndOneSource() {
    struct View {
      @Namespace private var heroes
      @Namespace private var others
      var ids: [Namespace.ID] { [heroes, others] }
    }
    let view = View()
    let (heroes, others) = (view.ids[0], view.ids[1])
    #expect(heroes == view.ids[0] && heroes != others && Set(view.ids).count == 2)
    var warnings: [String] = []
    heroes.onWarning = { warnings.append("\($0.name)") }
    let library = Library()
    heroes.tag("hero", library)
    others.tag("hero", 5)
    heroes.tag("hero", "reader", isSource: false)
    #expect(heroes.resolve("hero", as: Library.self) === library && others.resolve("hero", as: Int.self) == 5)
    #expect(heroes.resolve("hero", as: String.self) == nil && heroes.readers(of: "hero") as? [String] == ["reader"])
    heroes.tag("hero", library)
    #expect(warnings.isEmpty)
    let second = heroes.tag("hero", Library())
    #expect(warnings == ["hero"])
    second.cancel()
    heroes.untag("hero")
    #expect(heroes.resolve("hero") == nil && others.resolve("hero") != nil)
  }
}
