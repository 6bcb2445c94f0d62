import Foundation
import Glibc
import PeriluneConsole
import PeriluneKit
import RemoteConsole
import Synchronization
import TestSupport
import Testing

/// A program stops at a line, and a client looks at its values on the program's own thread.
@Suite struct PauseTests {
  let workshop: Workshop
  let sockets: TemporaryFolder
  var console: Console { workshop.console }
  var path: String { sockets.file("console") }

  init() throws {
    workshop = try Workshop()
    sockets = try TemporaryFolder(forSocketsOf: "pause")
  }

  /// A client on a thread of its own, as the pause has that of the test.
  private final class Visit: Sendable {
    private let done = DispatchSemaphore(value: 0)
    private let failure = Mutex<(any Error)?>(nil)

    init(_ body: @escaping @Sendable () throws -> Void) {
      Thread { [self] in
        do { try body() } catch { failure.withLock { $0 = error } }
        done.signal()
      }.start()
    }

    func join() throws {
      done.wait()
      if let error = failure.withLock({ $0 }) { throw error }
    }
  }

  /// A person who is attached.
  private func visit(_ body: @escaping @Sendable (Client) throws -> Void) throws -> Visit {
    try console.listen(on: .socket(path), access: .full)
    nonisolated(unsafe) let client = try Client.attached(to: path, isInteractive: true)
    return Visit { try body(client) }
  }

  /// Waits until the client is shown the place of the pause.
  private static func awaitPause(_ client: Client) throws -> String {
    while true {
      if case .text(let text, isMessage: true) = try client.next(), text.contains("paused at") { return text }
    }
  }

  @Test func aClientHasThePromptOfThePause() throws {
    let order = try #require(try workshop.orders.first)
    order.total = 12
    let visit = try visit { client in
      let notice = try Self.awaitPause(client)
      #expect(notice.contains("PauseTests.swift:") && notice.contains("why is this late (limit, order)"), "\(notice)")
      #expect(try client.run("order.total, limit, Order:count()").prompt == "orders:paused*1")
      #expect(client.text.contains("12") && client.text.contains("3"), "\(client.text)")
      #expect(try client.reply { .complete(id: $0, "lim", offset: 3) }.text.contains("limit"))
      try client.run("order.total = 13")
      let ending = try client.run(".go")
      #expect(ending.status == 0 && ending.prompt == "orders" && ending.unsavedCount == 0)
      try client.run("limit")
      #expect(!client.text.contains("3"), "\(client.text)")
    }
    try console.pause("why is this late", ["order": order, "limit": 3])
    #expect(order.total == 13 && order.isUpdated)
    try visit.join()
    #expect(try console.evaluate("limit").value(as: Int?.self) == nil)
  }

  @Test func aPauseMayBeWithinAFunctionThatAScriptCalls() throws {
    nonisolated(unsafe) let console = console
    try console.define("look", "look(total)", "Pauses.") { (total: Double) in
      try console.pause("looking", ["total": total])
    }
    let visit = try visit { client in
      _ = try Self.awaitPause(client)
      try client.run("total + 1")
      #expect(client.text.contains("8.0"), "\(client.text)")
      #expect(try client.run("error 'x'").status == 1)
      #expect(try client.run("while true do end").status == 124)
      try client.run(".go")
    }
    let answer = try console.evaluate("look(total) return total", ["total": 7.0])
    #expect(try answer.value(as: Double.self) == 7)
    try visit.join()
  }

  @Test func aClientThatLeavesLetsTheProgramGoOn() throws {
    let visit = try visit { client in
      _ = try Self.awaitPause(client)
      shutdown(client.descriptor, Int32(SHUT_RDWR))
    }
    try console.pause("why")
    try visit.join()
    #expect(try workshop.orders.count == 3)
  }

  @Test func withoutAClientItReturnsAtOnce() throws {
    try console.pause("why")
    try console.listen(on: .socket(path), access: .full)
    try console.pause("why")
    // A script from a pipe and a client that only reads have no prompt of a pause.
    let piped = try Client.attached(to: path)
    try console.pause("why")
    let reading = sockets.file("reading")
    try console.listen(on: .socket(reading), access: .readOnly)
    let reader = try Client.attached(to: reading, isInteractive: true)
    try console.pause("why")
    console.allowsPauses = false
    let person = try Client.attached(to: path, isInteractive: true)
    try console.pause("why")
    withExtendedLifetime([piped, reader, person]) {}
  }

  @Test func aNameThatIsTakenIsRefused() throws {
    try console.listen(on: .socket(path), access: .full)
    let client = try Client.attached(to: path, isInteractive: true)
    #expect(throws: ConsoleError.self) { try console.pause("why", ["print": 1]) }
    #expect(try console.evaluate("print ~= nil").value(as: Bool.self))
    withExtendedLifetime(client) {}
  }
}
