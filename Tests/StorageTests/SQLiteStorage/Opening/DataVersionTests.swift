import Modeling
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLite
@testable import SQLiteStorage
@testable import Stores

/// The data version that is kept and the one that SQLite gives are the same after any events.
@Suite(.seeded) struct DataVersionTests {
  /// What may be under way while the version is asked for.
  private final class World {
    let sample: ForeignSample
    var store: SQLiteStore { sample.store }
    private var reader: Statement?
    private var isInUserTransaction = false

    init() throws { sample = try ForeignSample(history: false) }

    /// Asks the store first: SQLite's own answer would refresh what is kept.
    func check(_ step: String) throws {
      let kept = store.dataVersion
      #expect(try store.connection.first("PRAGMA data_version") == .int(kept), "\(step)")
    }

    func take(_ step: Int) throws {
      switch step {
      case 0: try sample.sample.sql("INSERT INTO tag (label) VALUES ('own')")
      case 1: if reader == nil, !isInUserTransaction { try save() }
      case 2: if !isInUserTransaction { try sample.elsewhere("INSERT INTO tag (label) VALUES ('other')") }
      case 3: try read()
      case 4: reader = nil
      case 5: try toggleUserTransaction()
      case 6: if !isInUserTransaction { store.checkpointIfNeeded() }
      case 7: if !isInUserTransaction, reader == nil { try restartLog() }
      case 8: try store.reading { try check("while reading") }
      default: _ = try store.changesByOthers()
      }
    }

    private func save() throws {
      try store.transaction {
        try check("in a transaction")
        try store.connection.execute("UPDATE tag SET label = label || 'x' WHERE _pk = 1")
        try check("in a transaction that has written")
      }
      _ = try? store.transaction {
        try store.connection.execute("DELETE FROM tag")
        throw StoreError(.interrupted)
      }
    }

    /// Holds a state of the file, behind which others go on.
    private func read() throws {
      let statement = try store.connection.prepare("SELECT * FROM sqlite_schema")
      _ = try statement.step()
      reader = statement
    }

    private func toggleUserTransaction() throws {
      // What a cursor holds may be too old to write upon.
      if !isInUserTransaction, reader != nil { return }
      try sample.sample.sql(isInUserTransaction ? "COMMIT" : "BEGIN IMMEDIATE")
      isInUserTransaction.toggle()
    }

    private func restartLog() throws { try sample.elsewhere("PRAGMA wal_checkpoint(TRUNCATE)") }

    func end() throws {
      reader = nil
      if isInUserTransaction { try toggleUserTransaction() }
    }
  }

  @Test(arguments: 0..<20) func othersAreNeverMissed(_ seed: UInt64) throws {
    let world = try World()
    var random = SplitMix(seed: seed)
    for number in 0..<150 {
      let step = Int.random(in: 0...9, using: &random)
      do { try world.take(step) } catch let error as StoreError {
        // A cursor that is open holds an older state than the one to be written upon.
        guard case .cursorIsOutdated = error.fact else { throw error }
      }
      try world.check("step \(number) of seed \(seed), kind \(step)")
    }
    try world.end()
  }

  @Test func nothingIsAskedOfSQLiteWhileNobodyWrites() throws {
    let sample = try ForeignSample(history: false)
    _ = sample.store.dataVersion
    var told: [String] = []
    let trace = sample.store.trace { sql, _ in told.append(sql) }
    for _ in 0..<10 { _ = sample.store.dataVersion }
    #expect(told == [])
    try sample.elsewhere("INSERT INTO tag (label) VALUES ('a')")
    _ = sample.store.dataVersion
    #expect(told == ["PRAGMA data_version"])
    withExtendedLifetime(trace) {}
  }

  @Test func anotherJournalModeIsFollowedToo() throws {
    let sample = try ForeignSample(history: false)
    _ = sample.store.dataVersion
    sample.other.close()
    try sample.sample.sql("PRAGMA journal_mode = DELETE")
    let before = sample.store.dataVersion
    #expect(try sample.store.connection.first("PRAGMA data_version") == .int(before))
    try sample.sample.sql("INSERT INTO tag (label) VALUES ('own')")
    #expect(sample.store.dataVersion == before)
    let other = try Connection(sample.store.path)
    defer { other.close() }
    try other.execute("INSERT INTO tag (label) VALUES ('other')")
    #expect(sample.store.dataVersion != before)
  }
}
