import Foundation
import Modeling
import Postgres
import StoreErrors
import TestSupport
import Testing

@Suite(.enabled(if: PostgresServer.isInstalled, "there is no PostgreSQL server on this system"))
struct PostgresConnectionTests {
  private func failure(_ address: String, password: String? = nil) throws -> StoreError {
    var address = try PostgresAddress(address)
    address.password = password
    return try #require(throws: StoreError.self) { try PostgresConnection(address) { false } }
  }

  @Test func aConnectionTellsWhatItIsTo() throws {
    let database = try TestDatabase()
    let connection = try database.connect()
    #expect(connection.database == database.name && connection.user == PostgresServer.user && !connection.isBroken)
    #expect(connection.parameter("server_encoding") == "UTF8" && connection.descriptor != nil)
    #expect(try connection.run("SHOW application_name").text(0, 0) == "perilune" && !connection.isEncrypted)
    connection.close()
    #expect(connection.isBroken && connection.descriptor == nil && connection.transactionStatus == .unknown)
  }

  @Test func passwordsAreAskedForCheckedAndNeverTold() throws {
    let database = try TestDatabase()
    let server = database.server
    for (right, wrong, missing) in [
      (
        server.networkAddress(of: database.name, user: PostgresServer.lockedUser, password: PostgresServer.password),
        server.networkAddress(of: database.name, user: PostgresServer.lockedUser, password: "wrong secret"),
        server.networkAddress(of: database.name, user: PostgresServer.lockedUser)
      )
    ] {
      _ = try PostgresConnection(PostgresAddress(right)) { false }
      let refused = try failure(wrong)
      guard case .connectionFailed(let reason) = refused.fact else { return #expect(Bool(false), "\(refused)") }
      #expect(reason.contains("password authentication failed") && !"\(refused)".contains("secret"))
      #expect(try failure(missing).fact == .passwordMissing(user: PostgresServer.lockedUser))
      var asked = try PostgresAddress(missing)
      asked.password = PostgresServer.password
      _ = try PostgresConnection(asked) { false }
    }
  }

  @Test func aDatabaseThatIsMissingIsAFactOfItsOwn() throws {
    let server = try TestDatabase().server
    #expect(try failure(server.address(of: "nowhere")).fact == .noDatabase("nowhere"))
    let french = server.address(of: "nowhere", options: "&options=-c%20lc_messages%3DC")
    #expect(try failure(french).fact == .noDatabase("nowhere"))
    guard case .connectionFailed(let reason) = try failure(server.address(of: "postgres", user: "nobody")).fact else {
      return #expect(Bool(false))
    }
    #expect(
      reason.contains("FATAL:  role \"nobody\"") && !reason.contains("28000") && !reason.contains(".c:"), "\(reason)")
  }

  @Test(arguments: ["postgres://ada:secret", "postgres://ada:secret/x", "postgresql://ada:sec/ret@h/x"])
  func aPasswordInThePlaceOfAPortIsNotTold(address: String) throws {
    let error = try failure(address)
    #expect(!"\(error.fact)".contains("sec") && !(error.path ?? "").withoutPassword.contains("ret"), "\(error)")
  }

  @Test func whatCannotBeReachedIsToldWithTheReason() throws {
    let facts = try [
      failure("postgresql://127.0.0.1:1/x"),
      failure("postgresql:///x?host=/nowhere"), failure("postgresql://no-such-host.invalid/x"),
      failure("postgresql:///x?service=no_such_service"),
    ]
    let reasons = [
      "Connection refused", "No such file", "no-such-host.invalid", "service",
    ]
    for (error, reason) in zip(facts, reasons) {
      guard case .connectionFailed(let text) = error.fact else { return #expect(Bool(false), "\(error)") }
      #expect(text.contains(reason) && !text.contains("\n"), "\(text)")
    }
  }

  @Test func aServerThatSaysNothingIsGivenUp() throws {
    // It accepts connections and never answers.
    let silent = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(silent) }
    let port = try SilentPort(silent)
    let address = "postgresql://x@127.0.0.1:\(port.number)/x"
    #expect(try failure("\(address)?connect_timeout=2").fact == .connectionTimedOut(seconds: 2))
    let error = #expect(throws: StoreError.self) { try PostgresConnection(PostgresAddress(address)) { true } }
    #expect(error?.fact == .interrupted)
  }

