import AgentServer
import Foundation
import Glibc
import Modeling
import Presentation
import TestSupport
import Testing

/// Messages are answered as the Model Context Protocol says, in the revisions with and without a handshake.
@Suite struct ProtocolTests {
  private static let hello =
    #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#
  private static let ready = #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#

  private func code(_ answer: JSON) -> JSON? { answer["error"]?["code"] }

  @Test func aHandshakeAgreesOnTheRevisionThatIsAskedFor() throws {
    let answers = try Agent().answers(to: [
      Self.hello, Self.ready, #"{"jsonrpc":"2.0","id":"x","method":"tools/list"}"#,
    ])
    #expect(answers.count == 2)
    #expect(answers[0]["result"]?["protocolVersion"] == .string("2025-06-18"))
    #expect(answers[1]["id"] == .string("x"))
    #expect(answers[1]["result"]?["tools"]?.items.count == 8)
  }

  @Test func aHandshakeOffersTheNewestRevisionForAnUnknownOne() throws {
    let answers = try Agent().answers(to: [Self.hello.replacing("2025-06-18", with: "1999-01-01")])
    #expect(answers.first?["result"]?["protocolVersion"] == .string("2025-11-25"))
  }

  @Test func requestsThatStateTheirRevisionNeedNoHandshake() throws {
    let answers = try Agent().answers(to: [
      Agent.request(1, "tools/list").text, Agent.request(2, "server/discover").text,
    ])
    #expect(answers[0]["result"]?["resultType"] == .string("complete"))
    #expect(answers[1]["result"]?["supportedVersions"]?.items.first == .string("2026-07-28"))
    #expect(answers[1]["result"]?["capabilities"]?["tools"] != nil)
  }

  @Test func anUnknownRevisionIsRefusedWithThoseThatAreSpoken() throws {
    let line = Agent.request(1, "tools/list").text.replacing("2026-07-28", with: "1900-01-01")
    let error = try #require(try Agent().answers(to: [line]).first?["error"])
    #expect(error["code"] == .int(-32022))
    #expect(error["data"]?["requested"] == .string("1900-01-01"))
    #expect(error["data"]?["supported"]?.items.contains(.string("2025-11-25")) == true)
  }

  @Test func aRequestBeforeAnyAgreementIsRefused() throws {
    let answers = try Agent().answers(to: [#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#])
    #expect(answers.map(code) == [.int(-32600)])
  }

  @Test func pingIsAnsweredAtAnyTime() throws {
    let answers = try Agent().answers(to: [
      #"{"jsonrpc":"2.0","id":7,"method":"ping"}"#, Self.hello, Agent.request(2, "ping").text,
    ])
    #expect(answers.map { $0["id"] } == [.int(7), .int(0), .int(2)])
    #expect(answers[0]["result"] == .object([:]))
  }

  @Test func notificationsAndResponsesAreNotAnswered() throws {
    let answers = try Agent().answers(to: [
      Self.ready, #"{"jsonrpc":"2.0","method":"notifications/unheard"}"#, #"{"jsonrpc":"2.0","id":4,"result":{}}"#,
      #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}"#,
    ])
    #expect(answers.isEmpty)
  }

  @Test(
    arguments: [
      ("rubbish", -32700), ("{", -32700), (#"{"a":1e999}"#, -32600), (#""\ud800""#, -32700), ("[]", -32600),
      (#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32600), ("1", -32600), ("null", -32600), ("{}", -32600),
      (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
      (#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32600),
      (#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600), (#"{"jsonrpc":"2.0","id":1,"method":5}"#, -32600),
      (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}"#, -32602),
      (String(repeating: "[", count: 100_000), -32700),
    ] as [(String, Int64)]) func aMalformedMessageIsRefusedAndTheNextIsTaken(line: String, expected: Int64) throws
  {
    let answers = try Agent().answers(to: [line, #"{"jsonrpc":"2.0","id":2,"method":"ping"}"#])
    #expect(answers.map(code) == [.int(expected), nil])
    #expect(answers.last?["id"] == .int(2))
  }

  @Test func aLineThatIsTooLongIsRefusedAndTheNextIsTaken() throws {
    let long =
      #"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":""# + String(repeating: "x", count: 10 << 20) + "\"}}"
    let answers = try Agent().answers(to: [long, #"{"jsonrpc":"2.0","id":2,"method":"ping"}"#])
    #expect(answers.map(code) == [.int(-32600), nil])
  }

  @Test func theLastLineNeedsNoNewline() throws {
    let answers = try Agent().answers(to: [#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#], endsWithNewline: false)
    #expect(answers.count == 1)
  }

  @Test func unknownMethodsAndToolsAreErrorsWithTheNearestName() throws {
    let answers = try Agent().answers(to: [
      Agent.request(1, "tool/list").text, Agent.request(2, "tools/call", ["name": .string("fnd")]).text,
      Agent.request(3, "tools/call").text,
      Agent.request(4, "tools/call", ["name": .string("find"), "arguments": .array([])]).text,
    ])
    #expect(answers.map(code) == [.int(-32601), .int(-32602), .int(-32602), .int(-32602)])
    #expect(answers[0].text.contains("did you mean 'tools/list'?"))
    #expect(answers[1].text.contains("did you mean 'find'?"))
  }

  @Test func theListOfToolsIsShortAndAlwaysTheSame() throws {
    let lists = try (1...2).map { _ in try Agent(writes: true).answers(to: [Agent.request(1, "tools/list").text]) }
    #expect(lists[0] == lists[1])
    let tools = try #require(lists[0].first?["result"]?["tools"])
    #expect(tools.text.count < 9_000)
    for tool in tools.items {
      #expect(tool["name"]?.string?.wholeMatch(of: /[a-z]+/) != nil)
      #expect(tool["inputSchema"]?["type"] == .string("object"))
    }
    let writing = tools.items.filter { $0["annotations"]?["readOnlyHint"] == .bool(false) }
    #expect(writing.compactMap { $0["name"]?.string } == ["commit", "undo"])
  }

  @Test func aClientThatReadsNoMoreEndsTheServer() throws {
    let agent = try Agent()
    let input = agent.folder.url.appending(path: "input")
    try Data(String(repeating: Agent.request(1, "ping").text + "\n", count: 100).utf8).write(to: input)
    let sink = OutputSink(capacity: 64) { _ in .brokenPipe }
    let server = try AgentServer([agent.store], writes: false, output: sink)
    let file = try FileHandle(forReadingFrom: input)
    server.serve(descriptor: file.fileDescriptor)
    withExtendedLifetime(file) {}
    #expect(sink.failure == .brokenPipe)
  }

  @Test func aStoreThatIsNotThereIsAFailureAtTheBeginning() throws {
    let failure = #expect(throws: ServerFailure.self) {
      try AgentServer(["/nowhere/none.sqlite"], writes: false, output: .inMemory())
    }
    #expect(failure?.message.contains("none.sqlite") == true)
  }
}
