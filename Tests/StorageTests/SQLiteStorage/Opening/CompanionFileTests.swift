import Foundation
import Modeling
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

/// Files beside a database that belong to it.
@Suite struct CompanionFileTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private static let log: [UInt8] = [0x37, 0x7F, 0x06, 0x82] + [UInt8](repeating: 7, count: 5000)

  private func open(_ path: String, _ change: (inout StoreOptions) -> Void = { _ in }) -> StoreError.Fact? {
    var options = StoreOptions(path: path)
    change(&options)
    return fact { try SQLiteStore(options) }
  }

  @Test func aLogWhoseFileWasLeftBehindIsNeverRemoved() throws {
    let missing = folder.file("a.sqlite")
    let log = try folder.write("a.sqlite-wal", Self.log)
    #expect(open(missing) == .onlyLog)
    #expect(open(missing) { $0.create = true } == .onlyLog)
    #expect(!FileManager.default.fileExists(atPath: missing))
    let empty = try folder.write("a.sqlite", [])
    #expect(open(empty) == .onlyLog)
    #expect(open(empty) { $0.readOnly = true } == .onlyLog)
    #expect(FileManager.default.contents(atPath: log) == Data(Self.log))
  }

  @Test func anEmptyLogIsNobodysLoss() throws {
    _ = try folder.write("a.sqlite-wal", [])
    #expect(open(folder.file("a.sqlite")) { $0.create = true } == nil)
  }

  @Test func aLogIsNoStore() throws {
    #expect(open(try folder.write("a.sqlite-wal", Self.log)) == .isLog(of: folder.file("a.sqlite")))
    #expect(open(try folder.write("b", Self.log)) == .isLog(of: nil))
  }

  @Test(.enabled(if: getuid() != 0, "nothing is unreadable to root"))
  func aFileThatMayNotBeReadIsNamed() throws {
    let path = try folder.database("a.sqlite", "PRAGMA journal_mode = WAL; CREATE TABLE t (a);")
    let log = try folder.write("a.sqlite-wal", Self.log)
    #expect(chmod(log, 0) == 0)
    #expect(open(path) == .companionNotReadable(log, "Permission denied"))
  }

  @Test(.enabled(if: getuid() != 0, "root may write everywhere"))
  func whyNothingCanBeWrittenIsSaid() throws {
    let path = try folder.database("a.sqlite", "CREATE TABLE t (a);")
    #expect(chmod(path, 0o400) == 0)
    let store = try SQLiteStore(StoreOptions(path: path))
    #expect(store.isReadOnly)
    #expect(store.readOnlyError.fact == .notWritable("Permission denied"))
  }
}
