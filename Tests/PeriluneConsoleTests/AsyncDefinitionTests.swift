import Foundation
import PeriluneConsole
import RemoteConsole
import Synchronization
import TestSupport
import Testing

/// A script waits for asynchronous functions of its program, and no longer than it may run.
@Suite struct AsyncDefinitionTests {
  private actor Stock {
    var counts = ["lamp": 3]

    func take(_ name: String) throws -> Int {
      guard let count = counts[name], count > 0 else { throw WorkerError.stopped(name) }
      counts[name] = count - 1
      return count - 1
    }
  }

  /// What a function has come to.
  private final class Course: Sendable {
    private let state = Mutex((hasBegun: false, isCancelled: false))

    var hasBegun: Bool { state.withLock { $0.hasBegun } }
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func waitForCancellation() async throws {
      state.withLock { $0.hasBegun = true }
      do { try await Task.sleep(for: .seconds(3600)) } catch {
        state.withLock { $0.isCancelled = true }
        throw error
      }
    }
  }

  /// Waits for a fact without a thread, of which the tasks of tests have few.
  private func expectInTime(_ isSo: () -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(120)
    while !isSo(), ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(5)) }
    #expect(isSo())
  }

  private func workshop(seconds: Double = 600) throws -> Workshop {
    var limits = ConsoleLimits()
    limits.seconds = seconds
    return try Workshop(limits: limits)
  }

  @Test func functionsAndMethodsOfActorsAnswerAndFailInTheirWords() throws {
    let (workshop, stock, worker) = (try workshop(), Stock(), Worker("w1"))
    try workshop.console.define("take", "take(name) -> integer", "Takes one.") { (name: String) in
      try await stock.take(name)
    }
    try workshop.console.type(Worker.self) {
      try $0.method("fetch", "fetch(name) -> integer", "Takes one.") { (_, name: String) in try await stock.take(name) }
    }
    try workshop.console.define("worker", "worker() -> Worker", "") { () in worker }
    #expect(try workshop.console.evaluate("take 'lamp'").value(as: Int.self) == 2)
    #expect(try workshop.console.evaluate("worker():fetch 'lamp'").value(as: Int.self) == 1)
    #expect(workshop.failure("take 'sofa'")?.message == "worker sofa is stopped already")
    #expect(workshop.failure("take(5)")?.message == "take: name: expected a string, got 5")
  }

  @Test func aClientWaitsForTheMainActor() throws {
    let (workshop, sockets) = (try workshop(), try TemporaryFolder(forSocketsOf: "async"))
    try workshop.console.define("state", "state()", "") { @MainActor () async in Self.state }
    try workshop.console.listen(on: .socket(sockets.file("console")), access: .full)
    let client = try Client.attached(to: sockets.file("console"))
    try client.run("state()")
    #expect(client.text == "5\n", "\(client.messages)")
  }

  @MainActor private static var state = 5

  @MainActor @Test func aScriptOnTheMainThreadDoesNotWaitForTheMainActor() throws {
    let workshop = try workshop(seconds: 5)
    try workshop.console.define("paint", "paint()", "") { @MainActor () async in }
    #expect(
      workshop.failure("paint()")?.message == "paint: it runs on the main actor, whose thread waits for this script")
  }

  @Test func theLimitEndsTheWaitingAndTheTask() async throws {
    let (workshop, course) = (try workshop(seconds: 0.05), Course())
    try workshop.console.define("wait", "wait()", "") { () in try await course.waitForCancellation() }
    #expect(workshop.failure("pcall(wait) return 1")?.wasStopped == true)
    try await expectInTime { course.isCancelled || !course.hasBegun }
  }

  @Test func aClientThatInterruptsOrLeavesEndsTheTask() async throws {
    let (workshop, sockets) = (try workshop(), try TemporaryFolder(forSocketsOf: "async"))
    let (interrupted, left) = (Course(), Course())
    try workshop.console.define("first", "first()", "") { () in try await interrupted.waitForCancellation() }
    try workshop.console.define("second", "second()", "") { () in try await left.waitForCancellation() }
    let listener = try workshop.console.listen(on: .socket(sockets.file("console")), access: .full)
    var client: Client? = try Client.attached(to: sockets.file("console"))
    client?.begin("first()")
    try await expectInTime { interrupted.hasBegun }
    client?.send(.interrupt)
    #expect(try client?.end().status == 130)
    try await expectInTime { interrupted.isCancelled }
    client?.begin("second()")
    try await expectInTime { left.hasBegun }
    client = nil
    try await expectInTime { left.isCancelled && listener.clientCount == 0 }
  }
}
