internal import CPostgres
internal import Glibc
internal import Modeling
public import StoreErrors

/// A connection to a server that speaks PostgreSQL's protocol, over libpq.
///
///     let connection = try PostgresConnection(PostgresAddress("postgres:///quakes")) { false }
///     let result = try connection.run("SELECT count(*) FROM quake WHERE magnitude > $1", [.double(6)])
///     result.int(0, 0)
///
/// Used on one thread only. Nothing blocks for longer than 50 ms without asking `isInterrupted`, but for the look-up of a
/// host's name, which libpq does within one call. An interrupted statement is cancelled on the server, and the connection
/// stays usable.
public final class PostgresConnection {
  /// The address of the server.
  public let address: PostgresAddress
  /// Asked whenever nothing has come for 50 ms, at signals, and between rows; true ends what runs.
  public var isInterrupted: () -> Bool
  /// The server's version as one number: 150018 is 15.18.
  public let serverVersion: Int
  /// Whether rows are being read or copied: until that ends nothing else can be sent.
  public internal(set) var isBusy = false
  /// libpq's `PGconn*`; nil once closed.
  private(set) var handle: OpaquePointer?
  /// The request to cancel what runs, once that was interrupted.
  var cancellation: Cancellation?
  /// Whether the last statement was interrupted.
  var wasInterrupted = false
  /// The number of waits for the socket since the last statement was sent.
  var waits = 0
  /// The statements that were prepared on the server.
  var prepared = PreparedStatements()
  /// What the server said besides its answers.
  let notices = Notices()
  /// Called with each statement that was run, and the seconds that it took. Statements that are sent together report their
  /// time with the first.
  public var told: ((_ sql: String, _ seconds: Double) -> Void)?
  /// Whether statements are prepared on the server; a pool that gives each transaction another session forbids that (see
  /// `ServerProfile`).
  public var preparesStatements = true

  /// Connects.
  ///
  /// It waits as long as the setting `connect_timeout` says, for all hosts together, or else 30 s.
  /// - Throws: `StoreError`: libpq is missing, the server cannot be reached or refuses, or `isInterrupted` said so.
  public init(_ address: PostgresAddress, isInterrupted: @escaping () -> Bool) throws(StoreError) {
    try ClientLibrary.open()
    self.address = address
    self.isInterrupted = isInterrupted
    let handle = Self.begin(address)
    do throws(StoreError) {
      try Self.finish(handle, address, isInterrupted)
    } catch {
      PQfinish(handle)
      throw error
    }
    serverVersion = Int(PQserverVersion(handle))
    self.handle = handle
    PQsetNoticeProcessor(
      handle,
      { context, message in
        guard let context else { return }
        Unmanaged<Notices>.fromOpaque(context).takeUnretainedValue().add(ClientLibrary.message(message))
      }, Unmanaged.passUnretained(notices).toOpaque())
  }

  deinit { close() }

  /// Begins to connect. What stands before the address in the list is a default, what stands behind it is fixed.
  private static func begin(_ address: PostgresAddress) -> OpaquePointer? {
    var settings = [
      ("fallback_application_name", "perilune"), ("dbname", address.text), ("client_encoding", "UTF8"),
    ]
    if let password = address.password { settings.append(("password", password)) }
    var keywords = settings.map { UnsafePointer(strdup($0.0)) } + [nil]
    var values = settings.map { UnsafePointer(strdup($0.1)) } + [nil]
    defer { for text in keywords + values { free(UnsafeMutablePointer(mutating: text)) } }
    return PQconnectStartParams(&keywords, &values, 1)
  }

