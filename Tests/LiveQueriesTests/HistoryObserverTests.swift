import Foundation
import LiveQueries
import Modeling
import Reactive
import SQLiteStorage
import Stores
import TestSupport
import Testing

@Suite struct HistoryObserverTests {
  private let store: SQLiteStore
  private let turn = Turn()
  private let folder: URL

  init() throws {
    folder = TemporaryFolder.ofThisRun.appendingPathComponent("perilune-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var options = StoreOptions(path: folder.appendingPathComponent("history.sqlite").path)
    options.create = true
    options.history = true
    options.model = try Model(
      ["Trip", "Place"].map { EntityDescription($0, properties: [.attribute(Attribute("name", .string))]) })
    store = try SQLiteStore(options)
  }

  private func entity(_ name: String) throws -> Entity { try #require(store.model.entity(named: name)) }

  private func write(_ sql: String, author: String? = nil, to store: SQLiteStore? = nil) throws {
    let store = store ?? self.store
    try store.attributing(TransactionInfo(author: author)) { _ = try store.sql(sql) }
  }

  @Test func eachCommitThatIsNoticedCounts() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let observer = try HistoryObserver(store, turn: turn)
    let start = observer.historyToken
    var counts: [Int] = []
    let token = observer.onChange { counts.append($0.eventCounter) }
    try observer.noticeCommit()
    try turn.run()
    #expect(counts.isEmpty)
    try write("INSERT INTO trip (name) VALUES ('a')")
    try observer.noticeCommit()
    try write("INSERT INTO place (name) VALUES ('a')")
    try observer.noticeCommit()
    try turn.run()
    #expect(counts == [2, 2])
    #expect(try observer.historyToken == store.currentHistoryToken)
    #expect(observer.historyToken > start)
    token.cancel()
    try write("DELETE FROM trip")
    try observer.noticeCommit()
    try turn.run()
    #expect(counts.count == 2)
    #expect(observer.eventCounter == 3)
  }

  @Test func onlyWhatIsRelevantCounts() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let observer = try HistoryObserver(store, entities: [entity("Trip")], authors: ["import", "sync"], turn: turn)
    for (sql, author, count) in [
      ("INSERT INTO trip (name) VALUES ('a')", "import", 1), ("INSERT INTO trip (name) VALUES ('a')", "me", 1),
      ("INSERT INTO place (name) VALUES ('a')", "sync", 1), ("UPDATE trip SET name = 'b'", "sync", 2),
    ] {
      try write(sql, author: author)
      try observer.noticeCommit()
      #expect(observer.eventCounter == count)
    }
  }

  @Test func commitsOfOthersAndAnEarlierPlaceCount() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let start = try store.currentHistoryToken
    let other = try SQLiteStore(StoreOptions(path: store.path))
    try write("INSERT INTO trip (name) VALUES ('a')", to: other)
    let observer = try HistoryObserver(store, since: start, turn: turn)
    try observer.noticeCommit()
    #expect(observer.eventCounter == 1)
    try write("INSERT INTO trip (name) VALUES ('b')", to: other)
    try store.deleteHistory()
    try observer.noticeCommit()
    #expect(observer.eventCounter == 2, "what was purged may have been relevant")
  }
}
