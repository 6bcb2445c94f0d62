import Foundation
import Modeling
import TestSupport
import Testing

/// Documents are checked against what the command line names, or what their folder has.
@Suite struct WorkspaceTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ name: String, _ text: String) throws {
    try FileManager.default.createDirectory(
      atPath: (folder.file(name) as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try text.write(toFile: folder.file(name), atomically: true, encoding: .utf8)
  }

  private static let script = #"print(Quake:where("magnitud > 5"))"#
  private static let request = """
    let request = NSFetchRequest<Quake>(entityName: "Quake")
    request.predicate = NSPredicate(format: "magnitud > 5")
    """
  private static let sentence: JSON = .string("Quake has no property 'magnitud'; did you mean 'magnitude'?")

  private func messages(_ findings: [JSON]) -> [JSON] { findings.compactMap { $0["message"] } }

  @Test(arguments: ["--store", "--model"])
  func aStoreIsNamed(option: String) throws {
    let client = try EditorClient([option, EditorClient.store(in: folder)], in: folder)
    #expect(messages(try client.open("a.lua", Self.script)) == [Self.sentence])
    #expect(messages(try client.open("a.swift", Self.request)) == [Self.sentence])
  }

  @Test func theModelBesideAScriptCounts() throws {
    try write("model.lua", EditorClient.model + "return model")
    let client = try EditorClient(in: folder)
    #expect(messages(try client.open("a.lua", Self.script)) == [Self.sentence])
  }

  @Test func theScriptOfAModelRunsInTheSandbox() throws {
    try write("model.lua", "os.execute('touch \(folder.file("ran"))')\n" + EditorClient.model + "return model")
    let client = try EditorClient(in: folder)
    _ = try client.open("a.lua", Self.script)
    #expect(try client.notification("window/showMessage")["type"] == .int(1))
    #expect(!FileManager.default.fileExists(atPath: folder.file("ran")))
  }

  @Test func theScriptOfAModelThatDoesNotEndIsStopped() throws {
    try write("model.lua", "while true do end")
    let client = try EditorClient(in: folder)
    #expect(try client.open("a.lua", "foo()").count == 1)
    #expect(try client.notification("window/showMessage")["type"] == .int(1))
  }

  @Test func theModelOfCoreDataInTheFolderCounts() throws {
    try write(
      "App.xcdatamodeld/App.xcdatamodel/contents",
      #"<model><entity name="Quake"><attribute name="magnitude" attributeType="Double"/></entity></model>"#)
    let client = try EditorClient(in: folder)
    #expect(messages(try client.open("Views/a.swift", Self.request)) == [Self.sentence])
  }

  @Test func theClassesOfAModelCountAsTheyAreInTheEditor() throws {
    let query = "@Query(filter: #Predicate<Quake> { $0.magnitude > 5 }) var quakes: [Quake]"
    func model(_ name: String) -> String { "@Model class Quake { var \(name): Double = 0 }" }
    try write("Quake.swift", model("magnitude"))
    let client = try EditorClient(in: folder)
    #expect(try client.open("List.swift", query) == [])
    #expect(try client.open("Quake.swift", model("strength")) == [])
    let findings = try client.change("List.swift", version: 2, #"[{"text":\#(JSON.string(query + "\n").text)}]"#)
    #expect(findings.compactMap { $0["code"] } == [.string("predicate-macro")])
  }

  @Test func otherScriptsOfTheFolderDefineNames() throws {
    try write("tools.lua", "function strongest() end")
    let client = try EditorClient(in: folder)
    #expect(try client.open("a.lua", "strongest()") == [])
    #expect(try client.open("b.lua", "weakest()").count == 1)
    try write("tools.lua", "function weakest() end")
    try client.notify("workspace/didChangeWatchedFiles", #"{"changes":[]}"#)
    let published = [
      try client.notification("textDocument/publishDiagnostics"),
      try client.notification("textDocument/publishDiagnostics"),
    ]
    #expect(published.map { $0["diagnostics"]?.items.count } == [1, 0])
  }

  @Test func aStoreThatCannotBeOpenedLeavesTheChecksOfSyntaxAndIsSaidOnce() throws {
    let client = try EditorClient(["--store", folder.file("none.sqlite")], in: folder)
    #expect(try client.open("a.lua", "local p = Predicate('a >')").count == 1)
    #expect(try client.open("b.lua", Self.script) == [])
    _ = try client.notification("window/showMessage")
    #expect(try client.request("shutdown", "null") == .null)
    #expect(!client.notifications.contains { $0["method"] == .string("window/showMessage") })
  }

  @Test func aStoreIsOnlyRead() throws {
    let path = try EditorClient.store(in: folder)
    let before = try Data(contentsOf: URL(filePath: path))
    let client = try EditorClient(["--store", path], in: folder)
    _ = try client.open("a.lua", "Quake { code = 'x' } save()")
    #expect(try client.end() == 1)
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  @Test(arguments: ["untitled:Untitled-1", "file:///no/such/folder/a.lua", "not a URI"])
  func aTextThatIsInNoFileIsCheckedToo(uri: String) throws {
    let client = try EditorClient(in: folder)
    try client.notify(
      "textDocument/didOpen",
      #"{"textDocument":{"uri":"\#(uri)","languageId":"lua","version":1,"text":"foo()"}}"#)
    #expect(try client.notification("textDocument/publishDiagnostics")["diagnostics"]?.items.count == 1)
  }

  @Test func ofOtherLanguagesNothingIsSaid() throws {
    let client = try EditorClient(in: folder)
    try client.notify(
      "textDocument/didOpen",
      #"{"textDocument":{"uri":"\#(client.uri("a.py"))","languageId":"python","version":1,"text":"foo()"}}"#)
    #expect(try client.notification("textDocument/publishDiagnostics")["diagnostics"] == .array([]))
  }

  @Test func aSharedPredicateIsCheckedAgainstTheRequestsOfOtherFiles() throws {
    let filters = "extension NSPredicate { static let strong = NSPredicate(format: \"magnitud > 5\") }"
    try write("Quake.swift", "@Model class Quake { var magnitude: Double = 0 }")
    try write("Filters.swift", filters)
    let client = try EditorClient(in: folder)
    #expect(messages(try client.open("Filters.swift", filters)) == [])
    try write("Store.swift", Self.request.replacing("NSPredicate(format: \"magnitud > 5\")", with: ".strong"))
    try client.notify("workspace/didChangeWatchedFiles", #"{"changes":[]}"#)
    let found = try client.notification("textDocument/publishDiagnostics")["diagnostics"]?.items ?? []
    #expect(messages(found) == [Self.sentence])
    // A name that is just typed has no uses.
    let renamed = filters.replacing("strong", with: "strongest")
    #expect(try client.change("Filters.swift", version: 2, #"[{"text":\#(JSON.string(renamed).text)}]"#) == [])
  }
}
