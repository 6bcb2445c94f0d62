import Foundation
import PeriluneConsole
import PeriluneKit
import RemoteConsole
import Synchronization
import TestSupport
import Testing

/// Saves of clients that may only propose wait for the program or another client.
@Suite struct ProposalTests {
  let workshop: Workshop
  let sockets: TemporaryFolder
  let entries = Entries()
  var console: Console { workshop.console }

  /// The entries of the transcript.
  final class Entries: Sendable {
    private let all = Mutex<[TranscriptEntry]>([])
    func add(_ entry: TranscriptEntry) { all.withLock { $0.append(entry) } }
    var moments: [TranscriptEntry.Moment] { all.withLock { $0.map(\.moment) } }
    subscript(_ moment: TranscriptEntry.Moment) -> TranscriptEntry? {
      all.withLock { $0.last { $0.moment == moment } }
    }
  }

  init() throws {
    workshop = try Workshop()
    sockets = try TemporaryFolder(forSocketsOf: "proposals")
  }

  private func proposer(
    isInteractive: Bool = false, onProposal: (@Sendable (ConsoleProposal) -> Void)? = nil
  ) throws -> Client {
    let path = sockets.file("proposing")
    let entries = entries
    try console.listen(
      on: .socket(path), access: .propose, transcript: { entries.add($0) }, onProposal: onProposal)
    return try Client.attached(to: path, isInteractive: isInteractive)
  }

  /// The first proposal that waits.
  private func proposal() throws -> ConsoleProposal {
    try expectEventually { !console.proposals.isEmpty }
    return try #require(console.proposals.first)
  }

  private static let change = "Order:where('number == 1'):first().total = 11 save()"

  @Test func aSaveWaitsUntilTheProgramApprovesIt() throws {
    let client = try proposer()
    client.begin(Self.change)
    let proposal = try proposal()
    #expect(try workshop.orders[0].total == 10)
    #expect(proposal.line == Self.change && proposal.diff.contains("total 10.0 → 11.0"), "\(proposal.diff)")
    try proposal.approve()
    #expect(try client.end().status == 0)
    #expect(client.messages.contains("proposal 1 waits for approval"))
    try workshop.container.viewContext.processPendingChanges()
    #expect(try workshop.orders[0].total == 11)
    #expect(console.proposals.isEmpty)
    #expect(entries.moments == [.begun, .proposed, .approved, .ended])
    #expect(entries[.approved]?.decider == "the program" && entries[.proposed]?.diff == proposal.diff)
    #expect(throws: ConsoleError.self) { try proposal.approve() }
  }

  @Test func theProgramMayDecideAtOnce() throws {
    let client = try proposer { proposal in
      try? proposal.diff.contains("11.0") ? proposal.approve() : proposal.refuse("too much")
    }
    #expect(try client.run(Self.change).status == 0)
    #expect(try client.run("Order:where('number == 2'):first().total = 99 save()").status == 77)
    #expect(client.messages.contains("proposal 2 was refused by the program: too much"), "\(client.messages)")
    try workshop.container.viewContext.processPendingChanges()
    #expect(try workshop.orders.map(\.total) == [11, 20, 30])
    // What was refused stays unsaved, and can be discarded.
    #expect(try client.run("rollback()").unsavedCount == 0)
  }

  @Test func anotherClientDecides() throws {
    let client = try proposer()
    let other = try Client.attached(to: sockets.file("proposing"), isInteractive: true)
    client.begin(Self.change)
    guard case .text(let notice, isMessage: true) = try other.next() else { throw Client.Lost(reason: "no notice") }
    #expect(notice.contains("proposal 1 of") && notice.contains(".proposals shows it"))
    try other.run(".proposals")
    #expect(other.text.contains(Self.change) && other.text.contains("total 10.0 → 11.0"), "\(other.text)")
    #expect(try other.run(".approve 2").status != 0)
    #expect(try other.run(".approve 1").status == 0)
    #expect(other.messages.contains("proposal 1 is saved"), "\(other.text) \(other.messages)")
    #expect(try client.end().status == 0)
    client.begin("Order:where('number == 2'):first():delete() save()")
    _ = try proposal()
    #expect(try other.run(".refuse 2 not today").status == 0)
    #expect(try client.end().status == 77)
    #expect(client.messages.contains("not today"))
    #expect(entries[.refused]?.decider?.hasPrefix("client 2") == true)
    #expect(try workshop.orders.count == 3)
  }

