import Foundation
import Modeling
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLite
@testable import SQLiteStorage
@testable import Stores

@Suite struct BackupTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
  }

  private func store() throws -> SQLiteStore {
    var options = StoreOptions(path: folder.file("a.sqlite"))
    options.create = true
    options.model = try Model([Declare.entity("A", [Declare.attribute("n", .integer64)])])
    let store = try SQLiteStore(options)
    try store.connection.execute("INSERT INTO a VALUES (1, 70000)")
    return store
  }

  @Test func aBackupBearsItsNameOnlyOnceItIsComplete() throws {
    let store = try store()
    defer { store.close() }
    var seen: [String] = []
    store.connection.isInterrupted = {
      seen = names
      return false
    }
    try store.backup(to: folder.file("copy.sqlite"))
    #expect(!seen.isEmpty)
    #expect(!seen.contains("copy.sqlite"))
    #expect(names.filter { $0.hasPrefix("copy") } == ["copy.sqlite"])
    let copy = try Connection(folder.file("copy.sqlite"))
    #expect(try copy.all("SELECT n FROM a") == [[.int(70000)]])
    copy.close()
  }

  @Test func aBackupThatIsInterruptedLeavesNothing() throws {
    let store = try store()
    defer { store.close() }
    store.connection.isInterrupted = { true }
    #expect(fact { try store.backup(to: folder.file("copy.sqlite")) } == .interrupted)
    #expect(names.filter { $0.hasPrefix("copy") } == [])
  }

  @Test func aBackupNeverTakesThePlaceOfAFileThatCameMeanwhile() throws {
    let store = try store()
    defer { store.close() }
    let path = folder.file("copy.sqlite")
    store.connection.isInterrupted = {
      try? Data("mine".utf8).write(to: URL(fileURLWithPath: path))
      return false
    }
    #expect(fact { try store.backup(to: path) } == .cannotCreate("there is a file already"))
    #expect(FileManager.default.contents(atPath: path) == Data("mine".utf8))
    #expect(names.filter { $0.hasPrefix("copy") } == ["copy.sqlite"])
  }
}
