import Glibc
import Modeling
import Postgres
import Queries
import Stores
import TestSupport
import Testing

@testable import PostgresStorage

/// A store on a server that only follows another one.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct StandbyTests {
  private let primary: PostgresServer
  private let standby: PostgresServer
  private let store: PostgresStore
  private let note: Entity
  private let isThere = "SELECT count(*) FROM note"

  init() throws {
    primary = try PostgresServer()
    let model = try Model([EntityDescription("Note", properties: [.attribute(Attribute("text", .string))])])
    store = try primary.open("postgres") { ($0.model, $0.create, $0.history) = (model, true, true) }
    note = store.model.entity(named: "Note")!
    _ = try store.sql("INSERT INTO note (text) VALUES ('a'), ('b')", [])
    standby = try PostgresServer(following: primary)
  }

  /// Waits until the follower has what was committed.
  private func follow() throws {
    let place = try primary.psql("postgres", "SELECT pg_current_wal_insert_lsn()")
    for _ in 0..<1000 {
      if try standby.psql("postgres", "SELECT pg_last_wal_replay_lsn() >= '\(place)'") == "t" { return }
      usleep(10_000)
    }
    Issue.record("the server does not follow")
  }

  private func told(_ follower: PostgresStore) throws -> [Int64]? {
    try follow()
    let touched = try follower.changesByOthers()
    #expect(touched?.isComplete != false)
    return touched.map { ($0.tables["note"]?.inserted ?? []) + ($0.tables["note"]?.updated ?? []) }
  }

  @Test func whatAFollowerHasIsReadAndFollowedAndItWritesNothing() throws {
    try follow()
    let follower = try standby.open("postgres")
    #expect(follower.isReadOnly && follower.kind == .perilune)
    let entity = follower.model.entity(named: "Note")!
    #expect(try follower.keys(FetchRequest(entity)) == [1, 2])
    #expect(try follower.history(HistoryRequest()).count == 0)
    #expect(throws: StoreError(.notWritable("the server only follows another one"), path: follower.path)) {
      _ = try follower.insert(entity, [.string("c")], key: nil)
    }
    // It has no notifications.
    #expect(follower.changeSource(of: ["note"]) == .historyAndPolling(seconds: 0.25))
    #expect(follower.commitWatch?.descriptor == nil && follower.commitWatch?.pollInterval == 0.25)
    _ = try follower.changesByOthers()
    #expect(try told(follower) == nil)

    // A follower does not say which transactions run: each is reported once, when it has ended.
    let sessions = try (0..<3).map { _ in
      try PostgresConnection(PostgresAddress(primary.address(of: "postgres"))) { false }
    }
    for (number, session) in sessions.enumerated() {
      try session.script("BEGIN; INSERT INTO note VALUES (\(10 + number), 'x')")
    }
    _ = try store.insert(note, [.string("c")], key: 5)
    #expect(try told(follower) == [5])
    #expect(try told(follower) == nil)
    try sessions[1].script("COMMIT")
    #expect(try told(follower) == [11])
    _ = try store.insert(note, [.string("d")], key: 6)
    try sessions[2].script("ROLLBACK")
    #expect(try told(follower) == [6])
    try sessions[0].script("COMMIT")
    #expect(try told(follower) == [10])
    _ = try store.update(note, key: 6, [(0, .string("e"))])
    #expect(try told(follower) == [6])
    #expect(try told(follower) == nil)
    #expect(follower.commitWatch?.check() == false)
    #expect(try follower.keys(FetchRequest(entity)) == [1, 2, 5, 6, 10, 11])
  }

  @Test func whereAFollowerTakesThePlaceOfItsServerEverythingIsReadAgain() throws {
    let hosts = "host=\(primary.folder),\(standby.folder)&port=\(primary.port),\(standby.port)"
    let address = "postgresql://\(PostgresServer.user)@/postgres?\(hosts)&target_session_attrs=read-write"
    let store = try PostgresStore(PostgresOptions(try PostgresAddress(address)))
    let note = store.model.entity(named: "Note")!
    _ = try store.insert(note, [.string("c")], key: 3)
    _ = try store.changesByOthers()
    try follow()
    try primary.kill()
    try standby.psql("postgres", "SELECT pg_promote()")
    try standby.psql("postgres", "INSERT INTO note VALUES (4, 'd')")
    let touched = try #require(try store.changesByOthers())
    // The record is reported by its rows, and as perhaps not complete.
    #expect(!touched.isComplete && touched.tables["note"]?.inserted == [4])
    #expect(try store.changesByOthers() == nil)
    _ = try store.insert(note, [.string("e")], key: 5)
    #expect(try standby.psql("postgres", isThere) == "5")
  }
}