  @Test func whatNoLongerFitsIsRefusedWithTheReason() throws {
    let client = try proposer()
    let other = try Client.attached(to: sockets.file("proposing"))
    client.begin("context.mergePolicy = 'objectTrump' " + Self.change)
    _ = try proposal()
    let order = try #require(try workshop.orders.first)
    order.total = 12
    try workshop.container.viewContext.save()
    #expect(try other.run(".approve 1").status == 77)
    #expect(other.messages.contains("proposal 1 was not saved"), "\(other.messages)")
    #expect(try client.end().status != 0)
    #expect(try workshop.orders[0].total == 12)
    try client.run("context.mergePolicy")
    #expect(client.text.contains("objectTrump"), "\(client.text)")
  }

  @Test func anInterruptionWithdraws() throws {
    let client = try proposer()
    client.begin(Self.change)
    let proposal = try proposal()
    client.send(.interrupt)
    #expect(try client.end().status == 130)
    #expect(throws: ConsoleError.self) { try proposal.approve() }
    #expect(console.proposals.isEmpty && entries[.withdrawn]?.proposal == 1)
    #expect(try workshop.orders[0].total == 10)
  }

  @Test func aClientThatLeavesWithdraws() throws {
    do {
      let client = try proposer()
      client.begin(Self.change)
      _ = try proposal()
    }
    try expectEventually { console.proposals.isEmpty && entries[.withdrawn] != nil }
    #expect(try workshop.orders[0].total == 10)
  }

  @Test func whatTheStoreRefusesIsNotProposed() throws {
    let client = try proposer()
    #expect(try client.run("Order:first().customer.name = nil save()").status == 1)
    #expect(client.messages.contains("name"))
    #expect(!entries.moments.contains(.proposed))
  }

  @Test(arguments: [
    "Order:all():delete()", "Order:batchInsert { { number = 9, total = 1 } }", "Order:all():update { total = 1 }",
    "store:undoSave()", "store:redoSave()", "store:migrate(store.model)", "open(store.path)",
    "store:transaction(function() Order:all():delete() end)",
    "context:transaction(function() Order:all():delete() end)",
    "Order:first().total = 1 pcall(save) Order:all():delete()", ".undosave", ".dryrun on", ".import /etc/passwd",
    ".sql DELETE FROM \"order\"",
  ])
  func nothingElseWrites(line: String) throws {
    let client = try proposer { try? $0.refuse() }
    #expect(try client.run(line).status != 0, "\(client.text) \(client.messages)")
    #expect(try workshop.orders.map(\.total) == [10, 20, 30])
    try client.run("Order:count()")
    #expect(client.text == "3\n")
  }

  @Test func anApprovedSaveOpensNothingForTheNext() throws {
    let client = try proposer { try? $0.approve() }
    #expect(try client.run(Self.change + " Order:all():delete()").status == 77)
    #expect(client.messages.contains("waits for approval: change objects and save them"), "\(client.messages)")
    #expect(try workshop.orders.count == 3)
  }

  @Test func aChildProposesWithItsParent() throws {
    let client = try proposer { try? $0.approve() }
    #expect(
      try client.run("child = context:newChild() child.entities.Order { number = 9, total = 1 } child:save()").status
        == 0)
    #expect(try workshop.orders.count == 3)
    #expect(try client.run("save()").status == 0)
    try workshop.container.viewContext.processPendingChanges()
    #expect(try workshop.orders.count == 4)
  }

  @Test func whoOnlyReadsDecidesNothing() throws {
    let client = try proposer()
    let path = sockets.file("reading")
    try console.listen(on: .socket(path), access: .readOnly)
    let reader = try Client.attached(to: path)
    client.begin(Self.change)
    let proposal = try proposal()
    #expect(try reader.run(".approve 1").status == 77)
    #expect(reader.messages.contains("only reads"))
    try proposal.refuse()
    #expect(try client.end().status == 77)
  }

  @Test func aLineThatTheTranscriptDoesNotTakeIsNotProposed() throws {
    let path = sockets.file("strict")
    try console.listen(
      on: .socket(path), access: .propose,
      transcript: { if $0.moment == .proposed { throw WorkerError.stopped("w") } }, onProposal: { try? $0.approve() })
    let client = try Client.attached(to: path)
    #expect(try client.run(Self.change).status != 0)
    #expect(try workshop.orders[0].total == 10)
  }

  @Test func thePromptSaysThatSavesWait() throws {
    let client = try proposer(isInteractive: true)
    #expect(try client.run("1").prompt == "orders:propose")
  }
}
