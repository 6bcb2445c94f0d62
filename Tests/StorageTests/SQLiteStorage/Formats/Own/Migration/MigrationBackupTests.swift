import Foundation
import Modeling
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

@Suite struct MigrationBackupTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func model(_ type: AttributeType) throws -> Model {
    try Model([Declare.entity("A", [Declare.attribute("n", type)])])
  }

  private func store() throws -> StoreOptions {
    var options = StoreOptions(path: folder.file("a.sqlite"))
    options.create = true
    options.model = try model(.integer64)
    let store = try SQLiteStore(options)
    try store.connection.execute("INSERT INTO a VALUES (1, 70000)")
    store.close()
    options.model = try model(.string)
    return options
  }

  private var files: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()) ?? []
  }

  @Test func aCopyStandsBesideTheStoreUntilTheMigrationHasSucceeded() throws {
    var options = try store()
    let folder = folder
    var seen: [String] = []
    options.stages = [
      MigrationStage(from: try model(.integer64), to: try model(.string)) { _ in
        seen = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let copy = try SQLiteStore(StoreOptions(path: folder.file("a.sqlite.migration-backup")))
        #expect(try copy.connection.all("SELECT n FROM a") == [[.int(70000)]])
        copy.close()
      }
    ]
    try SQLiteStore(options).close()
    #expect(seen.contains("a.sqlite.migration-backup"))
    #expect(files == ["a.sqlite"])
  }

  @Test func aRefusedMigrationLeavesNothingBehind() throws {
    var options = try store()
    options.model = try model(.integer16)
    #expect(fact { try SQLiteStore(options) } != nil)
    #expect(files == ["a.sqlite"])
  }

  @Test func thereIsNoCopyWhereNoneIsWanted() throws {
    var options = try store()
    let folder = folder
    var seen: [String] = []
    options.backsUp = false
    options.stages = [
      MigrationStage(from: try model(.integer64), to: try model(.string)) { _ in
        seen = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      }
    ]
    try SQLiteStore(options).close()
    #expect(!seen.contains { $0.contains("backup") })
  }

  @Test func aCopyThatWasLeftBehindIsToldOfAndNeverOverwritten() throws {
    let options = try store()
    let left = folder.file("a.sqlite.migration-backup")
    try Data("mine".utf8).write(to: URL(fileURLWithPath: left))
    let store = try SQLiteStore(options)
    #expect(
      store.notes == [
        "A migration of this store was cut off, or is under way: '\(left)' is the store as it was before."
      ])
    store.close()
    #expect(files == ["a.sqlite", "a.sqlite.migration-backup"])
    #expect(FileManager.default.contents(atPath: left) == Data("mine".utf8))
  }

  @Test func aCopyThatCannotBeMadeStopsTheMigration() throws {
    let options = try store()
    for number in 1...9 {
      let name = "a.sqlite.migration-backup" + (number == 1 ? "" : "-\(number)")
      try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: false)
    }
    guard case .backupFailed(.cannotCreate("there is a file already"), _)? = fact({ try SQLiteStore(options) }) else {
      Issue.record("the migration was not stopped")
      return
    }
    var without = options
    without.backsUp = false
    #expect(try SQLiteStore(without).connection.all("SELECT n FROM a") == [[.string("70000")]])
  }

  @Test func theOldestOfNineCopiesGivesWay() throws {
    let options = try store()
    for number in 1...9 {
      let path = folder.file("a.sqlite.migration-backup" + (number == 1 ? "" : "-\(number)"))
      try Data("\(number)".utf8).write(to: URL(fileURLWithPath: path))
      var times = [
        timeval(tv_sec: number == 4 ? 1000 : 2000, tv_usec: 0), timeval(tv_sec: number == 4 ? 1000 : 2000, tv_usec: 0),
      ]
      #expect(utimes(path, &times) == 0)
    }
    let store = try SQLiteStore(options)
    #expect(try store.connection.all("SELECT n FROM a") == [[.string("70000")]])
    #expect(store.notes.last?.contains("the oldest, '\(folder.file("a.sqlite.migration-backup-4"))'") == true)
    store.close()
    #expect(files.count == 9 && !files.contains("a.sqlite.migration-backup-4"))
  }

  @Test func aMigrationCutOffIsAsIfItHadNotBegun() throws {
    var options = try store()
    let folder = folder
    options.stages = [
      MigrationStage(from: try model(.integer64), to: try model(.string)) { _ in
        // What a process that dies here leaves behind.
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
          try FileManager.default.copyItem(atPath: folder.file(name), toPath: folder.path + "-copy-" + name)
        }
      }
    ]
    try SQLiteStore(options).close()
    let copy = folder.path + "-copy-a.sqlite"
    defer {
      for suffix in ["", "-wal", "-shm", ".migration-backup"] {
        try? FileManager.default.removeItem(atPath: copy + suffix)
      }
    }
    let left = try SQLiteStore(StoreOptions(path: copy))
    #expect(try left.connection.all("SELECT n FROM a") == [[.int(70000)]])
    #expect(left.notes.count == 1)
    left.close()
  }

  @Test func whatIsWrittenMeanwhileIsMigratedToo() throws {
    for isMigratedByAnother in [false, true] {
      var options = try store()
      let (folder, path, wanted) = (folder, options.path, try model(.string))
      var hasWritten = false
      // Asked while the copy is made, which others may use to write.
      options.isInterrupted = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        guard !hasWritten, names.contains(where: { $0.hasPrefix("a.sqlite.migration-backup") }) else { return false }
        hasWritten = true
        var other = StoreOptions(path: path)
        if isMigratedByAnother { other.model = wanted }
        guard let store = try? SQLiteStore(other) else { return false }
        _ = try? store.sql("INSERT INTO a VALUES (2, '8')")
        store.close()
        return false
      }
      let store = try SQLiteStore(options)
      #expect(hasWritten)
      #expect(try store.connection.all("SELECT n FROM a ORDER BY _pk") == [[.string("70000")], [.string("8")]])
      store.close()
      #expect(files == ["a.sqlite"])
      try FileManager.default.removeItem(atPath: path)
    }
  }

  @Test func aStoreIsIntactIfItHasItsModelAndItsPages() throws {
    let options = try store()
    let store = try SQLiteStore(StoreOptions(path: options.path))
    let metadata = try StoreMetadata(store.connection)
    store.close()
    #expect(MigrationBackup.isIntact(options.path, metadata, isThorough: true))
    #expect(!MigrationBackup.isIntact(options.path, StoreMetadata(model: "{}"), isThorough: false))
    var bytes = try #require(FileManager.default.contents(atPath: options.path))
    bytes.replaceSubrange(100..<bytes.count, with: Data(repeating: 7, count: bytes.count - 100))
    try bytes.write(to: URL(fileURLWithPath: options.path))
    #expect(!MigrationBackup.isIntact(options.path, metadata, isThorough: true))
  }
}