  private static func finish(_ handle: OpaquePointer?, _ address: PostgresAddress, _ isInterrupted: () -> Bool)
    throws(StoreError)
  {
    func failure() -> StoreError {
      guard let handle else { return StoreError(.outOfMemory, path: address.shown) }
      if PQconnectionNeedsPassword(handle) != 0 {
        let user = PQuser(handle).map { String(cString: $0) } ?? ""
        return StoreError(.passwordMissing(user: user), path: address.shown)
      }
      let refusal = ClientLibrary.refusal(PQerrorMessage(handle))
      let name = PQdb(handle).map { String(cString: $0) } ?? ""
      if refusal.states == ["3D000"] { return StoreError(.noDatabase(name), path: address.shown) }
      return StoreError(.connectionFailed(address.withoutSecrets(refusal.message)), path: address.shown)
    }
    // libpq would print them.
    PQsetNoticeProcessor(handle, { _, _ in }, nil)
    guard let handle, PQstatus(handle) != 1 else { throw failure() }
    // Why a server refuses is said in its language, and, with all that it knows, by a code.
    PQsetErrorVerbosity(handle, 2)
    let seconds = timeout(handle)
    let deadline = monotonicSeconds() + seconds
    var polled = Int(PERILUNE_PQ_POLL_WRITING)
    while polled != PERILUNE_PQ_POLL_OK {
      let events = polled == PERILUNE_PQ_POLL_READING ? POLLIN : POLLOUT
      switch SocketWait.wait(PQsocket(handle), Int32(events), until: deadline, isInterrupted) {
      case .ready: break
      case .interrupted: throw StoreError(.interrupted, path: address.shown)
      case .timedOut: throw StoreError(.connectionTimedOut(seconds: seconds), path: address.shown)
      }
      polled = Int(PQconnectPoll(handle))
      if polled == PERILUNE_PQ_POLL_FAILED { throw failure() }
    }
    PQsetErrorVerbosity(handle, 1)
    PQsetnonblocking(handle, 1)
  }

  /// What the setting `connect_timeout` says, which libpq itself keeps only where it blocks.
  private static func timeout(_ handle: OpaquePointer) -> Double {
    guard let options = PQconninfo(handle) else { return 30 }
    defer { PQconninfoFree(options) }
    guard let text = ConnectionSettings(options)["connect_timeout"], let seconds = Int32(text), seconds != 0 else {
      return 30
    }
    // libpq takes a negative number for no limit.
    return seconds < 0 ? 1e8 : Double(max(seconds, 2))
  }

  /// Ends the connection; open rows and copies throw `.closed` from now on.
  public func close() {
    guard let handle else { return }
    self.handle = nil
    isBusy = false
    prepared = PreparedStatements()
    PQfinish(handle)
  }
}

extension PostgresConnection {
  /// Whether a transaction is open on the connection.
  public enum TransactionStatus: Sendable {
    /// None is open.
    case idle
    /// A statement runs, or its rows are being read.
    case active
    /// One is open.
    case inTransaction
    /// One is open in which a statement has failed: only its end is possible.
    case inError
    /// The connection is broken or closed.
    case unknown
  }

  /// Whether a transaction is open.
  public var transactionStatus: TransactionStatus {
    guard let handle else { return .unknown }
    return switch Int(PQtransactionStatus(handle)) {
    case Int(PERILUNE_PQ_IDLE): .idle
    case Int(PERILUNE_PQ_ACTIVE): .active
    case Int(PERILUNE_PQ_IN_TRANSACTION): .inTransaction
    case Int(PERILUNE_PQ_IN_ERROR): .inError
    default: .unknown
    }
  }

  /// Whether the connection was lost or closed: nothing can be sent any more.
  public var isBroken: Bool { handle.map { PQstatus($0) != PERILUNE_PQ_CONNECTION_OK } ?? true }

  /// The socket, which has input when notifications have arrived; nil where there is none.
  ///
  /// Those that came with the answer to a statement are read already: ask `notifications` after statements, too.
  public var descriptor: Int32? {
    guard let handle, !isBroken else { return nil }
    let descriptor = PQsocket(handle)
    return descriptor < 0 ? nil : descriptor
  }

  /// The number of the server's process that serves the connection.
  public var processID: Int32 { handle.map { PQbackendPID($0) } ?? 0 }

  /// The database that the connection is to.
  public var database: String { handle.flatMap { PQdb($0) }.map { String(cString: $0) } ?? "" }

  /// The user who is connected.
  public var user: String { handle.flatMap { PQuser($0) }.map { String(cString: $0) } ?? "" }

  /// Whether the connection is encrypted.
  public var isEncrypted: Bool { handle.map { PQsslInUse($0) != 0 } ?? false }

  /// A setting of the session that the server reports, as `TimeZone`; nil where it reports none of the name.
  public func parameter(_ name: String) -> String? {
    handle.flatMap { PQparameterStatus($0, name) }.map { String(cString: $0) }
  }
}
