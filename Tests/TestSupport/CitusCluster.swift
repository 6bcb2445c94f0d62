import Foundation
public import Testing

/// A coordinator and two workers of Citus, where that is installed beside PostgreSQL.
public final class CitusCluster: Sendable {
  /// The cluster that the tests of this process share; it is started at the first use.
  public static let shared = Result { try CitusCluster() }

  /// Whether PostgreSQL has the extension; tests that need it bear `.enabled(if: CitusCluster.isInstalled, CitusCluster.missing)`.
  public static let isInstalled = PostgresServer.isInstalled && FileManager.default.fileExists(atPath: control)

  /// What is said of tests that are left out.
  public static let missing: Comment = "PostgreSQL has no extension citus on this system"

  /// The server to which programs connect.
  public let coordinator: PostgresServer
  /// The servers that hold the rows of distributed tables.
  public let workers: [PostgresServer]

  /// Starts the servers.
  public init() throws {
    let settings = ["shared_preload_libraries=citus", "max_worker_processes=16", "citus.node_conninfo=sslmode=prefer"]
    coordinator = try PostgresServer(settings: settings)
    workers = try (0..<2).map { _ in try PostgresServer(settings: settings) }
  }

  /// Makes a database on all nodes and returns its name.
  public func makeDatabase(for test: String = #function) throws -> String {
    let name = try coordinator.makeDatabase(for: test)
    for worker in workers {
      try worker.psql("postgres", "CREATE DATABASE \(name) TEMPLATE template0")
      try worker.psql(name, "CREATE EXTENSION citus")
    }
    try coordinator.psql(name, "CREATE EXTENSION citus")
    try coordinator.psql(name, "SELECT citus_set_coordinator_host('127.0.0.1', \(coordinator.port))")
    for worker in workers { try coordinator.psql(name, "SELECT citus_add_node('127.0.0.1', \(worker.port))") }
    return name
  }

  /// The file by which PostgreSQL knows the extension.
  private static var control: String {
    guard let program = PostgresServer.program("pg_config") else { return "" }
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: program)
    process.arguments = ["--sharedir"]
    process.standardOutput = output
    guard (try? process.run()) != nil else { return "" }
    let folder = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return folder.trimmingCharacters(in: .newlines) + "/extension/citus.control"
  }
}
