import Foundation
import Glibc
import Modeling
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLite
@testable import SQLiteStorage
@testable import Stores

@Suite struct ForeignWatchTests {
  let sample: ForeignSample
  var store: SQLiteStore { sample.store }
  init() throws { sample = try ForeignSample(history: true) }

  /// Waits as a loop does, until others have committed something; false when nothing came.
  private func notices(within seconds: Double = 10) throws -> Bool {
    let watch = try #require(store.foreignWatch)
    let end = Date(timeIntervalSinceNow: seconds)
    while Date() < end {
      var entry = pollfd(fd: watch.descriptor ?? -1, events: Int16(POLLIN), revents: 0)
      let wait = min(watch.pollInterval ?? .infinity, max(0, end.timeIntervalSinceNow))
      poll(&entry, 1, Int32(wait * 1000) + 1)
      watch.drain()
      if watch.check() { return true }
    }
    return false
  }

  private func settle() throws {
    store.foreignWatch?.drain()
    _ = try store.changesByOthers()
  }

  @Test func aCommitOfAnotherConnectionIsNoticed() throws {
    try settle()
    #expect(store.foreignWatch?.check() == false)
    try sample.elsewhere("INSERT INTO tag (label) VALUES ('a')")
    #expect(try notices())
    #expect(try sample.told() == "tag +1")
    #expect(store.foreignWatch?.check() == false)
  }

  @Test func aCommitOfAnotherProcessIsNoticed() throws {
    try settle()
    #expect(try sqlite3(sample.sample.path, "INSERT INTO tag (label) VALUES ('a');") == "")
    #expect(try notices())
    #expect(try sample.told() == "tag +1")
  }

  @Test func ownCommitsAndTransactionsThatAreUndoneAreNotNoticed() throws {
    try settle()
    try sample.sample.sql("INSERT INTO tag (label) VALUES ('a')")
    store.foreignWatch?.drain()
    #expect(store.foreignWatch?.check() == false)
    try sample.elsewhere("BEGIN; INSERT INTO tag (label) VALUES ('b'); ROLLBACK")
    store.foreignWatch?.drain()
    #expect(store.foreignWatch?.check() == false)
  }

  @Test func whatHappensWhileACursorIsOpenIsNoticedAfterwards() throws {
    try sample.sample.sql("INSERT INTO tag (label) VALUES ('a'), ('b')")
    try settle()
    let cursor = try store.keyCursor()
    try sample.elsewhere("INSERT INTO tag (label) VALUES ('c')")
    let watch = try #require(store.foreignWatch)
    watch.drain()
    #expect(!watch.check())
    #expect(try store.changesByOthers() == nil)
    #expect(watch.pollInterval != nil)
    cursor.reset()
    #expect(try notices())
    #expect(try sample.told() == "tag +3")
  }

  @Test func aFileThatIsDeletedAndMadeAgainIsWatched() throws {
    try settle()
    let path = sample.sample.path
    let events = try #require(FileEvents(path))
    try Data([1]).write(to: URL(fileURLWithPath: path + "-journal"))
    #expect(events.drain().any)
    #expect(!events.drain().any)
    try FileHandle(forWritingTo: URL(fileURLWithPath: path + "-journal")).write(contentsOf: Data([2]))
    #expect(events.drain().any)
    #expect(unlink(path + "-journal") == 0)
    #expect(events.drain().any)
    try Data([1]).write(to: URL(fileURLWithPath: path + "-journal"))
    _ = events.drain()
    try FileHandle(forWritingTo: URL(fileURLWithPath: path + "-journal")).write(contentsOf: Data([2]))
    #expect(events.drain().any)
    #expect(unlink(path + "-journal") == 0)
  }

