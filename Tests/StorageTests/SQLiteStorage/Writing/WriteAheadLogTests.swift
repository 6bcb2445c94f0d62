import Foundation
import Modeling
import Queries
import Testing

@testable import RelationalStorage
@testable import SQLite
@testable import SQLiteStorage
@testable import Stores

@Suite struct WriteAheadLogTests {
  let sample: HistorySample
  var store: SQLiteStore { sample.store }
  init() throws { sample = try HistorySample(history: false) }

  private var logBytes: Int { get throws { try bytes(of: sample.path + "-wal") } }

  private func bytes(of path: String) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
  }

  private func save(times: Int) throws {
    for _ in 0..<times { try sample.sql("INSERT INTO tag (label) VALUES (hex(randomblob(1500)))") }
  }

  @Test func whatSavesLeaveInTheLogIsCopiedMeanwhile() throws {
    try save(times: 300)
    // As long as another connection reads the present state, writing cannot begin the log at the front again.
    let other = try sample.another()
    let statement = try other.connection.prepare("SELECT * FROM sqlite_schema")
    #expect(try statement.step())
    try save(times: 300)
    let long = try #require(store.log?.pages)
    #expect(long > WriteAheadLog.worthwhile)
    store.log?.wait()
    #expect(try bytes(of: sample.path) > 300 * 1500)
    statement.reset()
    #expect(try store.connection.first("PRAGMA wal_checkpoint") == .int(0))
    let bytes = try logBytes
    try save(times: 20)
    // It begins at the front again.
    #expect(try logBytes == bytes)
    #expect(try #require(store.log?.pages) < long)
  }

  @Test func aLogToWhichSavesAreAddedWithoutAPauseIsBounded() throws {
    store.log?.limit = 100
    try save(times: 1000)
    #expect(try logBytes < 210 * 4200)
    #expect(try store.connection.first("PRAGMA integrity_check") == .string("ok"))
    #expect(try store.count(FetchRequest(sample.entity("Tag"))) == 1000)
  }

  @Test func aReaderIsNotWaitedFor() throws {
    store.log?.limit = 100
    let other = try sample.another()
    let statement = try other.connection.prepare("SELECT * FROM sqlite_schema")
    #expect(try statement.step())
    try save(times: 600)
    store.log?.wait()
    #expect(try #require(store.log?.pages) > 600)
    statement.reset()
    try save(times: 300)
    #expect(try #require(store.log?.pages) < 210)
  }

  @Test func theModeOfTheJournalCanBeChangedWhileItIsCopied() throws {
    for _ in 0..<5 {
      try save(times: 500)
      for mode in ["delete", "wal"] {
        let cursor = try store.sql("PRAGMA journal_mode = \(mode)")
        #expect(try cursor.step())
        #expect(cursor.value(0) == .string(mode))
        cursor.close()
      }
    }
    #expect(try store.count(FetchRequest(sample.entity("Tag"))) == 2500)
  }

  @Test func othersNeverFindTheFileLockedWhileItIsCopied() throws {
    for _ in 0..<5 {
      try save(times: 500)
      #expect(try sqlite3(sample.path, "SELECT count(*) FROM tag").contains("locked") == false)
    }
  }

  @Test func closingEndsTheLog() throws {
    try save(times: 600)
    store.close()
    #expect(!FileManager.default.fileExists(atPath: sample.path + "-wal"))
    #expect(try sqlite3(sample.path, "PRAGMA integrity_check; SELECT count(*) FROM tag") == "ok\n600")
  }

  @Test func aStoreInMemoryHasNoLog() throws {
    let memory = try Sample()
    try memory.insert("Tag", ["label": "a".value])
    #expect(!memory.store.checkpointIfNeeded())
  }
}
