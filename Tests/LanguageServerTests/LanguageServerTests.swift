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

  @Test(
    arguments: [
      ("textDocument/didOpen", "{}"), ("textDocument/didOpen", #"{"textDocument":{"uri":"file:///a.lua"}}"#),
      ("textDocument/didChange", #"{"textDocument":{"uri":"file:///none.lua"},"contentChanges":[]}"#),
      ("textDocument/didClose", "{}"),
    ])
  func aNotificationThatCannotBeReadIsLogged(method: String, parameters: String) throws {
    let client = try client()
    try client.notify(method, parameters)
    #expect(try client.notification("window/logMessage")["message"]?.string?.hasPrefix(method) == true)
  }

  @Test func aChangeThatCannotBeReadIsLogged() throws {
    let client = try client()
    _ = try client.open("a.lua", "foo()")
    for change in ["[3]", "[{}]", #"[{"range":{"start":1},"text":""}]"#, "3"] {
      try client.notify(
        "textDocument/didChange", #"{"textDocument":{"uri":"\#(client.uri("a.lua"))"},"contentChanges":\#(change)}"#)
      #expect(try client.notification("window/logMessage")["message"]?.string?.contains("didChange") == true)
    }
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
