import Foundation
import Reactive
import TestSupport
import Testing

@Suite struct StorageTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func aStoredValueIsOneValueForAllThatHaveItsName() throws {
    let file = PreferenceFile(path: nil)
    let (one, other) = (AppStorage("minimum", 5, in: file), AppStorage("minimum", 0, in: file))
    one.value = 6
    #expect(other.value == 6)
    var told: [Int] = []
    let token = one.onChange { new, _ in told.append(new) }
    other.binding().wrappedValue = 7
    #expect(told == [7])
    try one.set(nil)
    #expect(one.value == 5)
    #expect(other.value == 0)
    token.cancel()
  }

  @Test func aStoredValueKeepsWhatItsObserverHasSetLast() {
    let file = PreferenceFile(path: folder.preferences)
    let storage = AppStorage("minimum", 5, in: file)
    let token = storage.onChange { new, _ in if new > 10 { storage.value = 10 } }
    storage.value = 50
    #expect(storage.value == 10)
    #expect(AppStorage("minimum", 5, in: PreferenceFile(path: folder.preferences)).value == 10)
    token.cancel()
  }

  @Test func aStoredValueOfAnotherTypeThanItsDefaultStaysInTheFileIsToldOfAndTheDefaultCounts() {
    AppStorage("minimum", "five", in: PreferenceFile(path: folder.preferences)).value = "six"
    let file = PreferenceFile(path: folder.preferences)
    var problems: [PreferenceProblem] = []
    file.onProblem = { problems.append($0) }
    #expect(AppStorage("minimum", 5, in: file).value == 5)
    #expect(problems == [.otherType(name: "minimum", expected: "int", found: "string")])
    #expect(AppStorage("minimum", "", in: PreferenceFile(path: folder.preferences)).value == "six")
  }

  @Test func aStoredValueOfASceneBelongsToThatScene() {
    let file = PreferenceFile(path: folder.preferences)
    let one = SceneStorage("filter", "", of: "/a.sqlite", in: file)
    one.value = "magnitude > 5"
    #expect(SceneStorage("filter", "", of: "/b.sqlite", in: file).value == "")
    #expect(AppStorage("filter", "", in: file).value == "")
    let fresh = PreferenceFile(path: folder.preferences)
    #expect(SceneStorage("filter", "", of: "/a.sqlite", in: fresh).value == "magnitude > 5")
  }

  @Test func aStoredValueIsAPropertyAndIsTracked() throws {
    final class Settings {
      @AppStorage("sizes", in: PreferenceFile(path: nil)) var sizes = ["a": [1.5]]
    }
    let settings = Settings()
    let turn = Turn()
    var seen: [Int] = []
    Effect(turn) { [unowned settings] in seen.append(settings.sizes.count) }
    settings.$sizes[key: "b"].wrappedValue = [2]
    try turn.run()
    #expect(seen == [1, 2])
  }

  @Test func whatAnotherProcessWritesIsReadAtTheNextRefreshAndReported() throws {
    let folder = try TemporaryFolder()
    let (mine, theirs) = (PreferenceFile(path: folder.preferences), PreferenceFile(path: folder.preferences))
    mine.writesAtOnce = false
    let minimum = AppStorage("minimum", 5, in: mine)
    let own = AppStorage("own", 1, in: mine)
    var told: [String] = []
    _ = minimum.onChange { new, old in told.append("\(old)→\(new)") }
    mine.refresh()
    AppStorage("minimum", 5, in: theirs).value = 6
    #expect(minimum.value == 5)
    own.value = 2
    mine.refresh()
    mine.refresh()
    #expect(minimum.value == 6)
    #expect(own.value == 2)
    #expect(told == ["5→6"])
    // Own writes are not reported again.
    mine.save()
    mine.refresh()
    #expect(told == ["5→6"])
    #expect(AppStorage("own", 1, in: PreferenceFile(path: folder.preferences)).value == 2)
    // An incomplete file is ignored; a missing one has no values.
    try "{ \"app\": {".write(toFile: folder.preferences, atomically: false, encoding: .utf8)
    mine.refresh()
    #expect(minimum.value == 6)
    try FileManager.default.removeItem(atPath: folder.preferences)
    mine.refresh()
    #expect(minimum.value == 5)
  }
}
