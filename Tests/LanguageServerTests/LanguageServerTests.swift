import Foundation
import Modeling
import TestSupport
import Testing

/// Messages are answered as the Language Server Protocol says, and none ends the server.
@Suite struct LanguageServerTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func client(_ options: [String] = [], capabilities: String? = "{}") throws -> EditorClient {
    try EditorClient(options, in: folder, capabilities: capabilities)
  }

  private static let quit = #"{"jsonrpc":"2.0","method":"exit"}"#

  // MARK: From the beginning to the end

  @Test func nothingIsAnsweredBeforeInitialize() throws {
    let client = try client(capabilities: nil)
    #expect(try client.request("textDocument/hover", "{}")["code"] == .int(-32002))
    try client.notify("textDocument/didOpen", "{}")
    #expect(try client.request("initialize", #"{"capabilities":{}}"#)["capabilities"] != nil)
    #expect(try client.request("initialize", #"{"capabilities":{}}"#)["code"] == .int(-32600))
  }

  @Test(arguments: [true, false])
  func theStatusSaysWhetherShutdownCameBeforeExit(isShutDown: Bool) throws {
    let client = try client()
    if isShutDown {
      #expect(try client.request("shutdown", "null") == .null)
      #expect(try client.request("textDocument/hover", "{}")["code"] == .int(-32600))
    }
    try client.send(Self.quit)
    #expect(try client.next() == nil)
    #expect(try client.end() == (isShutDown ? 0 : 1))
  }

  @Test func theEndOfTheInputEndsTheServer() throws {
    #expect(try client().end() == 1)
  }

  @Test(arguments: [("{}", "utf-16"), (#"{"general":{"positionEncodings":["utf-32","utf-8"]}}"#, "utf-8")])
  func unitsAreTheBestThatTheClientOffers(capabilities: String, encoding: String) throws {
    let client = try client(capabilities: nil)
    let begun = try client.request("initialize", #"{"capabilities":\#(capabilities)}"#)
    #expect(begun["capabilities"]?["positionEncoding"] == .string(encoding))
  }

  @Test func aClientThatCanWatchFilesIsAskedTo() throws {
    let client = try client(capabilities: #"{"workspace":{"didChangeWatchedFiles":{"dynamicRegistration":true}}}"#)
    let asked = try #require(try client.next())
    #expect(asked["method"] == .string("client/registerCapability"))
    try client.send(#"{"jsonrpc":"2.0","id":"files","result":null}"#)
    #expect(try client.open("a.lua", "foo()").count == 1)
  }

  // MARK: Malformed messages

  @Test(
    arguments: [
      ("{", -32700), ("[1]", -32600), ("null", -32600), (#"{"id":1,"method":"x"}"#, -32600),
      (#"{"jsonrpc":"2.0","id":1.5,"method":"x"}"#, -32600), (#"{"jsonrpc":"2.0","id":1}"#, -32600),
      (#"{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":3}"#, -32602),
      (#"{"jsonrpc":"2.0","id":1,"method":"no/such"}"#, -32601),
      (#"{"jsonrpc":"2.0","id":1,"method":"$/no"}"#, -32601), (#"{"jsonrpc":"2.0","id":1,"method":"\ud83d"}"#, -32700),
    ])
  func aMalformedMessageIsAnsweredByTheStandardCode(message: String, code: Int64) throws {
    let client = try client()
    try client.send(message)
    #expect(try client.next()?["error"]?["code"] == .int(code))
    #expect(try client.open("a.lua", "foo()").count == 1)
  }

  @Test(
    arguments: [
      "Content-Length: x\r\n\r\n{}", "Content-Type: a\r\n\r\n{}", "Content-Length: -1\r\n\r\n", "\r\n\r\n",
      "Content-Length: 99999999999999999999\r\n\r\n", String(repeating: "x", count: 20_000),
      "Content-Length: 5\r\n\r\n{\"jsonrpc\":\"2.0\"}",
    ])
  func aBrokenHeaderSpoilsNoLaterMessage(bytes: String) throws {
    let client = try client()
    try client.send(bytes: bytes)
    #expect(try client.next()?["error"]?["code"] == .int(-32700))
    #expect(try client.open("a.lua", "foo()").count == 1)
  }

  @Test func aMessageBeyondTheLimitIsRefusedAndPassedOver() throws {
    let client = try client()
    try client.send(String(repeating: " ", count: 33 << 20))
    #expect(try client.next()?["error"]?["code"] == .int(-32600))
    #expect(try client.open("a.lua", "foo()").count == 1)
  }

  // MARK: Malformed parameters

  private static let place = #""position":{"line":0,"character":1}"#
  private static let range = #""range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}}"#

  /// The members that each request needs, for a document at URI.
  static let requests = [
    ("textDocument/completion", #"{"textDocument":{"uri":"URI"},\#(place)}"#),
    ("textDocument/hover", #"{"textDocument":{"uri":"URI"},\#(place)}"#),
    ("textDocument/documentSymbol", #"{"textDocument":{"uri":"URI"}}"#),
    ("textDocument/codeAction", #"{"textDocument":{"uri":"URI"},\#(range)}"#),
    ("textDocument/references", #"{"textDocument":{"uri":"URI"},\#(place)}"#),
    ("textDocument/prepareRename", #"{"textDocument":{"uri":"URI"},\#(place)}"#),
    ("textDocument/rename", #"{"textDocument":{"uri":"URI"},\#(place),"newName":"x"}"#),
    ("workspace/executeCommand", #"{"command":"perilune.try","arguments":["URI",{"line":0,"character":1}]}"#),
  ]

  @Test(arguments: requests)
  func aRequestWithAMemberOfAnotherTypeIsRefused(method: String, parameters: String) throws {
    let client = try client()
    _ = try client.open("a.lua", "foo()")
    let right = try JSON.parse(Array(parameters.replacing("URI", with: client.uri("a.lua")).utf8))
    #expect(try client.request(method, right.text)["code"] != .int(-32602))
    for wrong in right.withAWrongMember {
      let answer = try client.request(method, wrong.text)
      #expect(answer["code"] == .int(-32602), "\(wrong.text): \(answer.text)")
    }
  }

  @Test(
    arguments: [
      ("textDocument/didOpen", #"{"textDocument":{"uri":"URI","languageId":"lua","text":"foo()"}}"#),
      ("textDocument/didChange", #"{"textDocument":{"uri":"URI"},"contentChanges":[{\#(range),"text":"x"}]}"#),
      ("textDocument/didClose", #"{"textDocument":{"uri":"URI"}}"#),
    ])
  func aNotificationWithAMemberOfAnotherTypeIsLogged(method: String, parameters: String) throws {
    let client = try client()
    _ = try client.open("a.lua", "foo()")
    let right = try JSON.parse(Array(parameters.replacing("URI", with: client.uri("a.lua")).utf8))
    for wrong in right.withAWrongMember {
      try client.notify(method, wrong.text)
      let message = try client.notification("window/logMessage")["message"]?.string
      #expect(message?.hasPrefix(method) == true, "\(wrong.text): \(message ?? "")")
    }
    #expect(try client.change("a.lua", version: 9, #"[{"text":"bar()"}]"#).count == 1)
  }

  @Test func aChangeOfWhatIsNotOpenIsLogged() throws {
    let client = try client()
    try client.notify("textDocument/didChange", #"{"textDocument":{"uri":"file:///none.lua"},"contentChanges":[]}"#)
    #expect(try client.notification("window/logMessage")["message"]?.string?.hasSuffix("is not open") == true)
  }

  @Test(
    arguments: [
      #"{"capabilities":3,"rootUri":5,"workspaceFolders":{},"processId":[]}"#,
      #"{"capabilities":{"general":{"positionEncodings":"utf-8"},"workspace":[]},"workspaceFolders":[7]}"#,
      #"{"rootUri":"no URI","workspaceFolders":[{"uri":null}]}"#, "{}",
    ])
  func whatIsWrongInInitializeIsAsIfItWereMissing(parameters: String) throws {
    let client = try client(capabilities: nil)
    let begun = try client.request("initialize", parameters)
    #expect(begun["capabilities"]?["positionEncoding"] == .string("utf-16"))
    #expect(try client.open("a.lua", "foo()").count == 1)
  }

  @Test(
    arguments: [
      #"{"jsonrpc":"2.0","method":"$/cancelRequest"}"#,
      #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":{}}}"#,
      #"{"jsonrpc":"2.0","id":"none","result":null}"#, #"{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"x"}}"#,
      #"{"jsonrpc":"2.0","method":"initialized","params":{"x":1}}"#,
      #"{"jsonrpc":"2.0","method":"textDocument/didSave"}"#,
      #"{"jsonrpc":"2.0","method":"workspace/didChangeWatchedFiles","params":{"changes":3}}"#,
    ])
  func whatNeedsNoAnswerHasNone(message: String) throws {
    let client = try client()
    try client.send(message)
    #expect(try client.open("a.lua", "foo()").count == 1)
    #expect(!client.notifications.contains { $0["error"] != nil })
  }

  @Test(arguments: ["Content-Len", "Content-Length: 10\r\n", "Content-Length: 10\r\n\r\n{\"json"])
  func aMessageThatIsCutOffEndsTheServer(bytes: String) throws {
    let client = try client()
    try client.send(bytes: bytes)
    #expect(try client.end() == 1)
  }

  @Test func aCancelledRequestIsAnsweredSo() throws {
    let client = try client()
    let request = #"{"jsonrpc":"2.0","id":"x","method":"textDocument/hover","params":{}}"#
    let cancel = #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"x"}}"#
    let messages = [request, cancel].map { "Content-Length: \($0.utf8.count)\r\n\r\n\($0)" }
    try client.send(bytes: messages.joined())
    let answer = try #require(try client.next())
    #expect(answer["id"] == .string("x"))
    #expect(answer["error"]?["code"] == .int(-32800))
  }
}

extension JSON {
  /// What it becomes when one member, at any depth, is missing or of another type.
  fileprivate var withAWrongMember: [JSON] {
    switch self {
    case .object(let members):
      members.sorted { $0.key < $1.key }.flatMap { name, value -> [JSON] in
        var without = members
        without[name] = nil
        let changed = (value.withAWrongMember + [.null, .bool(true), .double(0.5), .int(-1)]).map {
          JSON.object(members.merging([name: $0]) { $1 })
        }
        // Without a range a change is of the whole text.
        return name == "range" && members["text"] != nil ? changed : changed + [.object(without)]
      }
    case .array(let items):
      items.indices.flatMap { index in
        items[index].withAWrongMember.map { wrong in
          var items = items
          items[index] = wrong
          return .array(items)
        }
      }
    default: []
    }
  }
}
