import Foundation
import SQLite
import TestSupport
import Testing

@testable import Shell
@testable import Terminal

@Suite struct HistoryStoreTests {
  private let folder = TemporaryFolder.ofThisRun.path + "/\(UUID().uuidString)/perilune"

  private func history(_ place: String = "/a", limit: Int = 100) throws -> History {
    History(keeper: try HistoryStore(folder: folder).keeper { place }, limit: limit)
  }

  @Test func entriesComeBackAsTheyWere() throws {
    let texts = ["print(1)", "do\n  x = 1\nend", "#5", "a\r", "\n\nx\n", "#", "é雪", "a\u{0}b"]
    let first = try history()
    for (index, text) in texts.enumerated() { first.record(text, time: 100 + index) }
    first.finish(try #require(first.recorded), duration: 0.25, rows: 7, hasFailed: true)
    let again = try history()
    #expect(again.entries.map(\.text) == texts)
    #expect(again.entries.map(\.time) == texts.indices.map { 100 + $0 })
    #expect(again.entries.last == first.entries.last)
    #expect(again.entries.last?.rows == 7 && again.entries.last?.hasFailed == true)
  }

  @Test func theEntriesOfTheOpenStoreAreTheNewest() throws {
    try history("/a").record("of a", time: 1)
    try history("/b").record("of b", time: 2)
    try history("/a").record("of both", time: 3)
    try history("/b").record("of both", time: 4)
    #expect(try history("/a").entries.map(\.text) == ["of b", "of a", "of both"])
    #expect(try history("/b").entries.map(\.text) == ["of a", "of b", "of both"])
    #expect(try history("/a").matching(HistorySearch("of"), limit: 9).map(\.text) == ["of a", "of both"])
    let all = try history("/a").matching(HistorySearch("of", takesAll: true), limit: 9)
    #expect(all.map(\.text) == ["of b", "of both", "of a", "of both"])
  }

  @Test func anotherStoreBringsItsOwnEntries() throws {
    var place = "/a"
    let history = History(keeper: try HistoryStore(folder: folder).keeper { place })
    history.record("of a", time: 1)
    #expect(!history.follow())
    place = "/b"
    #expect(history.follow())
    history.record("of b", time: 2)
    #expect(history.entries.map(\.text) == ["of a", "of b"])
    place = "/a"
    #expect(history.follow())
    #expect(history.entries.map(\.text) == ["of b", "of a"])
  }

  @Test func shellsThatWriteAtOnceLoseNothing() async throws {
    let folder = folder
    await withTaskGroup(of: Void.self) { group in
      for shell in 0..<4 {
        group.addTask {
          guard let store = try? HistoryStore(folder: folder) else { return }
          let history = History(keeper: store.keeper { "/a" })
          for line in 0..<25 { history.record("\(shell) \(line)", time: line) }
        }
      }
    }
    #expect(Set(try history(limit: 1_000).entries.map(\.text)).count == 100)
  }

  @Test func theOldFileIsTakenOverOnce() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let old = "#12\nprint(1)\n#13\ndo\n\\#12\nend\n#14\nopen 'postgres://me:secret@db'\n"
    try old.write(toFile: folder + "/history", atomically: true, encoding: .utf8)
    let texts = ["print(1)", "do\n#12\nend", "open 'postgres://me@db'"]
    #expect(try history().entries.map(\.text) == texts)
    #expect(try history().entries.map(\.time) == [12, 13, 14])
    try history().record("new", time: 15)
    #expect(try history().matching(HistorySearch("", takesAll: true), limit: 9).map(\.text) == texts + ["new"])
  }

  @Test func theFileIsForItsOwnerAlone() throws {
    try history().record("secret", time: 1)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600, "\(name)")
    }
  }

  @Test func aDamagedFileIsRefusedAndLeftAsItIs() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let rubbish = String(repeating: "no database ", count: 500)
    try rubbish.write(toFile: folder + "/history.db", atomically: true, encoding: .utf8)
    #expect(throws: (any Error).self) { try HistoryStore(folder: folder) }
    #expect(try String(contentsOfFile: folder + "/history.db", encoding: .utf8) == rubbish)
  }

  @Test func whatCannotBeKeptIsToldOnceAndStaysForTheSession() throws {
    let store = try HistoryStore(folder: folder)
    var failures = 0
    store.onFailure = { _ in failures += 1 }
    let history = History(keeper: store.keeper { "/a" })
    // A table that another program took away.
    let other = try Connection(folder + "/history.db")
    try other.execute("DROP TABLE entry")
    history.record("x", time: 0)
    history.record("y", time: 0)
    #expect(failures == 1)
    #expect(history.entries.map(\.text) == ["x", "y"])
  }

  @Test func theFolderFollowsTheStandard() {
    #expect(HistoryStore.standardFolder(["HOME": "/h"]) == "/h/.local/state/perilune")
    #expect(HistoryStore.standardFolder(["HOME": "/h", "XDG_STATE_HOME": "/s"]) == "/s/perilune")
    #expect(HistoryStore.standardFolder(["HOME": "/h", "XDG_STATE_HOME": ""]) == "/h/.local/state/perilune")
    #expect(HistoryStore.standardFolder([:]) == nil)
  }

  @Test func aShellWithoutItsHistorySaysSoOnceAndGoesOn() throws {
    let program = try BuiltProgram.withStore()
    let home = try temporaryFolder()
    try FileManager.default.createDirectory(
      atPath: home + "/.local/state/perilune/history.db", withIntermediateDirectories: true)
    let session = try PTYSession(
      executable: BuiltProgram.executable, arguments: ["-q", "--no-init", program.path("quakes.sqlite")],
      environment: ["TERM": "xterm", "HOME": home, "INPUTRC": "/dev/null", "LANG": "C.UTF-8"])
    try session.expect("warning: the history is kept for this session only:")
    try session.expect("quakes> ")
    session.send("1 + 1\r")
    try session.expect("2\nquakes> ")
    session.send("\u{1B}[A\r")
    try session.expect("2\nquakes> ")
  }

  @Test func thePromptKeepsRowsTimeAndFailure() throws {
    let program = try BuiltProgram.withStore()
    let home = try temporaryFolder()
    func session() throws -> PTYSession {
      let session = try PTYSession(
        executable: BuiltProgram.executable, arguments: ["-q", "--no-init", program.path("quakes.sqlite")],
        environment: ["TERM": "xterm", "HOME": home, "INPUTRC": "/dev/null", "LANG": "C.UTF-8"])
      try session.expect("quakes> ")
      return session
    }
    let first = try session()
    first.send("Quake:where \"magnitude > 3\"\r")
    try first.expect("3 Quake")
    try first.expect("quakes> ")
    first.send("error \"no\"\r")
    try first.expect("error: ")
    try first.expect("quakes> ")
    first.send(" hidden = 1\r")
    try first.expect("quakes> ")
    let second = try session()
    second.send(".history --failed\r")
    try second.expectScreen { $0.lines.contains { $0.contains("failed  error \"no\"") } }
    second.send(".history magnitude where\r")
    try second.expectScreen { $0.lines.contains { $0.contains("Quake:where \"magnitude > 3\"  3 rows") } }
    second.send(".history hidden =\r.history --wrong\r")
    try second.expect("--wrong")
    #expect(!second.transcript.contains("hidden = 1"))
  }
}
