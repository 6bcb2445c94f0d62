import Modeling
import TestSupport
import Testing

/// A database on a server is asked for its plans, counts and values as a file is.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct ServerStoreTests {
  private let client: EditorClient
  private let address: String

  init() throws {
    let server = try PostgresServer.shared.get()
    address = server.address(of: try server.makeDatabase(for: "editor"))
    try EditorClient.makeStore(address, count: 2_000)
    client = try EditorClient(["--store", address], in: TemporaryFolder())
  }

  private static let request = "let r = NSFetchRequest<Quake>(entityName: \"Quake\")\nr.predicate = "

  private func messages(_ findings: [JSON]) -> [String] { findings.compactMap { $0["message"]?.string } }

  @Test func aTableThatIsReadWholeIsNoted() throws {
    let note = "reads all 2,000 Quake to find 2; an index on depth would help"
    #expect(messages(try client.open("a.lua", "print(Quake:where 'depth > 1997')")) == [note])
    #expect(
      messages(try client.open("a.swift", Self.request + "NSPredicate(format: \"depth > 1997\")")) == [note])
    #expect(messages(try client.open("b.lua", "print(Quake:where \"code == 'us7'\")")) == [])
    #expect(
      messages(try client.open("c.lua", "print(Quake:where 'dept > 1')"))
        == ["Quake has no property 'dept'; did you mean 'depth'?"])
  }

  @Test func helpHasTheServersPlanAndCounts() throws {
    _ = try client.open("a.lua", "print(Quake:where 'depth > 1997', Quake:where \"code == 'us7'\")")
    func help(_ character: Int) throws -> String {
      try client.request("textDocument/hover", "a.lua", character)["contents"]?["value"]?.string ?? ""
    }
    let scan = try help(26)
    // Counting ends after a while, on a server that is busy with fewer objects.
    #expect(scan.contains(/Quake: \d of (the first )?[\d,]+ match/) && scan.contains("reads all of Quake"), "\(scan)")
    #expect(try help(52).contains("index"))
  }

  @Test func valuesOfTheServerAreOffered() throws {
    _ = try client.open("a.lua", "print(Quake:where \"place == 'J\")")
    let items = try client.request("textDocument/completion", "a.lua", 30)["items"]?.items ?? []
    #expect(items.map { $0["label"] } == [.string("Japan'")])
  }

  @Test func aTrialShowsNoPassword() throws {
    let secret = address.replacing("\(PostgresServer.user)@", with: "\(PostgresServer.user):s3cret@")
    try #require(secret != address)
    let client = try EditorClient(["--store", secret], in: TemporaryFolder())
    _ = try client.open("a.lua", "print(Quake:where 'depth > 1997')")
    _ = try client.request(
      "workspace/executeCommand",
      #"{"command":"perilune.try","arguments":["\#(client.uri("a.lua"))",{"line":0,"character":26}]}"#)
    let message = try client.notification("window/showMessage")["message"]?.string ?? ""
    #expect(message.hasPrefix("Quake: "), "\(message)")
    #expect(!message.contains("s3cret") && !client.notifications.contains { $0.text.contains("s3cret") })
  }
}
