import Modeling
import TestSupport
import Testing

/// The words of predicates in strings have colours, and those of several lines fold.
@Suite struct SemanticTokenTests {
  private let folder: TemporaryFolder
  private let client: EditorClient

  init() throws {
    folder = try TemporaryFolder()
    client = try EditorClient(["--store", EditorClient.store(in: folder)], in: folder)
  }

  /// The words of a document with the first letters of their types.
  private func words(_ name: String, _ text: String) throws -> [String] {
    _ = try client.open(name, text)
    let answer = try client.request(
      "textDocument/semanticTokens/full", #"{"textDocument":{"uri":"\#(client.uri(name))"}}"#)
    let numbers = answer["data"]?.items.compactMap { Int($0.text) } ?? []
    let types = ["keyword", "property", "function", "string", "number", "parameter"]
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { Array($0.utf16) }
    var (line, character) = (0, 0)
    return stride(from: 0, to: numbers.count, by: 5).map { place in
      if numbers[place] > 0 { character = 0 }
      (line, character) = (line + numbers[place], character + numbers[place + 1])
      let word = lines[line][character..<character + numbers[place + 2]]
      return "\(types[numbers[place + 3]].prefix(1)):" + String(decoding: Array(word), as: UTF16.self)
    }
  }

  @Test func ofAScriptTheWordsOfPredicatesAndOrdersHaveColours() throws {
    let text = """
      local s = "😀" print(Quake:where("place == '😀' AND ANY reports.intensity > %@", 5):sorted "-depth")
      Quake:where [[length(place) > 4
        AND magnitude > 1]]
      """
    #expect(
      try words("a.lua", text) == [
        "p:place", "k:==", "s:'😀'", "k:AND", "k:ANY", "p:reports", "p:intensity", "k:>", "p:%@", "k:-", "p:depth",
        "f:length", "p:place", "k:>", "n:4", "k:AND", "p:magnitude", "k:>", "n:1",
      ])
  }

  @Test func ofSwiftTheWordsOfFormatsHaveColours() throws {
    let text =
      #"let p = NSPredicate(format: "pla\u{63}e == \"x\" OR a = %@", a); let q = #Predicate<Quake> { $0.depth > 1 }"#
    #expect(try words("a.swift", text) == [#"p:pla\u{63}e"#, "k:==", #"s:\"x\""#, "k:OR", "p:a", "k:=", "p:%@"])
  }

  @Test func aConstantOfSeveralPredicatesHasEachWordOnce() throws {
    let text = """
      let condition = "place == 'x'"
      let a = NSPredicate(format: condition), b = NSPredicate(format: condition)
      """
    #expect(try words("a.swift", text) == ["p:place", "k:==", "s:'x'"])
  }

  @Test func aPlainFileHasNone() throws {
    #expect(try words("a.lua", "print('magnitude > 6')") == [])
    #expect(try words("a.swift", "print(\"magnitude > 6\")") == [])
  }

  @Test func predicatesOfSeveralLinesFold() throws {
    func lines(_ name: String, _ text: String) throws -> String {
      _ = try client.open(name, text)
      return try client.request("textDocument/foldingRange", #"{"textDocument":{"uri":"\#(client.uri(name))"}}"#).text
    }
    #expect(
      try lines("a.lua", "Quake:where [[\nmagnitude > 6\n]]\nQuake:where 'depth > 1'\nprint [[\n\n\n]]")
        == #"[{"endLine":1,"startLine":0}]"#)
    #expect(
      try lines("a.swift", "let p = #Predicate<Quake> {\n  $0.depth > 1\n    && $0.magnitude > 2\n}\nfoo {\n\n\n}")
        == #"[{"endLine":2,"startLine":0}]"#)
  }
}
