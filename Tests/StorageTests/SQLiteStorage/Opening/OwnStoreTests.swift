import Foundation
import Modeling
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLite
@testable import SQLiteStorage
@testable import Stores

@Suite struct OwnStoreTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func model() throws -> Model {
    try Model([EntityDescription("Quake", properties: [.attribute(Attribute("code", .string))])])
  }

  private func options(_ name: String) -> StoreOptions { StoreOptions(path: folder.file(name)) }

  @Test func aStoreIsMadeAndOpenedAgain() throws {
    var making = options("a.sqlite")
    making.create = true
    making.model = try model()
    let made = try SQLiteStore(making)
    #expect(made.kind == .perilune && made.model === making.model && !made.isReadOnly)
    made.close()
    let again = try SQLiteStore(options("a.sqlite"))
    #expect(again.kind == .perilune)
    #expect(again.model.descriptions == making.model?.descriptions)
    #expect(again.layout(of: again.model.entities[0]).table == "quake")
  }

  @Test func aStoreWithoutAModelCanBeMade() throws {
    var making = options("a.sqlite")
    making.create = true
    #expect(try SQLiteStore(making).kind == .perilune)
    #expect(try SQLiteStore(StoreOptions(path: ":memory:")).kind == .perilune)
  }

  @Test func ownStoresKeepAWriteAheadLog() throws {
    var making = options("a.sqlite")
    making.create = true
    let store = try SQLiteStore(making)
    #expect(try store.connection.first("PRAGMA journal_mode") == .string("wal"))
    #expect(try store.connection.first("PRAGMA synchronous") == .int(1))
    #expect(try store.connection.first("PRAGMA foreign_keys") == .int(1))
    #expect(try store.connection.first("PRAGMA application_id") == .int(0x5065_7269))
    store.close()
    making.durable = true
    #expect(try SQLiteStore(making).connection.first("PRAGMA synchronous") == .int(2))
  }

  @Test func readOnlyStoresRefuseWrites() throws {
    var making = options("a.sqlite")
    making.create = true
    making.model = try model()
    try SQLiteStore(making).close()
    var reading = options("a.sqlite")
    reading.readOnly = true
    let store = try SQLiteStore(reading)
    #expect(store.isReadOnly)
    #expect(fact { try store.connection.run("DELETE FROM quake") } == .readOnly)
  }

  @Test func newerStoresAreRefusedByName() throws {
    var making = options("a.sqlite")
    making.create = true
    try SQLiteStore(making).close()
    _ = try sqlite3(making.path, "UPDATE _perilune SET value = 7 WHERE key = 'version'")
    #expect(fact { try SQLiteStore(making) } == .newerStore(version: 7))
  }

  @Test func otherProgramsCanWriteOwnStores() throws {
    var making = options("a.sqlite")
    making.create = true
    making.model = try model()
    let store = try SQLiteStore(making)
    #expect(try sqlite3(making.path, "INSERT INTO quake (code) VALUES ('x'); SELECT * FROM quake") == "1|x")
    #expect(try store.connection.all("SELECT code FROM quake") == [[.string("x")]])
  }

  @Test func aModelThatCannotBeKeptLeavesNoFile() throws {
    var making = options("a.sqlite")
    making.create = true
    var attribute = Attribute("x", .string)
    attribute.derivation = "canonical(code)"
    making.model = try Model([EntityDescription("Quake", properties: [.attribute(attribute)])])
    #expect(caseName(#expect(throws: DerivationError.self) { try SQLiteStore(making) }?.obstacle) == "text")
    #expect(!FileManager.default.fileExists(atPath: making.path))
  }

  @Test func aStoreThatIsLetGoIsClosed() throws {
    var making = options("a.sqlite")
    making.create = true
    making.model = try model()
    weak var connection: Connection?
    do {
      let store = try SQLiteStore(making)
      _ = try store.connection.all("SELECT * FROM quake")
      connection = store.connection
      #expect(connection != nil)
    }
    #expect(connection == nil)
  }

  @Test func aWriterElsewhereIsNamed() throws {
    var making = options("a.sqlite")
    making.create = true
    making.model = try model()
    making.busyTimeout = 0.1
    let store = try SQLiteStore(making)
    let writer = try OtherProcess(making.path, "BEGIN IMMEDIATE;")
    #expect(try store.connection.all("SELECT * FROM quake").isEmpty)
    let failure = fact { try store.transaction {} }
    #expect(failure == .busy(seconds: 0.1, holders: ["process \(writer.identifier) (sqlite3)"]))
    try writer.end()
    #expect(fact { try store.transaction {} } == nil)
  }

  @Test func namesOfFilesMayHoldAnything() throws {
    var making = options("a b?%41#ü'\".sqlite")
    making.create = true
    making.model = try model()
    try SQLiteStore(making).close()
    var reading = Connection.Options()
    reading.immutable = true
    let connection = try Connection(making.path, reading)
    defer { connection.close() }
    #expect(connection.isReadOnly)
    #expect(try connection.first("SELECT count(*) FROM quake") == .int(0))
  }
}
