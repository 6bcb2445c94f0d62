import Foundation
import TestSupport
import Testing

@testable import Terminal

@Suite struct HistoryTests {
  private func file() throws -> HistoryFile {
    HistoryFile(path: TemporaryFolder.ofThisRun.path + "/\(UUID().uuidString)/perilune/history")
  }

  @Test func entriesComeBackFromTheFileAsTheyWere() throws {
    let file = try file()
    let texts = [
      "print(1)", "do\n  x = 1\nend", "#5", "#12\n\\#12\n\\\\#3", "", "a\r", "\n\nx\n", "#", "é雪",
      "x = [[\n#1700000000\n]]",
    ].filter { !$0.isEmpty }
    let history = History(file: file)
    for (index, text) in texts.enumerated() { #expect(history.record(text, time: 100 + index) != .none) }
    let again = History(file: file)
    #expect(again.entries.map(\.text) == texts)
    #expect(again.entries.map(\.time) == texts.indices.map { 100 + $0 })
  }

  @Test func theFileIsForItsOwnerAlone() throws {
    let file = try file()
    _ = History(file: file).record("secret", time: 1)
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
  }

  @Test func blankLinesAndThoseWithALeadingSpaceAreNotRecorded() {
    let history = History()
    for text in ["", " secret", "\n", "\t "] { #expect(history.record(text, time: 0) == .none) }
    #expect(history.entries.isEmpty)
  }

  @Test func aRepeatedEntryMovesToTheEnd() {
    let history = History()
    for text in ["a", "b", "c"] { #expect(history.record(text, time: 0) == .appended(removing: nil)) }
    #expect(history.record("c", time: 1) == .none)
    #expect(history.record("a", time: 1) == .appended(removing: 0))
    #expect(history.entries.map(\.text) == ["b", "c", "a"])
  }

  @Test func theOldestGoWhenThereAreTooMany() throws {
    let file = try file()
    let history = History(file: file, limit: 3)
    for index in 1...5 { _ = history.record("\(index)", time: index) }
    #expect(history.entries.map(\.text) == ["3", "4", "5"])
    #expect(History(file: file, limit: 3).entries.map(\.text) == ["3", "4", "5"])
  }

  @Test func aFileOfRepetitionsIsClearedUp() throws {
    let file = try file()
    for index in 0..<1_100 { file.append(History.Entry(text: "\(index % 3)", time: index)) }
    #expect(History(file: file).entries.map(\.text) == ["2", "0", "1"])
    #expect(file.read().count == 3)
  }

  @Test func theFileFollowsTheStandard() {
    #expect(HistoryFile.standard(["HOME": "/h"])?.path == "/h/.local/state/perilune/history")
    #expect(HistoryFile.standard(["HOME": "/h", "XDG_STATE_HOME": "/s"])?.path == "/s/perilune/history")
    #expect(HistoryFile.standard(["HOME": "/h", "XDG_STATE_HOME": ""])?.path == "/h/.local/state/perilune/history")
    #expect(HistoryFile.standard([:]) == nil)
  }

  @Test func aFileThatCannotBeWrittenDisturbsNobody() {
    let history = History(file: HistoryFile(path: "/proc/no/such/history"))
    #expect(history.record("x", time: 0) == .appended(removing: nil))
  }
}
