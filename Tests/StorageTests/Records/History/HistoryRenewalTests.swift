import Modeling
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

/// A history that an earlier version turned on records by other triggers.
@Suite struct HistoryRenewalTests {
  private let sample: HistorySample

  init() throws {
    sample = try HistorySample()
    try sample.sql("INSERT INTO quake (code) VALUES ('a')")
  }

  private func triggers(_ store: SQLiteStore) throws -> [[Value]] {
    try store.connection.all("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY name")
  }

  /// Makes the triggers those of a version that knew nothing of rows in the way, and had one that is no longer made.
  private func age() throws {
    let connection = sample.store.connection
    let name = HistoryTriggers.prefix + "touchreplace_quake"
    try connection.execute("DROP TRIGGER \(name)")
    let giveWay = HistoryTriggers.prefix + "touchgiveway_quake"
    try connection.execute("DROP TRIGGER \(giveWay)")
    try connection.execute("CREATE TRIGGER \(giveWay) BEFORE UPDATE OF code ON quake BEGIN SELECT 1; END")
    try connection.execute("CREATE TRIGGER \(HistoryTriggers.prefix)old AFTER INSERT ON tag BEGIN SELECT 1; END")
  }

  @Test func openingForWritingRenewsTheTriggers() throws {
    let made = try triggers(sample.store)
    try age()
    #expect(try triggers(sample.store) != made)
    try sample.reopen()
    #expect(try triggers(sample.store) == made)
    try sample.sql("INSERT OR REPLACE INTO quake (code) VALUES ('a')")
    #expect(try sample.told() == ["insert Quake/1", "delete Quake/1 { code = \"a\" }; insert Quake/2"])
  }

  @Test func openingForReadingLeavesThem() throws {
    try age()
    let aged = try triggers(sample.store)
    let reader = try sample.another { $0.readOnly = true }
    #expect(try triggers(reader) == aged)
    #expect(try reader.told() == ["insert Quake/1"])
  }

  @Test func whatIsAsItWouldBeMadeIsNotWritten() throws {
    let before = try sample.store.connection.number(.schemaVersion)
    let other = try sample.another()
    #expect(try other.connection.number(.schemaVersion) == before)
    #expect(other.changeCount == 0)
  }

  @Test func aStoreThatSomebodyElseWritesOpensAllTheSame() throws {
    try age()
    let aged = try triggers(sample.store)
    try sample.store.transaction {
      let other = try sample.another { $0.busyTimeout = 0.05 }
      #expect(try triggers(other) == aged)
      #expect(try other.told() == ["insert Quake/1"])
    }
    #expect(try triggers(sample.another()) != aged)
  }

  @Test func aHistoryThatIsOffStaysSo() throws {
    try sample.store.setHistoryEnabled(false)
    try sample.reopen()
    #expect(try sample.store.isHistoryEnabled == false)
    #expect(try triggers(sample.store).contains { $0[0].debugText.contains(HistoryTriggers.prefix) } == false)
  }
}
