public import Foundation
import Glibc
import Synchronization

/// A PostgreSQL server of the tests' own: a cluster in a folder of its own, reached by a Unix socket and by 127.0.0.1.
///
/// A shell watches a pipe that this process holds: when the process ends, in any way, the shell stops the server and
/// removes the folder. As root the server runs as another user.
public final class PostgresServer: Sendable {
  /// The server that the tests of this process share; it is started at the first use.
  public static let shared = Result { try PostgresServer() }

  /// Whether the programs of a server are there; tests that need one bear `.enabled(if: PostgresServer.isInstalled)`.
  public static let isInstalled = program("postgres") != nil

  /// The folder of the programs of the newest server.
  public static var programs: String? {
    program("postgres").map { URL(filePath: $0).deletingLastPathComponent().path }
  }

  /// Whether the server has a certificate.
  public static let hasTLS = program("openssl") != nil

  /// The folder of the socket, which is the cluster's parent.
  public let folder: String
  /// The port, also in the name of the socket.
  public let port: Int
  /// The end of the pipe whose closing ends the server.
  private let lifeline: Mutex<Int32?>
  private let count = Mutex(0)

  /// The one who made the cluster, without a password.
  public static let user = "perilune"
  /// A user who has to give `password`.
  public static let lockedUser = "locked"
  /// The password of the locked user.
  public static let password = "right/pass word"

  /// Makes a cluster and starts a server on it.
  ///
  /// Tests that stop their server make one for themselves.
  public convenience init() throws {
    try self.init(source: "")
    do {
      try psql(
        "postgres", "CREATE ROLE \(Self.lockedUser) LOGIN PASSWORD '\(Self.password)'")
    } catch {
      stop()
      throw error
    }
  }

  /// Makes a server that follows another one, and answers readers.
  public convenience init(following primary: PostgresServer) throws {
    try self.init(source: "user=\(Self.user) host=\(primary.folder) port=\(primary.port)")
  }

  /// Makes a server with settings of its own.
  public convenience init(settings: [String]) throws { try self.init(source: "", settings: settings) }