  @Test func aStatementIsCancelledOnTheServerAndTheConnectionGoesOn() throws {
    let database = try TestDatabase()
    let interrupter = Interrupter()
    let connection = try database.connect { interrupter.isInterrupted() }
    let sleep = "SELECT pg_sleep(60)"
    let attempts: [(String, () throws -> Void)] = [
      ("run", { try connection.run(sleep) }), ("script", { try connection.script("SELECT 1; \(sleep)") }),
      ("stream", { _ = try connection.stream(sleep).step() }),
      ("pipeline", { try connection.pipeline([("SELECT 1", []), (sleep, []), ("SELECT 2", [])]) }),
      ("copyOut", { _ = try connection.copyOut("COPY (\(sleep)) TO STDOUT (FORMAT binary)").step() }),
    ]
    for (name, attempt) in attempts {
      interrupter.interrupt(after: 20)
      let start = ContinuousClock.now
      let error = #expect(throws: StoreError.self) { try attempt() }
      #expect(error?.fact == .interrupted, "\(name)")
      #expect(ContinuousClock.now - start < .seconds(30), "\(name)")
      interrupter.stop()
      #expect(try connection.run("SELECT 1").int(0, 0) == 1, "\(name)")
    }
    let watcher = try database.connect()
    let running = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query ~ 'sleep.60'"
    #expect(try watcher.run(running + " AND state = 'active' AND pid <> pg_backend_pid()").int(0, 0) == 0)
  }

  @Test(.enabled(if: PostgresServer.hasTLS, "there is no openssl to make a certificate"))
  func anEncryptedConnectionIsVerifiedAndCancelledAsOthersAre() throws {
    let database = try TestDatabase()
    let address = database.server.networkAddress(of: database.name)
    let root = try #require(database.server.certificate)
    let interrupter = Interrupter()
    let verified = "\(address)?sslmode=verify-full&sslrootcert=\(root)"
    let connection = try PostgresConnection(PostgresAddress(verified)) { interrupter.isInterrupted() }
    #expect(connection.isEncrypted)
    let text = String(repeating: "ä", count: 500_000)
    #expect(try connection.run("SELECT $1", [.text(text)]).text(0, 0) == text)
    interrupter.interrupt(after: 20)
    let error = #expect(throws: StoreError.self) { try connection.run("SELECT pg_sleep(60)") }
    #expect(error?.fact == .interrupted)
    interrupter.stop()
    #expect(try connection.run("SELECT 1").int(0, 0) == 1)
    // An authority that is not the server's.
    let refused = try failure("\(address)?sslmode=verify-full&sslrootcert=/nowhere.pem")
    guard case .connectionFailed(let reason) = refused.fact else { return #expect(Bool(false), "\(refused)") }
    #expect(reason.contains("/nowhere.pem"))
    let plain = try PostgresConnection(PostgresAddress("\(address)?sslmode=disable")) { false }
    #expect(!plain.isEncrypted)
  }

  @Test func whatTakesNoTimeIsNotInterrupted() throws {
    let connection = try TestDatabase().connect { true }
    try connection.run("BEGIN")
    try connection.run("ROLLBACK")
    #expect(connection.transactionStatus == .idle)
  }

  @Test func manyRowsAreInterruptedBetweenThem() throws {
    let interrupter = Interrupter()
    let connection = try TestDatabase().connect { interrupter.isInterrupted() }
    let rows = try connection.stream("SELECT n FROM generate_series(1, 100000000) n")
    interrupter.interrupt(after: 10)
    let error = #expect(throws: StoreError.self) { while try rows.step() {} }
    #expect(error?.fact == .interrupted)
    let copied = try connection.copyOut(
      "COPY (SELECT n FROM generate_series(1, 100000000) n) TO STDOUT (FORMAT binary)")
    #expect(throws: StoreError.self) { while try copied.step() {} }
    try connection.run("CREATE TABLE t (a int8)")
    #expect(throws: StoreError.self) {
      try connection.copyIn("COPY t FROM STDIN (FORMAT binary)") { rows in
        while true {
          try rows.beginRow(1)
          try rows.int8(1)
          if rows.rowCount.isMultiple(of: 1024), interrupter.isInterrupted() { throw StoreError(.interrupted) }
        }
      }
    }
    interrupter.stop()
    #expect(try connection.run("SELECT count(*) FROM t").int(0, 0) == 0)
  }

