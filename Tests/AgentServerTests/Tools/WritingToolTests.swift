import Foundation
import Modeling
import PostgresTestSupport
import TestSupport
import Testing

/// A change is proposed, seen, committed and undone; nothing else writes.
@Suite struct WritingToolTests {
  private let place: (tool: String, arguments: JSON) = (
    "find", ["entity": "Quake", "where": "code == 'us5'", "columns": ["place"]]
  )

  @Test func aProposalIsShownAndChangesNothing() throws {
    let agent = try Agent(writes: true)
    let results = try agent.call([
      ("propose", ["script": "Quake:find('us5').place = 'here' Quake:find('us7'):delete() print('done')"]), place,
    ])
    #expect(results[0]["proposal"] == "p1" && results[0]["output"] == "done\n")
    #expect(results[0]["difference"]?.items.first == #"~ Quake us5: place "Japan" → "here""#)
    #expect(results[0]["difference"]?.items.count == 5, "the reports of us7 are deleted with it")
    #expect(results[1]["rows"] == [["Japan"]])
  }

  @Test func aCommitSavesAsTheAgentAndUndoRestores() throws {
    let agent = try Agent(writes: true)
    let token = try #require(try agent.call("changes")["token"])
    let results = try agent.call([
      ("propose", ["script": "Quake:find('us5').place = 'here'"]), ("commit", ["proposal": "p1"]), place,
      ("changes", ["since": token]), ("commit", ["proposal": "p1"]),
    ])
    #expect(results[1]["saved"] == true)
    #expect(results[2]["rows"] == [["here"]])
    #expect(results[3]["transactions"]?.items.map { $0["author"] } == ["mcp:tester"])
    #expect(results[4].isError)
    let undo = try #require(results[1]["undo"])
    let undone = try agent.call([("undo", ["token": undo]), place, ("undo", ["token": undo])])
    #expect(undone[0]["updated"] == 1)
    #expect(undone[1]["rows"] == [["Japan"]])
    #expect(undone[2].isError)
  }

  @Test(.enabled(if: PostgresServer.isInstalled)) func aCommitOnAServerIsUndone() throws {
    let server = try PostgresServer.shared.get()
    let address = server.address(of: try server.makeDatabase(for: "undo"))
    var agent = Agent(store: address, in: try TemporaryFolder())
    try agent.run("use(open(\"\(address)\", { create = true, model = model, history = true }))\n" + Agent.filling)
    agent.writes = true
    let token = try #require(try agent.call("changes")["token"])
    let results = try agent.call([
      ("propose", ["script": "Quake:find('us5').place = 'here' save() Quake:find('us7'):delete()"]),
      ("commit", ["proposal": "p1"]), place, ("changes", ["since": token]),
    ])
    #expect(results[2]["rows"] == [["here"]])
    #expect(results[3]["transactions"]?.items.map { $0["author"] } == ["mcp:tester"])
    let undo = try #require(results[1]["undo"], "\(results[1].text)")
    let undone = try agent.call([("undo", ["token": undo]), place, ("ask", ["entity": "Quake"])])
    #expect(undone[0]["updated"] == 1 && undone[0]["inserted"] != 0, "\(undone[0].text)")
    #expect(undone[1]["rows"] == [["Japan"]])
    #expect(undone[2]["rows"] == [[120]])
  }

  @Test func batchesAndSavesOfAScriptArePartOfTheProposal() throws {
    let agent = try Agent(writes: true)
    let results = try agent.call([
      ("propose", ["script": "Quake:where('magnitude > 7'):delete() Quake:find('us1').place = 'x' save()"]),
      ("ask", ["entity": "Quake"]), ("commit", ["proposal": "p1"]), ("ask", ["entity": "Quake"]),
    ])
    #expect(results[1]["rows"] == [[120]])
    #expect(results[2]["saved"] == true)
    #expect(results[3]["rows"] == [[105]])
  }

  @Test func aProposalThatWouldNowChangeSomethingElseIsRefused() throws {
    let agent = try Agent(writes: true)
    let process = try ServerProcess(["mcp", "--write", agent.store], Pipe(), Pipe())
    #expect(try process.call(1, "propose", ["script": "Quake:find('us5').place = 'here'"])["proposal"] == "p1")
    try agent.run("use(open \"\(agent.store)\") Quake:find('us5').place = 'there' save()")
    let commit = try process.call(2, "commit", ["proposal": "p1"])
    #expect(commit.isError && commit.text.contains("nothing was saved"))
    #expect(try process.call(3, "find", place.arguments)["rows"] == [["there"]])
    #expect(try process.end() == 0)
  }

  @Test func noLockIsHeldBetweenCalls() throws {
    let agent = try Agent(writes: true)
    let process = try ServerProcess(["mcp", "--write", agent.store], Pipe(), Pipe())
    #expect(try process.call(1, "propose", ["script": "Quake:find('us5').place = 'here'"])["proposal"] != nil)
    try agent.run("use(open(\"\(agent.store)\", { busyTimeout = 0 })) Quake:find('us6').place = 'x' save()")
    #expect(try process.call(2, "commit", ["proposal": "p1"])["saved"] == true)
    try agent.run("use(open(\"\(agent.store)\", { busyTimeout = 0 })) Quake:find('us6').place = 'y' save()")
    #expect(try process.end() == 0)
  }

  @Test func whatCannotBeSavedIsRefusedAsAProposal() throws {
    let results = try Agent(writes: true).call([
      ("propose", ["script": "Quake:find('us5').magnitude = 11"]), ("propose", ["script": "error('no')"]),
      ("commit", ["proposal": "p1"]), ("undo", ["token": "quakes:then"]), ("undo", ["token": "other"]),
    ])
    #expect(results.allSatisfy { $0.isError })
    #expect(results[0].text.contains("more than 10.0"))
  }

  @Test func withoutWriteThereIsNoToolThatWrites() throws {
    let answers = try Agent().answers(to: [
      Agent.request(1, "tools/call", ["name": "commit", "arguments": ["proposal": "p1"]]).text
    ])
    #expect(answers.first?["error"]?["code"] == -32602)
  }
}