  private init(source: String, settings: [String] = []) throws {
    guard let initdb = Self.program("initdb"), let postgres = Self.program("postgres") else {
      throw Failure(text: "there is no PostgreSQL server on this system")
    }
    // Paths of sockets have 107 bytes at most, so that the folder cannot lie in the one of the tests.
    var template = Array("/tmp/perilune-pg-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure(text: "no folder can be made in /tmp") }
    folder = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    port = try Self.freePort()
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Failure(text: "there is no pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let input = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
    lifeline = Mutex(ends[1])
    let server = Process()
    server.executableURL = URL(filePath: "/bin/sh")
    server.arguments =
      ["-c", Self.watcher, "sh", folder, initdb, postgres, "\(port)", source] + settings.flatMap { ["-c", $0] }
    server.standardInput = input
    server.standardOutput = FileHandle.nullDevice
    server.standardError = FileHandle.nullDevice
    try server.run()
    try? input.close()
    do {
      try awaitServer()
    } catch {
      stop()
      throw error
    }
  }

  deinit { stop() }

  /// Ends the server as the end of the process would.
  public func stop() {
    lifeline.withLock { end in
      if let end { Glibc.close(end) }
      end = nil
    }
  }

  /// Makes the cluster, or copies that of the server to follow, runs the server and waits for the end of the pipe.
  private static let watcher = #"""
    folder=$1 initdb=$2 postgres=$3 port=$4 source=$5
    shift 5
    # A server that connects to others looks for certificates at home, which may be closed to it.
    HOME=$folder
    export HOME
    trap : INT TERM HUP
    as=
    if [ "$(id -u)" = 0 ]; then
      for user in postgres nobody; do
        if id -u $user >/dev/null 2>&1; then
          as="setpriv --reuid=$user --regid=$(id -g $user) --clear-groups"
          chown $user "$folder"
          break
        fi
      done
    fi
    chmod 755 "$folder"
    cd "$folder"
    tls=off
    if [ -n "$source" ]; then
      $as "${initdb%initdb}pg_basebackup" -d "$source" -D data -R -X stream -c fast --no-sync >initdb.txt 2>&1 </dev/null
      [ ! -f data/server.crt ] || tls=on
    else
      $as "$initdb" -D data -U perilune -A trust -E UTF8 --locale=C.UTF-8 --no-sync >initdb.txt 2>&1 </dev/null
      # A certificate that speaks for itself, where openssl is there to make one.
      if openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj /CN=localhost \
        -addext 'subjectAltName=DNS:localhost,IP:127.0.0.1' -keyout key.pem -out cert.pem >openssl.txt 2>&1; then
        cp cert.pem data/server.crt
        cp key.pem data/server.key
        chmod 600 data/server.key
        chmod 644 cert.pem
        [ -z "$as" ] || chown "$(stat -c %u data)" data/server.crt data/server.key
        tls=on
      fi
      {
        echo 'local all locked scram-sha-256'
        echo 'host all locked 127.0.0.1/32 scram-sha-256'
        cat data/pg_hba.conf
      } >hba && cat hba >data/pg_hba.conf
    fi
    $as "$postgres" -D data -k "$folder" -p "$port" -c listen_addresses=127.0.0.1 -c fsync=off \
      -c synchronous_commit=off -c full_page_writes=off -c wal_level=logical -c max_connections=200 \
      -c shared_buffers=64MB -c max_wal_size=128MB -c min_wal_size=32MB -c jit=off -c ssl=$tls "$@" >log.txt 2>&1 </dev/null &
    server=$!
    cat >/dev/null
    # Shells have what runs beside them ignore QUIT until it says otherwise, so that a server that is just starting would.
    kill -TERM $server 2>/dev/null
    kill -QUIT $server 2>/dev/null
    wait $server
    cd / && rm -rf "$folder"
    """#

  private func awaitServer() throws {
    let state = folder + "/data/postmaster.pid"
    for _ in 0..<1200 {
      let lines = (try? String(contentsOfFile: state, encoding: .utf8))?.split(separator: "\n") ?? []
      if lines.count >= 8, lines[7].hasPrefix("ready") { return }
      usleep(50_000)
    }
    let log = ["initdb.txt", "log.txt"].compactMap { try? String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }
    throw Failure(text: "the server does not start: \(log.joined())")
  }

  private static func freePort() throws -> Int {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { Glibc.close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
      }
    }
    guard isBound else { throw Failure(text: "there is no free port") }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  /// A program of the newest server.
  static func program(_ name: String) -> String? {
    let manager = FileManager.default
    let versions = (try? manager.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
    let newest = versions.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }.map { "/usr/lib/postgresql/\($0)/bin" }
    let path = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    return (newest + path).map { "\($0)/\(name)" }.first { manager.isExecutableFile(atPath: $0) }
  }

  /// What went wrong.
  public struct Failure: Error, CustomStringConvertible {
    let text: String
    /// The reason.
    public var description: String { text }
  }
}

extension PostgresServer {
  /// The address of a database, by the socket.
  public func address(of database: String, user: String = user, options: String = "") -> String {
    "postgresql://\(user)@/\(database)?host=\(folder)&port=\(port)\(options)"
  }

  /// The certificate of the server, which is its own authority; it is for 127.0.0.1 and localhost. Nil without TLS.
  public var certificate: String? {
    let path = folder + "/cert.pem"
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }

  /// The address of a database over TCP.
  public func networkAddress(of database: String, user: String = user, password: String? = nil) -> String {
    let secret = password.map { ":" + ($0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "") } ?? ""
    return "postgresql://\(user)\(secret)@127.0.0.1:\(port)/\(database)"
  }

  /// Makes a database for a test and returns its name.
  public func makeDatabase(for test: String = #function) throws -> String {
    let number = count.withLock { count in
      count += 1
      return count
    }
    let words = test.lowercased().prefix { $0 != "(" }.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    let name = "\(words.prefix(40))_\(number)"
    try psql("postgres", "CREATE DATABASE \(name) TEMPLATE template0")
    return name
  }

  /// Removes a database and ends its connections: one takes 8 MB of the disk until the server ends.
  public func dropDatabase(_ name: String) throws { try psql("postgres", "DROP DATABASE \(name) WITH (FORCE)") }

  /// Runs SQL by psql and returns what it prints, unaligned and without heads.
  @discardableResult
  public func psql(_ database: String, _ sql: String) throws -> String {
    let process = try psqlProcess(database, ["-c", sql])
    let (output, errors) = (Pipe(), Pipe())
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let printed = output.fileHandleForReading.readDataToEndOfFile()
    let said = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(text: String(decoding: said, as: UTF8.self)) }
    return String(decoding: printed, as: UTF8.self).trimmingCharacters(in: .newlines)
  }

  /// Starts a psql that runs one statement after the other, and prints nothing.
  public func startPsql(_ database: String, _ script: String) throws -> Process {
    let process = try psqlProcess(database, [])
    let input = Pipe()
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    // A pipe holds less than a long script.
    let end = input.fileHandleForWriting
    Thread.detachNewThread {
      try? end.write(contentsOf: Data(script.utf8))
      try? end.close()
    }
    return process
  }

  private func psqlProcess(_ database: String, _ arguments: [String]) throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: try Self.program("psql").unwrapped("psql"))
    process.arguments = ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", address(of: database)] + arguments
    return process
  }

  /// Ends the server at once, as a crash of the machine would.
  public func kill() throws {
    let state = try String(contentsOfFile: folder + "/data/postmaster.pid", encoding: .utf8)
    guard let process = state.split(separator: "\n").first.flatMap({ Int32($0) }) else { return }
    Glibc.kill(process, SIGQUIT)
  }
}

extension Optional {
  fileprivate func unwrapped(_ name: String) throws -> Wrapped {
    guard let self else { throw PostgresServer.Failure(text: "there is no \(name)") }
    return self
  }
}