  @Test func aConnectionThatTheServerEndedIsLost() throws {
    let database = try TestDatabase()
    let other = try database.connect()
    let attempts: [(PostgresConnection) throws -> Void] = [
      { try $0.run("SELECT 1") }, { try $0.script("SELECT 1") }, { _ = try $0.stream("SELECT 1").step() },
      { try $0.pipeline([("SELECT 1", []), ("SELECT 2", [])]) }, { _ = try $0.notifications() },
      { _ = try $0.copyOut("COPY (SELECT 1) TO STDOUT (FORMAT binary)").step() },
      { try $0.copyIn("COPY t FROM STDIN (FORMAT binary)") { _ in } },
    ]
    var reasons: [String] = []
    for attempt in attempts {
      let connection = try database.connect()
      #expect(
        try other.run("SELECT pg_terminate_backend($1::int, 5000)", [.int(Int64(connection.processID))]).bool(0, 0))
      let error = #expect(throws: StoreError.self) { try attempt(connection) }
      guard case .connectionLost(let reason) = error?.fact else {
        return #expect(Bool(false), "\(String(describing: error))")
      }
      reasons.append(reason)
      #expect(connection.isBroken)
      let again = #expect(throws: StoreError.self) { try connection.run("SELECT 1") }
      guard case .connectionLost = again?.fact else { return #expect(Bool(false), "\(String(describing: again))") }
    }
    // Where a statement was sent, the server's own words are the answer to it.
    #expect(reasons.filter { $0.contains("due to administrator command") }.count == attempts.count - 1, "\(reasons)")
  }

  @Test func aServerThatDiesLeavesAFactAndAProcessThatRuns() throws {
    let server = try PostgresServer()
    func connect() throws -> PostgresConnection {
      try PostgresConnection(PostgresAddress(server.address(of: "postgres"))) { false }
    }
    try connect().run("CREATE TABLE t (a int8)")
    let connections = try (0..<4).map { _ in try connect() }
    let rows = try connections[0].stream("SELECT n, repeat('x', 1000) FROM generate_series(1, 1000000) n")
    #expect(try rows.step())
    let copied = try connections[1].copyOut("COPY (SELECT generate_series(1, 100000000)) TO STDOUT (FORMAT binary)")
    #expect(try copied.step())
    let attempts: [() throws -> Void] = [
      { while try rows.step() {} }, { while try copied.step() {} },
      {
        try connections[2].copyIn("COPY t FROM STDIN (FORMAT binary)") { rows in
          try server.kill()
          while true {
            try rows.beginRow(1)
            try rows.int8(1)
          }
        }
      }, { try connections[3].run("SELECT 1") },
    ]
    // The third of them has the server killed.
    for attempt in [attempts[2], attempts[0], attempts[1], attempts[3]] {
      let error = #expect(throws: StoreError.self) { try attempt() }
      guard case .connectionLost = error?.fact else { return #expect(Bool(false), "\(String(describing: error))") }
    }
  }

  @Test func notificationsArriveWithoutWaiting() throws {
    let database = try TestDatabase()
    let (listener, sender) = (try database.connect(), try database.connect())
    try listener.run("LISTEN news")
    #expect(try listener.notifications().isEmpty)
    for number in 0..<3 { try sender.run("SELECT pg_notify('news', $1)", [.text("\(number)")]) }
    var arrived: [String] = []
    for _ in 0..<1000 where arrived.count < 3 {
      for notification in try listener.notifications() {
        #expect(notification.channel == "news" && notification.pid == sender.processID)
        arrived.append(notification.payload)
      }
      usleep(5000)
    }
    #expect(arrived == ["0", "1", "2"])
    // They come with answers, too.
    try sender.run("NOTIFY news")
    for _ in 0..<1000 where arrived.count < 4 {
      try listener.run("SELECT 1")
      arrived += try listener.notifications().map(\.payload)
      usleep(1000)
    }
    #expect(arrived.last == "")
  }
}

/// A port of 127.0.0.1 that a socket listens on.
private struct SilentPort {
  var number: Int

  init(_ descriptor: Int32) throws {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && listen(descriptor, 5) == 0 && getsockname(descriptor, $0, &size) == 0
      }
    }
    #expect(isBound)
    number = Int(UInt16(bigEndian: address.sin_port))
  }
}
