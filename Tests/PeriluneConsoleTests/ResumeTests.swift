import Foundation
import Glibc
import PeriluneConsole
import PeriluneKit
import RemoteConsole
import TestSupport
import Testing

/// A session waits for a person whose connection was lost.
@Suite struct ResumeTests {
  let workshop: Workshop
  let sockets: TemporaryFolder
  let listener: ConsoleListener
  var path: String { sockets.file("console") }

  init() throws {
    workshop = try Workshop()
    sockets = try TemporaryFolder(forSocketsOf: "resume")
    listener = try workshop.console.listen(on: .socket(sockets.file("console")), access: .full)
  }

  /// Loses the connection of a person after a line, and returns the token.
  private func lost(after line: String) throws -> String {
    let (client, token) = try Client.person(at: path)
    try client.run(line)
    shutdown(client.descriptor, Int32(SHUT_RDWR))
    try expectEventually { listener.clientCount == 0 }
    return token
  }

  private func isResumed(_ token: String) throws -> Bool { try Client.person(at: path, [token]).token == token }

  @Test func aPersonGoesOnAfterALostConnection() throws {
    let token = try lost(after: "x = 5 Order:where('number == 1'):first().total = 77")
    let (client, again) = try Client.person(at: path, ["of another console", token])
    #expect(again == token)
    #expect(client.welcome?.prompt == "orders*1" && client.welcome?.unsavedCount == 1)
    #expect(listener.clientCount == 1)
    try client.run("x")
    #expect(client.text == "5\n")
    #expect(try client.reply { .complete(id: $0, "Ord", offset: 3) }.text.contains("Order"))
    #expect(try client.run("save()").status == 0)
    try workshop.container.viewContext.processPendingChanges()
    #expect(try workshop.orders[0].total == 77)
  }

  @Test func theSessionIsThereAtOnceAndWhatRanIsStopped() throws {
    var (client, token): (Client?, String) = try Client.person(at: path)
    try client?.run("y = 1")
    client?.begin("while true do end")
    client = nil
    let (again, kept) = try Client.person(at: path, [token])
    #expect(kept == token)
    try again.run("y")
    #expect(again.text == "1\n")
  }

  @Test(arguments: ["", "false", "0", String(repeating: "x", count: 200)])
  func aFalseTokenBeginsASession(token: String) throws {
    let own = try lost(after: "x = 5")
    let (client, other) = try Client.person(at: path, [token])
    #expect(other != token && other != own)
    try client.run("rawget(_G, 'x')")
    #expect(client.text == "nil\n")
    #expect(try isResumed(own))
  }

  @Test func anotherClientDoesNotTakeASessionThatHasOne() throws {
    let (client, token) = try Client.person(at: path)
    try client.run("x = 5")
    let (other, own) = try Client.person(at: path, [token])
    #expect(own != token)
    try other.run("rawget(_G, 'x')")
    #expect(other.text == "nil\n")
    try client.run("x")
    #expect(client.text == "5\n")
  }

  @Test func aClientThatLeavesIsNotAwaited() throws {
    let (client, token) = try Client.person(at: path)
    client.send(.leave)
    #expect(throws: Client.Lost.self) { while true { _ = try client.next() } }
    #expect(try !isResumed(token))
  }

  @Test func aScriptFromAPipeIsNotAwaited() throws {
    let client = try Client.attached(to: path)
    #expect(client.welcome != nil && client.welcome?.token == nil)
  }

  @Test func aPersonWhoLeavesInTheMiddleOfAQuestionGoesOn() throws {
    let (client, token) = try Client.person(at: path)
    try client.run(".confirm 1")
    client.begin("x = 5 Order:all():delete()")
    while true {
      if case .question = try client.next() { break }
    }
    shutdown(client.descriptor, Int32(SHUT_RDWR))
    let (again, kept) = try Client.person(at: path, [token])
    #expect(kept == token)
    try again.run("x .. Order:count()")
    #expect(again.text == "53\n", "\(again.text)")
  }

  @Test func asManySessionsWaitAsThereMayBeClients() throws {
    let tokens = try (0..<18).map { try lost(after: "x = \($0)") }
    for token in tokens.dropFirst(2) {
      #expect(try isResumed(token))
      try expectEventually { listener.clientCount == 0 }
    }
    #expect(try !isResumed(tokens[0]))
  }

  @Test func aListenerThatClosesKeepsNone() throws {
    let token = try lost(after: "x = 5")
    listener.close()
    try workshop.console.listen(on: .socket(path), access: .full)
    #expect(try !isResumed(token))
  }
}
