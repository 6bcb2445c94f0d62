import Foundation
import PeriluneKit
import TestSupport
import Testing

private enum Theme: EnvironmentKey { static var defaultValue: String { "light" } }

extension EnvironmentValues {
  fileprivate var theme: String {
    get { self[Theme.self] }
    set { self[Theme.self] = newValue }
  }
}

private enum Size: String, PreferenceRepresentable { case small, large }

@Suite struct EnvironmentTests {
  private final class View {
    @Environment(\.theme) var theme
    @AppStorage("minimum") var minimum = 5.0
    @AppStorage("since") var since = Date(timeIntervalSince1970: 0)
    @AppStorage("size") var size = Size.small
    @SceneStorage("filter") var filter = ""
    @Namespace var heroes
    @State var text = "a"
  }

  @Test func aScopeHasItsOwnValues() {
    let view = View()
    withEnvironment(\.theme, "dark") {
      #expect(view.theme == "dark")
      EnvironmentValues.set(\.theme, "dusk")
      #expect(view.theme == "dusk")
      withEnvironment(\.theme, "night") { #expect(view.theme == "night") }
    }
    #expect(view.theme == "light")
  }

  @Test func appStorageLastsInTheFileOfTheEnvironment() throws {
    let folder = try TemporaryFolder()
    func run(_ body: (View) -> Void) {
      withEnvironment(\.defaultAppStorage, PreferenceFile(path: folder.file("storage.json"))) { body(View()) }
    }
    run { view in
      let minimum = view.$minimum
      minimum.wrappedValue += 1
      (view.since, view.size, view.filter) = (Date(timeIntervalSince1970: 3), .large, "x")
    }
    run { view in
      #expect(view.minimum == 6 && view.since == Date(timeIntervalSince1970: 3) && view.size == .large)
      #expect(view.filter == "x")
    }
  }

  @Test func sceneStorageIsOfTheStore() throws {
    let folder = try TemporaryFolder()
    let file = PreferenceFile(path: folder.file("storage.json"))
    let contexts = try ["a", "b"].map { name in
      try PersistentContainer(folder.file(name), for: EverythingSchema.self).viewContext
    }
    func filter(_ context: ManagedObjectContext, _ body: (View) -> Void) {
      withEnvironment(\.defaultAppStorage, file) { withEnvironment(\.managedObjectContext, context) { body(View()) } }
    }
    filter(contexts[0]) { $0.filter = "x" }
    filter(contexts[1]) { #expect($0.filter == "") }
    filter(contexts[0]) { #expect($0.filter == "x") }
  }

  @Test func aNamespaceIsItsOwn() {
    let (one, two) = (View(), View())
    one.heroes.tag("hero", "row")
    #expect(one.heroes.resolve("hero", as: String.self) == "row" && two.heroes.resolve("hero") == nil)
    one.$text.wrappedValue = "b"
    #expect(one.text == "b")
  }
}
