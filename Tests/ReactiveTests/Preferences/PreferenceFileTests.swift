import Foundation
import Reactive
import Testing

/// A folder that goes with the test.
final class TemporaryFolder {
  let url = FileManager.default.temporaryDirectory.appending(path: "perilune-\(UUID())")
  var file: String { url.appending(path: "perilune/storage.json").path }

  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
  deinit {
    try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: url.path)
    try? FileManager.default.removeItem(at: url)
  }

  func contents(_ folder: String = "perilune") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.appending(path: folder).path).sorted()
  }
}

@Suite("A preference file")
struct PreferenceFileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("keeps values of each type from one run to the next, exactly")
  func types() {
    let values: [PreferenceValue] = [
      .bool(true), .int(.min), .int(5), .double(5), .double(0.1), .double(.infinity), .double(-0.0),
      .string("a \"b\"\n\u{1F30B}/"), .string(""), .data([0, 255, 10]), .date(1_705_940_772.25), .list([]),
      .dictionary([:]), .list([.int(1), .list([.bool(false)]), .dictionary(["": .double(1)])]),
    ]
    for (number, value) in values.enumerated() {
      AppStorage("v\(number)", PreferenceValue.int(0), in: PreferenceFile(path: folder.file)).value = value
    }
    let file = PreferenceFile(path: folder.file)
    for (number, value) in values.enumerated() {
      #expect(AppStorage("v\(number)", PreferenceValue.int(0), in: file).value == value)
    }
  }

  @Test("is for its owner alone, and leaves nothing beside it but its lock")
  func permissions() throws {
    AppStorage("a", 1, in: PreferenceFile(path: folder.file)).value = 2
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.file)
    #expect((attributes[.posixPermissions] as? Int) == 0o600)
    #expect(try folder.contents() == ["storage.json", "storage.json.lock"])
  }

  @Test("takes over what others wrote meanwhile, key by key, and tells of it")
  func merged() {
    let (one, other) = (PreferenceFile(path: folder.file), PreferenceFile(path: folder.file))
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
    let fresh = PreferenceFile(path: folder.file)
    #expect(AppStorage("mine", 0, in: fresh).value == 5)
    #expect(AppStorage("theirs", 0, in: fresh).value == 7)
    token.cancel()
  }

  @Test("loses no value of writers at the same time")
  func concurrentWriters() {
    let path = folder.file
    DispatchQueue.concurrentPerform(iterations: 4) { writer in
      let file = PreferenceFile(path: path)
      for number in 0..<10 { AppStorage("\(writer).\(number)", 0, in: file).value = number + 1 }
    }
    let file = PreferenceFile(path: path)
    for writer in 0..<4 {
      for number in 0..<10 { #expect(AppStorage("\(writer).\(number)", 0, in: file).value == number + 1) }
    }
  }

  @Test(
    "that is damaged is moved aside, whole, and told of",
    arguments: ["{\"app\":", "[]", "\u{0}", "{\"app\":{\"a\":{\"what\":1}}}"])
  func damaged(text: String) throws {
    AppStorage("a", 1, in: PreferenceFile(path: folder.file)).value = 2
    try Data(text.utf8).write(to: URL(filePath: folder.file))
    let file = PreferenceFile(path: folder.file)
    var problems: [PreferenceProblem] = []
    file.onProblem = { problems.append($0) }
    let storage = AppStorage("a", 1, in: file)
    #expect(storage.value == 1)
    let aside = folder.file + ".damaged-1"
    #expect(problems == [.damaged(path: folder.file, movedTo: aside)])
    #expect(try String(contentsOfFile: aside, encoding: .utf8) == text)
    storage.value = 3
    #expect(AppStorage("a", 1, in: PreferenceFile(path: folder.file)).value == 3)
    #expect(problems.count == 1)
  }

  @Test("that was damaged since it was read is not overwritten either")
  func damagedMeanwhile() throws {
    let storage = AppStorage("a", 1, in: PreferenceFile(path: folder.file))
    storage.value = 2
    try Data("mine!".utf8).write(to: URL(filePath: folder.file))
    storage.value = 3
    #expect(try String(contentsOfFile: folder.file + ".damaged-1", encoding: .utf8) == "mine!")
    #expect(AppStorage("a", 1, in: PreferenceFile(path: folder.file)).value == 3)
  }

  @Test("that was emptied has no values")
  func empty() throws {
    AppStorage("a", 1, in: PreferenceFile(path: folder.file)).value = 2
    try Data().write(to: URL(filePath: folder.file))
    #expect(AppStorage("a", 1, in: PreferenceFile(path: folder.file)).value == 1)
    try Data("{}".utf8).write(to: URL(filePath: folder.file))
    #expect(AppStorage("a", 1, in: PreferenceFile(path: folder.file)).value == 1)
    #expect(try folder.contents() == ["storage.json", "storage.json.lock"])
  }

  @Test("where nothing can be written says so once, and the values live on in memory")
  func unwritable() throws {
    // A file stands where a folder would have to be: that stops even a superuser.
    try Data().write(to: folder.url.appending(path: "perilune"))
    let file = PreferenceFile(path: folder.file)
    var problems: [PreferenceProblem] = []
    file.onProblem = { problems.append($0) }
    let storage = AppStorage("a", 1, in: file)
    storage.value = 2
    storage.value = 3
    #expect(storage.value == 3)
    #expect(AppStorage("a", 1, in: file).value == 3)
    #expect(problems.count == 2)
    guard case .unwritable(folder.file, _)? = problems.last else {
      Issue.record("\(problems)")
      return
    }
  }

  @Test("that cannot be read is not written")
  func unreadable() throws {
    try FileManager.default.createDirectory(atPath: folder.file, withIntermediateDirectories: true)
    let file = PreferenceFile(path: folder.file)
    var problems = 0
    file.onProblem = { _ in problems += 1 }
    AppStorage("a", 1, in: file).value = 2
    #expect(problems == 2)
    #expect(try folder.contents("perilune/storage.json") == [])
  }

  @Test("writes to the file that its path is a link to")
  func links() throws {
    let target = folder.url.appending(path: "real.json").path
    AppStorage("a", 1, in: PreferenceFile(path: target)).value = 2
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "perilune"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: folder.file, withDestinationPath: target)
    AppStorage("a", 1, in: PreferenceFile(path: folder.file)).value = 3
    #expect(AppStorage("a", 1, in: PreferenceFile(path: target)).value == 3)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.file) == target)
  }

  @Test("that is not to keep changes reads and never writes")
  func rehearsal() throws {
    AppStorage("a", 1, in: PreferenceFile(path: folder.file)).value = 2
    let file = PreferenceFile(path: folder.file, keepsChanges: false)
    let storage = AppStorage("a", 1, in: file)
    #expect(storage.value == 2)
    storage.value = 3
    #expect(AppStorage("a", 1, in: file).value == 3)
    #expect(AppStorage("a", 1, in: PreferenceFile(path: folder.file)).value == 2)
  }

  @Test("writes all changes at once when asked to")
  func deferred() {
    let file = PreferenceFile(path: folder.file)
    file.writesAtOnce = false
    let storage = AppStorage("a", 1, in: file)
    storage.value = 2
    #expect(!FileManager.default.fileExists(atPath: folder.file))
    file.save()
    #expect(AppStorage("a", 1, in: PreferenceFile(path: folder.file)).value == 2)
  }

  @Test("is found in the user's configuration")
  func standardPath() {
    func path(_ environment: [String: String]) -> String? { PreferenceFile.standardPath { environment[$0] } }
    #expect(path(["XDG_CONFIG_HOME": "/c", "HOME": "/h"]) == "/c/perilune/storage.json")
    #expect(path(["XDG_CONFIG_HOME": "c", "HOME": "/h"]) == "/h/.config/perilune/storage.json")
    #expect(path([:]) == nil)
  }
}
