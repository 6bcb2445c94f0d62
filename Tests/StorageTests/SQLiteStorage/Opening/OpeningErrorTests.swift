import Foundation
import Modeling
import Queries
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

@Suite(.seeded) struct OpeningErrorTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func open(_ path: String, _ change: (inout StoreOptions) -> Void = { _ in }) -> StoreError.Fact? {
    var options = StoreOptions(path: path)
    change(&options)
    return fact { try SQLiteStore(options) }
  }

  @Test func aMissingFileIsNotMade() throws {
    #expect(open(folder.file("none.sqlite")) == .notFound)
    #expect(open(folder.file("none/none.sqlite")) == .notFound)
    #expect(!FileManager.default.fileExists(atPath: folder.file("none.sqlite")))
  }

  @Test func aFileInNoFolderCannotBeMade() {
    #expect(open(folder.file("none/none.sqlite")) { $0.create = true } == .cannotCreate("No such file or directory"))
    #expect(open("/proc/none.sqlite") { $0.create = true } == .cannotCreate("unable to open database file"))
  }

  @Test func aFolderIsNoStore() { #expect(open(folder.path) == .isDirectory) }

  @Test func deviceFilesAreNotRead() { #expect(open("/dev/null") == .notReadable("not a regular file")) }

  @Test func rubbishIsNoDatabase() throws {
    let text = try folder.write("a.sqlite", Array(String(repeating: "rubbish ", count: 1000).utf8))
    #expect(open(text) == .notADatabase)
    #expect(open(try folder.write("b.sqlite", [1])) == .notADatabase)
  }

  @Test func noiseMayBeEncrypted() throws {
    var generator = SplitMix(seed: 1)
    let noise = (0..<8192).map { _ in UInt8.random(in: 0...255, using: &generator) }
    #expect(open(try folder.write("a.sqlite", noise)) == .encryptedOrNotADatabase)
  }

  @Test func aFileCutShortIsTruncated() throws {
    let path = try folder.database("a.sqlite", "CREATE TABLE t(a); INSERT INTO t SELECT zeroblob(9000)")
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    #expect(open(try folder.write("b.sqlite", Array(bytes.prefix(8192)))) == .truncated)
    #expect(open(try folder.write("c.sqlite", Array(bytes.prefix(5000)))) == .truncated)
    #expect(open(try folder.write("d.sqlite", Array(bytes.prefix(50)))) == .truncated)
  }

  @Test func anEmptyFileIsAnEmptyDatabase() throws {
    let path = try folder.write("a.sqlite", [])
    let store = try SQLiteStore(StoreOptions(path: path))
    #expect(store.kind == .sqlite && store.model.entities.isEmpty)
  }

  @Test func namesThatLookLikeURIsAreNames() throws {
    var options = StoreOptions(path: folder.file("file:a?mode=memory.sqlite"))
    options.create = true
    try SQLiteStore(options).close()
    #expect(FileManager.default.fileExists(atPath: options.path))
  }

  @Test func aWorldWithoutOtherProcessesNamesNoHolder() throws {
    let path = try folder.database("a.sqlite", "CREATE TABLE t(a)")
    let holder = try OtherProcess(path, "BEGIN EXCLUSIVE;")
    let system = OutsideWorld.system
    let world = OutsideWorld(
      time: system.time, clock: system.clock, pause: system.pause, random: system.random, wait: system.wait,
      otherProcesses: { [] })
    let failure = OutsideWorld.$current.withValue(world) { open(path) { $0.busyTimeout = 0.1 } }
    #expect(failure == .busy(seconds: 0.1, holders: []))
    try holder.end()
  }

  @Test func aLockedFileNamesItsHolder() throws {
    let path = try folder.database("a.sqlite", "CREATE TABLE t(a)")
    let holder = try OtherProcess(path, "BEGIN EXCLUSIVE;")
    let failure = open(path) { $0.busyTimeout = 0.1 }
    #expect(failure == .busy(seconds: 0.1, holders: ["process \(holder.identifier) (sqlite3)"]))
    var asked = 0
    let interrupted = open(path) {
      $0.isInterrupted = {
        asked += 1
        return asked > 3
      }
    }
    #expect(interrupted == .interrupted)
    try holder.end()
    #expect(open(path) == nil)
  }

  @Test func journalModesOfOthersAreLeftAlone() throws {
    for mode in ["delete", "truncate", "persist", "wal"] {
      let path = try folder.database("\(mode).sqlite", "CREATE TABLE t(a)")
      _ = try sqlite3(path, "PRAGMA journal_mode = \(mode)")
      let store = try SQLiteStore(StoreOptions(path: path))
      try store.connection.run("INSERT INTO t VALUES (1)")
      store.close()
      let isWAL = try sqlite3(path, "PRAGMA journal_mode") == "wal"
      #expect(isWAL == (mode == "wal"))
    }
  }

  @Test func openingAFileAgainLeavesTheLocksOfTheFirstTime() throws {
    for mode in ["delete", "wal"] {
      let path = try folder.database("\(mode).sqlite", "CREATE TABLE t(a); INSERT INTO t VALUES (1), (2)")
      _ = try sqlite3(path, "PRAGMA journal_mode = \(mode)")
      let first = try SQLiteStore(StoreOptions(path: path))
      let cursor = try first.cursor(FetchRequest(first.model.entities[0]))
      _ = try cursor.step()
      let second = try SQLiteStore(StoreOptions(path: path))
      // What another process may only do while no connection reads.
      let answer = try sqlite3(path, mode == "wal" ? "PRAGMA journal_mode = delete" : "INSERT INTO t VALUES (3)")
      #expect(answer.contains("locked"), "\(mode): \(answer)")
      cursor.close()
      withExtendedLifetime(second) {}
    }
  }

  @Test func aCoreDataStoreIsNotTouched() throws {
    let path = try folder.database(
      "a.sqlite",
      """
      CREATE TABLE Z_METADATA(Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR, Z_PLIST BLOB);
      CREATE TABLE Z_PRIMARYKEY(Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)
      """)
    let store = try SQLiteStore(StoreOptions(path: path))
    #expect(store.kind == .coreData && store.isReadOnly && store.notes.count == 2)
    #expect(store.notes.contains { $0.hasPrefix("Z_METADATA has no row") })
    #expect(fact { try store.connection.run("DELETE FROM Z_METADATA") } == .readOnly)
  }

  @Test func tablesThatAreNearlyCoreDatasAreToldInOneSentence() throws {
    let tables = [
      ("Z_METADATA", ["Z_VERSION", "Z_UUID", "Z_PLIST"]), ("Z_PRIMARYKEY", ["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"]),
    ]
    for (table, columns) in tables {
      for left in [nil] + columns.map(Optional.some) {
        var sql = ""
        for (name, columns) in tables where name != table || left != nil {
          let kept = columns.filter { name != table || $0 != left }
          sql += "CREATE TABLE \(name) (\(kept.joined(separator: ", ")));"
        }
        let path = try folder.database("\(table)\(left ?? "").sqlite", sql)
        let store = try SQLiteStore(StoreOptions(path: path))
        let lacking = left.map { "\(table).\($0)" } ?? table
        #expect(store.kind == .sqlite)
        #expect(store.notes.filter { $0.contains("it lacks \(lacking),") }.count == 1, "\(store.notes)")
      }
    }
  }

  @Test func damagedFilesAreErrorsAtMost() throws {
    let path = try folder.database(
      "a.sqlite",
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY, x TEXT DEFAULT 'y', b_id REFERENCES b);
      CREATE TABLE b (id TEXT PRIMARY KEY, n INT AS (length(id))) WITHOUT ROWID;
      CREATE VIEW v AS SELECT * FROM a JOIN b ON a.b_id = b.id; CREATE INDEX i ON a(x);
      CREATE VIRTUAL TABLE f USING fts5(t); INSERT INTO a (x) VALUES ('z');
      """)
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    var random = SplitMix(seed: 42)
    var opened = 0
    for _ in 0..<200 {
      var damaged = bytes
      // The first page holds the schema's text.
      for _ in 0...random.below(6) { damaged[100 + random.below(3996)] = UInt8(random.below(256)) }
      if open(try folder.write("b.sqlite", damaged)) == nil { opened += 1 }
    }
    #expect((1..<200).contains(opened))
  }
}
