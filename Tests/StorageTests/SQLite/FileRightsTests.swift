import Foundation
import Modeling
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

/// No file that is made from a store is open to more people than the store.
@Suite struct FileRightsTests {
  private func mode(_ path: String) -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0o1000
  }

  @Test(arguments: [0o600, 0o640, 0o644, 0o660, 0o400] as [mode_t])
  func aFileMadeFromAStoreIsOpenToNobodyElse(rights: mode_t) throws {
    let folder = try TemporaryFolder()
    var options = StoreOptions(path: folder.file("a.sqlite"))
    options.create = true
    options.model = try Model([Declare.entity("A", [Declare.attribute("n", .integer64)])])
    let store = try SQLiteStore(options)
    #expect(chmod(options.path, rights) == 0)
    try store.backup(to: folder.file("b.sqlite"))
    let backup = try MigrationBackup(store.connection)
    #expect(mode(backup.path) & ~(rights | 0o600) == 0)
    store.close()
    // All that is written meanwhile stands beside the store: log, index, copies, what a migration makes.
    #expect(chmod(options.path, rights | 0o600) == 0)
    var seen: [String: mode_t] = [:]
    var migrating = options
    migrating.model = try Model([Declare.entity("A", [Declare.attribute("n", .string)])])
    migrating.stages = [
      MigrationStage(from: try #require(options.model), to: try #require(migrating.model)) { _ in
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
          seen[name] = mode(folder.file(name))
        }
      }
    ]
    try SQLiteStore(migrating).close()
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      seen[name] = mode(folder.file(name))
    }
    #expect(seen.count >= 4)
    for (name, mode) in seen { #expect(mode & ~(rights | 0o600) == 0, "\(name) \(String(mode, radix: 8))") }
  }

  @Test(arguments: [0o600, 0o640, 0o644] as [mode_t])
  func externalDataIsOpenToNobodyElse(rights: mode_t) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("App.sqlite")
    try Data("x".utf8).write(to: URL(fileURLWithPath: path))
    #expect(chmod(path, rights) == 0)
    let files = ExternalFiles(ExternalData(store: path))
    _ = try files.stored([UInt8](repeating: 7, count: 200 << 10))
    let made = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.contains("_SUPPORT") }
    #expect(made.count == 3)
    for name in made {
      let isFolder = name.hasSuffix("_SUPPORT") || name.hasSuffix("_EXTERNAL_DATA")
      let mode = mode(folder.file(name))
      let allowed = isFolder ? rights | 0o700 | (rights & 0o444) >> 2 : rights | 0o600
      #expect(mode & ~allowed == 0, "\(name) \(String(mode, radix: 8))")
      #expect(mode & 0o600 == 0o600)
    }
  }

  @Test func whoMakesAStoreSecondOpensWhatTheFirstMade() throws {
    let folder = try TemporaryFolder()
    var options = StoreOptions(path: folder.file("a.sqlite"))
    options.create = true
    options.model = try Model([Declare.entity("A", [Declare.attribute("n", .integer64)])])
    // Both have looked into the file before either has made anything.
    var (first, second) = (try StoreOpener(options), try StoreOpener(options))
    #expect(try first.open().model.entities.map(\.name) == ["A"])
    let layout = try ModelLayout(try #require(options.model))
    #expect(try SchemaInstaller(second.connection).install(layout) == false)
    #expect(try second.open().model.entities.map(\.name) == ["A"])
    first.connection.close()
    second.connection.close()
  }
}
