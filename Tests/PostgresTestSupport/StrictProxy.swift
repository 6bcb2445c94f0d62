import Foundation
import Glibc
public import Postgres
import Synchronization
public import TestSupport

/// A server in front of PostgreSQL that lacks what another engine lacks, and fails as servers far away do.
///
///     let proxy = try StrictProxy(server, as: ServerProfile(engine: .cockroach))
///     try PostgresConnection(PostgresAddress(proxy.address(of: database))) { false }
///
/// It reads the protocol between the two. A statement that the engine does not take is refused with the engine's SQLSTATE:
/// the server gets a statement that it refuses itself, so that everything that follows a refusal is the server's own doing,
/// and the message is replaced. What an engine does in another way, as dividing integers, is not imitated.
public final class StrictProxy: Sendable {
  /// What goes wrong, each once in so many executions at random; 0 for never.
  public struct Faults: Sendable {
    /// A transaction that could not be put in order with others (40001), at a statement or at COMMIT.
    public var serializationFailures = 0
    /// A server that is shut down (57P01).
    public var terminations = 0
    /// A connection that ends without a word, before the server has got the statement or after it has done it.
    public var cuts = 0
    /// A connection that ends while a COMMIT is under way, before the server has got it or after it has done it.
    public var lostCommits = 0
    /// The longest time that a statement is held back.
    public var mostDelay = 0.0
    /// A byte of a row that is another than the server sent.
    public var corruptions = 0
    /// What decides; the generator bears the seed.
    public var random: SplitMix

    /// Creates faults that are to be set.
    public init(random: SplitMix) { self.random = random }
  }

  /// What has gone wrong so far.
  public struct Tally: Sendable {
    /// Statements that were refused because the engine lacks what they ask for.
    public var refusals = 0
    /// Transactions that failed with 40001.
    public var serializationFailures = 0
    /// Connections that ended with 57P01.
    public var terminations = 0
    /// Connections that were cut.
    public var cuts = 0
  }

  let server: PostgresServer
  let profile: ServerProfile
  private let folder: String
  private let listener: Mutex<Int32?>
  private let faults: Mutex<Faults?>
  private let tallied = Mutex(Tally())
  private let sessions = Mutex<[ProxySession]>([])

  /// Listens in front of a server.
  public init(_ server: PostgresServer, as profile: ServerProfile, faults: Faults? = nil) throws {
    self.server = server
    self.profile = profile
    self.faults = Mutex(faults)
    // A pattern that is none is found out here.
    _ = try ProxyRule.rules(for: profile)
    folder = server.folder + "/\(UUID().uuidString.prefix(8)).\(profile.engine.rawValue)."
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let listener = try UnixSocket.listen(folder + "/.s.PGSQL.5432")
    self.listener = Mutex(listener)
    let thread = Thread { [weak self] in
      while let client = UnixSocket.accept(listener) {
        guard let self else {
          close(client)
          break
        }
        self.serve(client)
      }
      close(listener)
    }
    thread.start()
  }

  deinit { stop() }

  /// The address of a database through the proxy.
  public func address(of database: String) -> String {
    "postgresql://\(PostgresServer.user)@/\(database)?host=\(folder)&port=5432"
  }

  /// What has gone wrong so far.
  public var tally: Tally { tallied.withLock { $0 } }

  /// Sets what goes wrong from now on.
  public func set(_ new: Faults?) { faults.withLock { $0 = new } }

  /// Ends all connections; new ones are refused.
  public func stop() {
    listener.withLock { listener in
      // The thread that accepts closes it.
      if let listener { shutdown(listener, Int32(SHUT_RDWR)) }
      listener = nil
    }
    sessions.withLock { sessions in
      for session in sessions { session.cut() }
      sessions = []
    }
  }

  private func serve(_ client: Int32) {
    guard let upstream = try? UnixSocket.connect("\(server.folder)/.s.PGSQL.\(server.port)") else {
      close(client)
      return
    }
    let session = ProxySession(client: client, server: upstream, self)
    sessions.withLock { $0.append(session) }
    session.start()
  }

  /// Draws what goes wrong with an execution, and waits as long as it is held back.
  func draw(_ isExempt: Bool, isCommit: Bool = false) -> Fault? {
    let (fault, delay) = faults.withLock { faults -> (Fault?, Double) in
      guard faults != nil else { return (nil, 0) }
      func happens(_ once: Int) -> Bool { once > 0 && faults?.random.chance(oneIn: once) == true }
      var fault: Fault?
      if happens(faults?.cuts ?? 0) || isCommit && happens(faults?.lostCommits ?? 0) {
        fault = faults?.random.chance(oneIn: 2) == true ? .cutBefore : .cutAfter
      }
      if happens(faults?.terminations ?? 0) { fault = .termination }
      if happens(faults?.serializationFailures ?? 0), !isExempt { fault = .serializationFailure }
      let most = faults?.mostDelay ?? 0
      let delay = most > 0 ? most * Double(faults?.random.below(1000) ?? 0) / 1000 : 0
      return (fault, delay)
    }
    if delay > 0 { usleep(UInt32(delay * 1e6)) }
    switch fault {
    case .serializationFailure: tallied.withLock { $0.serializationFailures += 1 }
    case .termination: tallied.withLock { $0.terminations += 1 }
    case .cutBefore, .cutAfter: tallied.withLock { $0.cuts += 1 }
    case nil: break
    }
    return fault
  }

  /// The body of a row as the client gets it.
  func corrupted(_ body: [UInt8]) -> [UInt8] {
    faults.withLock { faults in
      guard var drawn = faults, drawn.corruptions > 0, !body.isEmpty else { return body }
      defer { faults = drawn }
      guard drawn.random.chance(oneIn: drawn.corruptions) else { return body }
      var body = body
      for _ in 0..<(1 + drawn.random.below(3)) {
        body[drawn.random.below(body.count)] = drawn.random.pick([0, 1, 0x7F, 0x80, 0xFF, 0x30])
      }
      return body
    }
  }

  func countRefusal() { tallied.withLock { $0.refusals += 1 } }

  /// What goes wrong with one execution.
  enum Fault {
    case serializationFailure
    case termination
    case cutBefore
    case cutAfter
  }
}
