import Modeling
import TestSupport
import Testing

/// The outline of a document lists its predicates, each with its entity.
@Suite struct SymbolTests {
  private func symbols(_ name: String, _ text: String) throws -> [String] {
    let folder = try TemporaryFolder()
    let client = try EditorClient(["--store", EditorClient.store(in: folder)], in: folder)
    _ = try client.open(name, text)
    let answer = try client.request(
      "textDocument/documentSymbol", #"{"textDocument":{"uri":"\#(client.uri(name))"}}"#)
    return answer.items.map {
      "\($0["name"]?.string ?? "?") of \($0["detail"]?.string ?? "-") at \($0.marked)"
    }
  }

  @Test func ofAScriptThePredicatesAreListed() throws {
    #expect(
      try symbols("a.lua", "local s = \"😀\" print(Quake:where \"magnitude > 6\":sorted \"-depth\", 'x')")
        == ["magnitude > 6 of Quake at 0:34-47"])
  }

  @Test func ofASwiftFileFormatsAndMacrosAreListed() throws {
    let text = """
      let r = NSFetchRequest<Quake>(entityName: "Quake")
      r.predicate = NSPredicate(format: "place == %@", name)
      let p = #Predicate<Quake> {
        $0.magnitude > 6
      }
      let e = NSPredicate(format: "x == 1")
      """
    #expect(
      try symbols("a.swift", text) == [
        "place == %@ of Quake at 1:35-46", "#Predicate<Quake> { $0.magnitude > 6 } of Quake at 2:8-1",
        "x == 1 of - at 5:29-35",
      ])
  }

  @Test func aPlainFileHasNone() throws {
    #expect(try symbols("a.lua", "print('magnitude > 6')") == [])
  }
}
