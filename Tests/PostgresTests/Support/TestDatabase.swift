import Postgres
import Synchronization
import TestSupport

/// A database of a test's own.
struct TestDatabase {
  let server: PostgresServer
  let name: String

  init(_ test: String = #function) throws {
    server = try PostgresServer.shared.get()
    name = try server.makeDatabase(for: test)
  }

  /// A connection to it.
  func connect(isInterrupted: @escaping () -> Bool = { false }) throws -> PostgresConnection {
    try PostgresConnection(PostgresAddress(server.address(of: name)), isInterrupted: isInterrupted)
  }
}

/// Says once that it is interrupted, from when it was asked to.
final class Interrupter {
  private var begins: ContinuousClock.Instant?
  private(set) var count = 0

  /// Interrupts what runs in so many milliseconds.
  func interrupt(after milliseconds: Int) { begins = .now + .milliseconds(milliseconds) }

  /// Interrupts nothing from now on.
  func stop() { begins = nil }

  func isInterrupted() -> Bool {
    guard let begins, begins <= .now else { return false }
    count += 1
    return true
  }
}
