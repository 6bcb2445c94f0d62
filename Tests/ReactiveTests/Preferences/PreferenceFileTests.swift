import Foundation
import Reactive
import TestSupport
import Testing

extension TemporaryFolder {
  /// The file of preferences of a program that has this folder as its own.
  var preferences: String { file("perilune/storage.json") }

  func contents(_ folder: String = "perilune") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: file(folder)).sorted()
  }
}

@Suite struct PreferenceFileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func aPreferenceFileKeepsValuesOfEachTypeFromOneRunToTheNextExactly() {
    let values: [PreferenceValue] = [
      .bool(true), .int(.min), .int(5), .double(5), .double(0.1), .double(.infinity), .double(-0.0),
      .string("a \"b\"\n\u{1F30B}/"), .string(""), .data([0, 255, 10]), .date(1_705_940_772.25), .list([]),
      .dictionary([:]), .list([.int(1), .list([.bool(false)]), .dictionary(["": .double(1)])]),
    ]
    for (number, value) in values.enumerated() {
      AppStorage("v\(number)", PreferenceValue.int(0), in: PreferenceFile(path: folder.preferences)).value = value
    }
    let file = PreferenceFile(path: folder.preferences)
    for (number, value) in values.enumerated() {
      #expect(AppStorage("v\(number)", PreferenceValue.int(0), in: file).value == value)
    }
  }

  @Test func aPreferenceFileIsForItsOwnerAloneAndLeavesNothingBesideItButItsLock() throws {
    AppStorage("a", 1, in: PreferenceFile(path: folder.preferences)).value = 2
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.preferences)
    #expect((attributes[.posixPermissions] as? Int) == 0o600)
    #expect(try folder.contents() == ["storage.json", "storage.json.lock"])
  }

  @Test func aPreferenceFileTakesOverWhatOthersWroteMeanwhileKeyByKeyAndTellsOfIt() {
    let (one, other) = (PreferenceFile(path: folder.preferences), PreferenceFile(path: folder.preferences))
    let mine = AppStorage("mine", 0, in: one)
    let theirs = AppStorage("theirs", 0, in: one)
    var told: [Int] = []
    let token = theirs.onChange { new, _ in told.append(new) }
    AppStorage("theirs", 0, in: other).value = 7
    #expect(theirs.value == 0)
    mine.value = 1
    #expect(theirs.value == 7)
    #expect(told == [7])
    AppStorage("mine", 0, in: other).value = 5
    let fresh = PreferenceFile(path: folder.preferences)
    #expect(AppStorage("mine", 0, in: fresh).value == 5)
    #expect(AppStorage("theirs", 0, in: fresh).value == 7)
    token.cancel()
  }

  @Test func aPreferenceFileLosesNoValueOfWritersAtTheSameTime() {
    let path = folder.preferences
    DispatchQueue.concurrentPerform(iterations: 4) { writer in
      let file = PreferenceFile(path: path)
      for number in 0..<10 { AppStorage("\(writer).\(number)", 0, in: file).value = number + 1 }
    }
    let file = PreferenceFile(path: path)
    for writer in 0..<4 {
      for number in 0..<10 { #expect(AppStorage("\(writer).\(number)", 0, in: file).value == number + 1) }
    }
  }

  @Test(arguments: ["{\"app\":", "[]", "\u{0}", "{\"app\":{\"a\":{\"what\":1}}}"])
  func aPreferenceFileThatIsDamagedIsMovedAsideWholeAndToldOf(text: String) throws {
    AppStorage("a", 1, in: PreferenceFile(path: folder.preferences)).value = 2
    try Data(text.utf8).write(to: URL(filePath: folder.preferences))
    let file = PreferenceFile(path: folder.preferences)
    var problems: [PreferenceProblem] = []
    file.onProblem = { problems.append($0) }
    let storage = AppStorage("a", 1, in: file)
    #expect(storage.value == 1)
    let aside = folder.preferences + ".damaged-1"
    #expect(problems == [.damaged(path: folder.preferences, movedTo: aside)])
    #expect(try String(contentsOfFile: aside, encoding: .utf8) == text)
    storage.value = 3
    #expect(AppStorage("a", 1, in: PreferenceFile(path: folder.preferences)).value == 3)
    #expect(problems.count == 1)
  }

  @Test func aPreferenceFileThatWasDamagedSinceItWasReadIsNotOverwrittenEither() throws {
    let storage = AppStorage("a", 1, in: PreferenceFile(path: folder.preferences))
    storage.value = 2
    try Data("mine!".utf8).write(to: URL(filePath: folder.preferences))
    storage.value = 3
    #expect(try String(contentsOfFile: folder.preferences + ".damaged-1", encoding: .utf8) == "mine!")
    #expect(AppStorage("a", 1, in: PreferenceFile(path: folder.preferences)).value == 3)
  }

  @Test func aPreferenceFileThatWasEmptiedHasNoValues() throws {
    AppStorage("a", 1, in: PreferenceFile(path: folder.preferences)).value = 2
    try Data().write(to: URL(filePath: folder.preferences))
    #expect(AppStorage("a", 1, in: PreferenceFile(path: folder.preferences)).value == 1)
    try Data("{}".utf8).write(to: URL(filePath: folder.preferences))
    #expect(AppStorage("a", 1, in: PreferenceFile(path: folder.preferences)).value == 1)
    #expect(try folder.contents() == ["storage.json", "storage.json.lock"])
  }

  @Test func aPreferenceFileWhereNothingCanBeWrittenSaysSoOnceAndTheValuesLiveOnInMemory() throws {
    // A file stands where a folder would have to be: that stops even a superuser.
    try Data().write(to: folder.url.appending(path: "perilune"))
    let file = PreferenceFile(path: folder.preferences)
    var problems: [PreferenceProblem] = []
    file.onProblem = { problems.append($0) }
    let storage = AppStorage("a", 1, in: file)
    storage.value = 2
    storage.value = 3
    #expect(storage.value == 3)
    #expect(AppStorage("a", 1, in: file).value == 3)
    #expect(problems.count == 2)
    guard case .unwritable(folder.preferences, _)? = problems.last else {
      Issue.record("\(problems)")
      return
    }
  }

  @Test func aPreferenceFileThatCannotBeReadIsNotWritten() throws {
    try FileManager.default.createDirectory(atPath: folder.preferences, withIntermediateDirectories: true)
    let file = PreferenceFile(path: folder.preferences)
    var problems = 0
    file.onProblem = { _ in problems += 1 }
    AppStorage("a", 1, in: file).value = 2
    #expect(problems == 2)
    #expect(try folder.contents("perilune/storage.json") == [])
  }

  @Test func aPreferenceFileWritesToTheFileThatItsPathIsALinkTo() throws {
    let target = folder.url.appending(path: "real.json").path
    AppStorage("a", 1, in: PreferenceFile(path: target)).value = 2
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "perilune"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: folder.preferences, withDestinationPath: target)
    AppStorage("a", 1, in: PreferenceFile(path: folder.preferences)).value = 3
    #expect(AppStorage("a", 1, in: PreferenceFile(path: target)).value == 3)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.preferences) == target)
  }

  @Test func aPreferenceFileThatIsNotToKeepChangesReadsAndNeverWrites() throws {
    AppStorage("a", 1, in: PreferenceFile(path: folder.preferences)).value = 2
    let file = PreferenceFile(path: folder.preferences, keepsChanges: false)
    let storage = AppStorage("a", 1, in: file)
    #expect(storage.value == 2)
    storage.value = 3
    #expect(AppStorage("a", 1, in: file).value == 3)
    #expect(AppStorage("a", 1, in: PreferenceFile(path: folder.preferences)).value == 2)
  }

  @Test func aPreferenceFileWritesAllChangesAtOnceWhenAskedTo() {
    let file = PreferenceFile(path: folder.preferences)
    file.writesAtOnce = false
    let storage = AppStorage("a", 1, in: file)
    storage.value = 2
    #expect(!FileManager.default.fileExists(atPath: folder.preferences))
    file.save()
    #expect(AppStorage("a", 1, in: PreferenceFile(path: folder.preferences)).value == 2)
  }

  @Test func aPreferenceFileIsFoundInTheUsersConfiguration() {
    func path(_ environment: [String: String]) -> String? { PreferenceFile.standardPath { environment[$0] } }
    #expect(path(["XDG_CONFIG_HOME": "/c", "HOME": "/h"]) == "/c/perilune/storage.json")
    #expect(path(["XDG_CONFIG_HOME": "c", "HOME": "/h"]) == "/h/.config/perilune/storage.json")
    #expect(path([:]) == nil)
  }
}
