import Foundation
import Modeling
import Queries
import Testing

@testable import Storage

@Suite struct WriteAheadLogTests {
  let sample: HistorySample
  var store: SQLiteStore { sample.store }
  init() throws { sample = try HistorySample(history: false) }

  private var logBytes: Int {
    get throws {
      try FileManager.default.attributesOfItem(atPath: sample.path + "-wal")[.size] as? Int ?? 0
    }
  }

  private func save(times: Int) throws {
    for _ in 0..<times { try sample.sql("INSERT INTO tag (label) VALUES (hex(randomblob(1500)))") }
  }

  @Test func savesLeaveTheLogAloneUntilNobodyWaits() throws {
    try save(times: 600)
    let long = try #require(store.log?.pages)
    #expect(long > WriteAheadLog.idleLimit)
    #expect(store.checkpointIfNeeded())
    #expect(store.log?.pages == 0)
    #expect(!store.checkpointIfNeeded())
    let bytes = try logBytes
    try save(times: 20)
    // It begins at the front again.
    #expect(try logBytes == bytes)
    #expect(try #require(store.log?.pages) < long)
  }

  @Test func aLogThatNobodyCopiesIsBounded() throws {
    store.log?.limit = 100
    try save(times: 1000)
    #expect(try logBytes < 200 * 4200)
    #expect(try store.connection.first("PRAGMA integrity_check") == .string("ok"))
    #expect(try store.count(FetchRequest(sample.entity("Tag"))) == 1000)
  }

  @Test func aReaderIsNotWaitedFor() throws {
    let other = try sample.another()
    let statement = try other.connection.prepare("SELECT * FROM sqlite_schema")
    #expect(try statement.step())
    try save(times: 600)
    #expect(store.checkpointIfNeeded())
    // It is not tried over and over again.
    #expect(!store.checkpointIfNeeded())
    statement.reset()
    try save(times: 600)
    #expect(store.checkpointIfNeeded())
    #expect(store.log?.pages == 0)
  }

  @Test func nothingIsCopiedWithinATransaction() throws {
    try save(times: 600)
    try store.transaction { #expect(!store.checkpointIfNeeded()) }
    #expect(store.checkpointIfNeeded())
  }

  @Test func aStoreInMemoryHasNoLog() throws {
    let memory = try Sample()
    try memory.insert("Tag", ["label": "a".value])
    #expect(!memory.store.checkpointIfNeeded())
  }
}
