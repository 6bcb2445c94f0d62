import Foundation
import Modeling
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

@Suite struct StoreDiagnosisTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private static let tables = """
    CREATE TABLE a (id INTEGER PRIMARY KEY, text BLOB); CREATE TABLE b (id INTEGER PRIMARY KEY, a_id REFERENCES a);
    INSERT INTO a (text) VALUES (zeroblob(200000)), ('x'); INSERT INTO b (a_id) VALUES (1), (2), (2);
    """

  @Test func aSoundFileIsToldWithItsSizes() throws {
    let path = try folder.database("a.sqlite", Self.tables)
    let diagnosis = StoreDiagnosis(path: path)
    #expect(diagnosis.isHealthy && diagnosis.failure == nil && diagnosis.kind == .sqlite)
    #expect(diagnosis.pageSize == 4096 && diagnosis.encoding == "UTF-8" && !diagnosis.keepsLog && diagnosis.log == nil)
    #expect(diagnosis.sizes.map(\.name) == ["a", "b"] && diagnosis.sizes.map(\.rows) == [2, 3])
    #expect(diagnosis.sizes[0].bytes ?? 0 > 200000)
    #expect(diagnosis.largeValues.map(\.column) == ["text"] && diagnosis.largeValues.map(\.bytes) == [200000])
    #expect(diagnosis.unindexed == ["b.a_id"])
    _ = try sqlite3(path, "CREATE INDEX i ON b (a_id); DELETE FROM a WHERE id = 1")
    let damaged = StoreDiagnosis(path: path)
    #expect(damaged.unindexed.isEmpty && damaged.freePages > 0 && damaged.largeValues.isEmpty)
    #expect(damaged.problems.map(\.rule) == [.foreignKey] && !damaged.isHealthy)
  }

  @Test func triggersOfOthersAreTold() throws {
    let path = folder.file("own.sqlite")
    var options = StoreOptions(path: path)
    options.create = true
    options.history = true
    var thing = EntityDescription("Thing")
    thing.properties = [.attribute(Attribute("name", .string))]
    options.model = try Model([thing])
    try SQLiteStore(options).close()
    let own = StoreDiagnosis(path: path)
    #expect(own.kind == .perilune && own.formatVersion == 1 && own.uuid?.isEmpty == false && own.isHealthy)
    #expect(own.foreignTriggers.isEmpty)
    _ = try sqlite3(path, "CREATE TRIGGER intruder AFTER INSERT ON thing BEGIN DELETE FROM thing; END")
    #expect(StoreDiagnosis(path: path).foreignTriggers == ["intruder"])
  }

  @Test func aFolderThatCannotBeWrittenIsTold() throws {
    let path = try folder.database("a.sqlite", Self.tables)
    #expect(StoreDiagnosis(path: path).fileObstacle == nil)
    chmod(folder.path, 0o555)
    defer { chmod(folder.path, 0o755) }
    #expect(StoreDiagnosis(path: path).fileObstacle == "its folder cannot be written")
  }

  @Test func aLogThatIsNotThereIsNoEmptyLog() throws {
    let path = try folder.database("a.sqlite", Self.tables)
    #expect(try sqlite3(path, "PRAGMA journal_mode = WAL") == "wal")
    let without = StoreDiagnosis(path: path)
    #expect(without.keepsLog && !without.hasLogFile && without.log == nil)
    try Data().write(to: URL(fileURLWithPath: path + "-wal"))
    #expect(StoreDiagnosis(path: path).hasLogFile)
  }

  @Test func sizesAreEstimatedFromTheFirstRows() throws {
    let path = try folder.database(
      "a.sqlite", "CREATE TABLE t (a, b); INSERT INTO t VALUES ('12345', NULL), (1, x'0102')")
    let store = try SQLiteStore(StoreOptions(path: path))
    defer { store.close() }
    // 5 + 0 and 1 + 2 bytes, a byte for each column and 4 for the row.
    #expect(try StoreDiagnosis.estimate(store.connection, "t", rows: 1000) == 10_000)
  }

  @Test func aLogIsCountedByItsChecksums() throws {
    let path = try folder.database("a.sqlite", Self.tables)
    let writer = try OtherProcess(
      path, "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; UPDATE b SET a_id = 1; UPDATE a SET text = 'y';")
    defer { writer.kill() }
    let copy = folder.file("b.sqlite")
    for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix) }
    let log = try #require(StoreDiagnosis(path: copy).log)
    #expect(log.frames > 1 && log.committed == log.frames && log.pending > 0 && log.pending <= log.frames)
    #expect(StoreDiagnosis(path: path).holders.contains { $0.contains("\(writer.identifier)") })
    // SQLite counts as many, and copies them.
    #expect(try sqlite3(path, "PRAGMA wal_checkpoint").hasSuffix("|\(log.frames)"))
    #expect(StoreDiagnosis(path: path).log?.pending == 0)
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: copy + "-wal")))
    bytes[bytes.count - 1] ^= 1
    try Data(bytes).write(to: URL(fileURLWithPath: copy + "-wal"))
    let cut = try #require(StoreDiagnosis(path: copy).log)
    #expect(cut.frames == log.frames && cut.committed < log.committed)
  }

  @Test func aDamagedFileIsToldAsFarAsItCanBeRead() throws {
    let path = try folder.database("a.sqlite", Self.tables)
    let sound = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    var bytes = sound
    bytes[21] = 0
    let damaged = StoreDiagnosis(path: try folder.write("b.sqlite", bytes))
    guard case .damagedHeader(let damage)? = damaged.failure?.fact else { throw CommandFailure(output: "no damage") }
    #expect(damage.range == 21..<24 && damaged.size == Int64(bytes.count))
    #expect(damaged.pageSize == 4096 && damaged.pageCount == sound.count / 4096 && !damaged.isHealthy)
    let cut = StoreDiagnosis(path: try folder.write("c.sqlite", Array(sound.prefix(9000))))
    #expect(cut.failure?.fact == .truncated && cut.pageCount == damaged.pageCount)
    // One table is lost, the other is reported.
    bytes = sound
    bytes.replaceSubrange(4096..<8192, with: [UInt8](repeating: 0x55, count: 4096))
    let holed = StoreDiagnosis(path: try folder.write("d.sqlite", bytes))
    #expect(!holed.isHealthy)
    #expect(
      holed.sizes.first { $0.name == "b" }?.rows == 3 && holed.sizes.contains { $0.name == "a" && $0.rows == nil })
    #expect(!holed.problems.isEmpty || !holed.unread.isEmpty)
    #expect(StoreDiagnosis(path: folder.file("none")).failure?.fact == .notFound)
  }
}
