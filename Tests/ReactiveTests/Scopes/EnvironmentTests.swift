import Reactive
import Testing

private enum Theme: EnvironmentKey { static let defaultValue = "light" }
private enum Scale: EnvironmentKey { static let defaultValue = 1 }

extension EnvironmentValues {
  fileprivate var theme: String {
    get { self[Theme.self] }
    set { self[Theme.self] = newValue }
  }
  fileprivate var scale: Int {
    get { self[Scale.self] }
    set { self[Scale.self] = newValue }
  }
}

private enum Widest: PreferenceKey {
  static let defaultValue = 0
  static func reduce(value: inout Int, nextValue: () -> Int) { value = max(value, nextValue()) }
}

private enum Titles: PreferenceKey {
  static var defaultValue: [String] { [] }
  static func reduce(value: inout [String], nextValue: () -> [String]) { value += nextValue() }
}

@Suite struct EnvironmentTests {
  @Test func anEnvironmentHasOtherValuesInAScopeAndTheFormerOnesAfterItAlsoAfterAnError() {
    struct Mishap: Error {}
    let environment = Environment()
    #expect(environment.theme == "light")
    environment.with(\.theme, "dark") {
      environment.with(\.scale, 2) { #expect("\(environment.theme) \(environment.scale)" == "dark 2") }
      #expect("\(environment.theme) \(environment.scale)" == "dark 1")
      #expect(throws: Mishap.self) { try environment.with(\.theme, "red") { throw Mishap() } }
      #expect(environment.theme == "dark")
    }
    #expect(environment.theme == "light")
  }

  @Test func anEnvironmentGivesItsScopeToWhatRunsLater() {
    let environment = Environment()
    let scope = environment.with(\.theme, "dark") { environment.values }
    #expect(environment.with(scope) { environment.theme } == "dark")
    #expect(environment.theme == "light")
  }

  @Test func anEnvironmentOfPreferencesGoesUpwardsChildrensValuesAreReducedToOneForThoseAroundThem() {
    struct Mishap: Error {}
    let preferences = Preferences()
    var inner = 0
    let outer = preferences.collect(Titles.self) {
      preferences.set(Titles.self, ["a"])
      inner = preferences.collect(Widest.self) {
        preferences.set(Widest.self, 3)
        preferences.set(Titles.self, ["b", "c"])
        preferences.set(Widest.self, 7)
      }
      _ = try? preferences.collect(Titles.self) {
        preferences.set(Titles.self, ["lost"])
        throw Mishap()
      }
      preferences.set(Titles.self, ["d"])
    }
    #expect(outer == ["a", "b", "c", "d"])
    #expect(inner == 7)
    #expect(preferences.collect(Widest.self) {} == 0)
  }
}