  @Test func whereTheSystemDropsEventsAnythingMayHaveHappened() throws {
    let path = sample.sample.path
    let most = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
    let count = try #require(Int(most.trimmingCharacters(in: .whitespacesAndNewlines)))
    try Data([1]).write(to: URL(fileURLWithPath: path + "-journal"))
    let events = try #require(FileEvents(path))
    let files = try [path + "-journal", path].map { try FileHandle(forUpdating: URL(fileURLWithPath: $0)) }
    let head = try #require(try files[1].read(upToCount: 16))
    // Events that are alike one after the other are one.
    for _ in 0..<count {
      for file in files {
        try file.seek(toOffset: 0)
        try file.write(contentsOf: head)
      }
    }
    let seen = events.drain()
    #expect(seen.any && seen.log && seen.isMoved)
    try files[0].write(contentsOf: head)
    #expect(events.drain().any)
    #expect(unlink(path + "-journal") == 0)
  }

  @Test func filesOfOthersInTheFolderAreNone() throws {
    let events = try #require(FileEvents(sample.sample.path))
    try Data([1]).write(to: URL(fileURLWithPath: sample.sample.folder.file("other")))
    #expect(!events.drain().any)
  }

  @Test func aFileThatTakesThePlaceIsNoticed() throws {
    try settle()
    let watch = try #require(store.foreignWatch)
    #expect(!watch.mayBeReplaced)
    let copy = sample.sample.folder.file("copy.sqlite")
    try store.backup(to: copy)
    #expect(rename(copy, sample.sample.path) == 0)
    watch.drain()
    #expect(watch.mayBeReplaced)
    #expect(!watch.check())
    #expect(try store.changesByOthers() == nil)
  }

  @Test func aFileWithoutALogIsWatched() throws {
    let folder = try TemporaryFolder()
    let path = try folder.database(
      "plain.sqlite", "CREATE TABLE t (a INTEGER PRIMARY KEY, b); INSERT INTO t VALUES (1, 2);")
    let store = try SQLiteStore(StoreOptions(path: path))
    let watch = try #require(store.foreignWatch)
    watch.follow(table: "t")
    #expect(try sqlite3(path, "UPDATE t SET b = 3;") == "")
    watch.drain()
    #expect(watch.check())
    #expect(try store.changesByOthers()?.tables["t"]?.updated == [1])
  }

  @Test func nothingWaitsForALock() throws {
    let folder = try TemporaryFolder()
    let path = try folder.database(
      "plain.sqlite", "CREATE TABLE t (a INTEGER PRIMARY KEY, b); INSERT INTO t VALUES (1, 2);")
    var options = StoreOptions(path: path)
    options.busyTimeout = 3600
    let store = try SQLiteStore(options)
    let watch = try #require(store.foreignWatch)
    watch.follow(table: "t")
    let other = try OtherProcess(path, "BEGIN EXCLUSIVE; INSERT INTO t VALUES (2, 2);")
    #expect(!watch.check())
    #expect(try store.changesByOthers() == nil)
    try other.end()
    #expect(try store.changesByOthers() == nil)
  }

  @Test func aStoreInMemoryHasNoOthers() throws {
    #expect(try Sample().store.foreignWatch == nil)
    #expect(try Sample().store.changesByOthers() == nil)
  }

  @Test func aClosedStoreIsNotWatched() throws {
    let watch = try #require(store.foreignWatch)
    store.close()
    #expect(watch.descriptor == nil && watch.pollInterval == nil)
    #expect(!watch.check())
    watch.drain()
    #expect(try store.changesByOthers() == nil)
  }

  /// Two connections write in turns; each learns exactly what the other did.
  @Test func twoStoresTellEachOther() throws {
    _ = sample.other.foreignWatch
    for round in 1...20 {
      try sample.sample.sql("INSERT INTO tag (label) VALUES ('mine')")
      #expect(try sample.other.changesByOthers()?.line == "tag +\(2 * round - 1)")
      _ = try sample.other.sql("INSERT INTO tag (label) VALUES ('theirs')")
      #expect(try sample.told() == "tag +\(2 * round)")
    }
  }
}

extension SQLiteStore {
  /// A statement that stands on a row, and so holds a state of the file.
  fileprivate func keyCursor() throws -> Statement {
    let statement = try connection.prepare("SELECT _pk FROM tag")
    _ = try statement.step()
    return statement
  }
}
