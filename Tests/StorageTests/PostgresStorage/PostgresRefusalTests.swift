import Modeling
import Postgres
import PostgresStorage
import Queries
import StoreErrors
import Stores
import TestSupport
import Testing

/// What a server refuses on a bad day is one fact, and nothing of it is written.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct PostgresRefusalTests {
  private let server: PostgresServer
  private let database: String
  init() throws {
    server = try PostgresServer.shared.get()
    database = try server.makeDatabase(for: "refusal")
  }

  private func notes(_ settings: String = "", user: String = PostgresServer.user) throws -> PostgresStore {
    let text = Property.attribute(Attribute("text", .string))
    var options = PostgresOptions(
      try PostgresAddress(server.address(of: database, user: user, options: settings)))
    (options.model, options.create) = (try Model([EntityDescription("Note", properties: [text])]), true)
    return try PostgresStore(options)
  }

  private func insert(_ texts: String..., into store: PostgresStore) throws {
    let note = store.model.entity(named: "Note")!
    try store.transaction { for text in texts { try store.insert(note, [.string(text)], key: nil) } }
  }

  private func texts() throws -> String {
    try server.psql(database, "SELECT string_agg(text, ',' ORDER BY _pk) FROM note")
  }

  @Test func aServerThatAcceptsNoWritesSaysSo() throws {
    try insert("a", into: try notes())
    let store = try notes("&options=-c%20default_transaction_read_only%3Don")
    #expect(store.isReadOnly)
    let refusal = StoreError.Fact.notWritable("the server accepts no writes of this session")
    #expect(fact { try insert("b", into: store) } == refusal)
    #expect(try texts() == "a")
  }

  @Test func aRightThatIsMissingIsToldInTheServersWords() throws {
    try insert("a", into: try notes())
    let guest = "guest_\(database)"
    try server.psql(
      database,
      "CREATE ROLE \(guest) LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO \(guest); GRANT INSERT ON note TO \(guest)"
    )
    let store = try notes(user: guest)
    try insert("b", into: store)
    let note = store.model.entity(named: "Note")!
    guard case .server(let refusal)? = fact({ _ = try store.update(note, key: 1, [(0, .string("c"))]) }) else {
      Issue.record("the update was not refused")
      return
    }
    #expect(refusal.sqlState == "42501" && refusal.message == "permission denied for table note")
    try server.psql(database, "REVOKE SELECT ON note FROM \(guest)")
    #expect(fact { _ = try store.count(FetchRequest(note)) } != nil)
    #expect(try texts() == "a,b")
    store.close()
    try server.psql(database, "DROP OWNED BY \(guest); DROP ROLE \(guest)")
  }

  @Test func aLockThatIsNotGivenIsAFactWithoutATime() throws {
    let store = try notes("&options=-c%20lock_timeout%3D50")
    let other = try PostgresConnection(PostgresAddress(server.address(of: database))) { false }
    _ = try other.run("BEGIN")
    _ = try other.run("LOCK TABLE note")
    #expect(fact { try insert("a", into: store) } == .busy(seconds: 0, holders: []))
    _ = try other.run("ROLLBACK")
    try insert("b", into: store)
    #expect(try texts() == "b")
  }

  @Test func aTextThatAnEncodingLacksIsRefusedWithAllOfItsTransaction() throws {
    let name = "latin_\(database)"
    try server.psql(
      "postgres", "CREATE DATABASE \(name) TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'")
    let text = Property.attribute(Attribute("text", .string))
    var options = PostgresOptions(try PostgresAddress(server.address(of: name)))
    (options.model, options.create) = (try Model([EntityDescription("Note", properties: [text])]), true)
    let store = try PostgresStore(options)
    try insert("äöü", into: store)
    guard case .server(let refusal)? = fact({ try insert("a", "漢", into: store) }) else {
      Issue.record("the text was not refused")
      return
    }
    #expect(refusal.sqlState == "22P05")
    var request = FetchRequest(store.model.entity(named: "Note")!)
    request.predicate = try Predicate.parse("text == 'äöü'")
    #expect(try store.count(request) == 1)
    request.predicate = nil
    #expect(try store.count(request) == 1)
    store.close()
    try server.dropDatabase(name)
  }

  @Test func aStatementThatTheServerEndsLeavesTheTransactionToItsUser() throws {
    let store = try notes("&options=-c%20statement_timeout%3D100")
    guard case .server(let refusal)? = fact({ _ = try store.sql("SELECT pg_sleep(5)", []) }) else {
      Issue.record("the statement was not ended")
      return
    }
    #expect(refusal.sqlState == "57014")
    try insert("a", into: store)
    #expect(try texts() == "a")
  }

  @Test func aTableThatChangesUnderneathIsAFactAndNothingIsLost() throws {
    let store = try notes()
    try insert("a", into: store)
    try server.psql(database, "ALTER TABLE note RENAME COLUMN text TO words")
    for change in [
      { try insert("b", into: store) },
      { _ = try store.update(store.model.entity(named: "Note")!, key: 1, [(0, .string("c"))]) },
    ] {
      guard case .server(let refusal)? = fact({ try change() }) else {
        Issue.record("the column was there")
        continue
      }
      #expect(refusal.sqlState == "42703")
    }
    try server.psql(database, "ALTER TABLE note RENAME COLUMN words TO text")
    try insert("d", into: store)
    #expect(try texts() == "a,d")
  }
}
