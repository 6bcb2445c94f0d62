import Modeling
import TestSupport
import Testing

/// Positions mean the same characters to the editor and to the server.
@Suite struct TextDocumentTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let utf8 = #"{"general":{"positionEncodings":["utf-8","utf-16"]}}"#

  @Test(arguments: [("{}", "0:15-18"), (utf8, "0:19-22")])
  func signsBeforeAMistakeCountInTheUnitsOfTheClient(capabilities: String, marked: String) throws {
    let client = try EditorClient(in: folder, capabilities: capabilities)
    // An emoji is two units of UTF-16, an e with a combining mark two, an é one.
    let findings = try client.open("a.lua", "print(\"😀e\u{301}é\", foo)")
    #expect(findings.map(\.marked) == [marked])
  }

  @Test func aLineEndsAsTheProtocolSays() throws {
    let client = try EditorClient(in: folder)
    let findings = try client.open("a.lua", "print(1)\r\nfoo()\nbar()\n")
    #expect(findings.map(\.marked) == ["1:0-3", "2:0-3"])
  }

  @Test func changesOfPartsAreMadeOneAfterTheOther() throws {
    let client = try EditorClient(in: folder)
    _ = try client.open("a.lua", "print(\"😀\", foo)\nprint(1)")
    func range(_ line: Int, _ start: Int, _ end: Int) -> String {
      #"{"start":{"line":\#(line),"character":\#(start)},"end":{"line":\#(line),"character":\#(end)}}"#
    }
    let changed = try client.change(
      "a.lua", version: 2, #"[{"range":\#(range(0, 12, 15)),"text":"1"},{"range":\#(range(1, 6, 7)),"text":"barr"}]"#)
    #expect(changed.map(\.marked) == ["1:6-10"])
    // Behind the end of a line is its end, and behind the last line the end of the text.
    let added = try client.change(
      "a.lua", version: 3,
      #"[{"range":\#(range(0, 900, 900)),"text":" foo()"},{"range":\#(range(9, 0, 0)),"text":"\nfar()"}]"#)
    #expect(added.map(\.marked) == ["0:15-18", "1:6-10", "2:0-3"])
    let whole = try client.change("a.lua", version: 4, #"[{"text":"foo()"}]"#)
    #expect(whole.map(\.marked) == ["0:0-3"])
  }

  @Test func keysThatComeTogetherAreAnsweredOnce() throws {
    let client = try EditorClient(in: folder)
    _ = try client.open("a.lua", "x()")
    let changes = (2...40).map { number in
      let change =
        #"{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"\#(client.uri("a.lua"))","version":\#(number)},"contentChanges":[{"text":"y\#(number)()"}]}}"#
      return "Content-Length: \(change.utf8.count)\r\n\r\n\(change)"
    }
    try client.send(bytes: changes.joined())
    var versions: [JSON] = []
    while versions.last != .int(40) {
      versions.append(try client.notification("textDocument/publishDiagnostics")["version"] ?? .null)
    }
    #expect(versions.count < 39)
  }
}
