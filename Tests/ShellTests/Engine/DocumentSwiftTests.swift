import LuaBindings
import Testing

@testable import Shell

/// Every piece of Swift of the documents that the product implements is answered as Swift.
///
/// The documents are not part of the repository; without them these tests are left out.
@Suite(.serialized, .enabled(if: DocumentSource.areThere, "there are no documents in ../shared/seeds"))
struct DocumentSwiftTests {
  private static let makeStore = """
    local model = Model {
      Item = Entity { timestamp = Date, categoryID = Integer16 },
      Quake = Entity { place = String, time = Date, day = String, magnitude = Double, _ = { order = { "place", "time" } } },
    }
    local store <close> = open(..., { create = true, model = model })
    for i = 1, 4 do
      store.entities.Item { timestamp = Date(1700000000 + i * 86400), categoryID = i % 2 }
      store.entities.Quake { place = "Place " .. i, time = Date(1700000000 + i), day = "day " .. i // 2, magnitude = i }
    end
    store.context:save()
    """

  private static func program() throws -> BuiltProgram {
    let program = try BuiltProgram()
    let made = try program.run(script: makeStore, name: "make.lua", ["app.sqlite"])
    #expect(made.status == 0, "\(made)")
    return program
  }

  private static func pieces() throws -> [String] {
    try DocumentSource.documents().flatMap { DocumentSource.pieces(of: $0.text) }
  }

  /// What Lua says of a text that it cannot read, or that names what is not there.
  private static let complaints = [
    "unexpected symbol", "' expected", "syntax error", "<eof>", "attempt to", "near '", "unfinished", "malformed",
  ]

  @Test func noPieceOfTheDocumentsIsAnErrorOfLua() throws {
    let pieces = try Self.pieces()
    #expect(pieces.count == Self.count)
    let program = try Self.program()
    let session = try program.terminal("--no-init app.sqlite", columns: 160, rows: 60)
    try session.expectPrompt("app>")
    for piece in pieces {
      let before = session.transcript.count
      session.send("\u{1B}[200~\(piece)\u{1B}[201~")
      session.settle()
      session.send("\r")
      session.settle()
      try session.expectPrompt("app>")
      let answer = String(session.transcript.dropFirst(before))
      for complaint in Self.complaints { #expect(!answer.contains(complaint), "\(piece)\n\n\(answer)") }
    }
  }

  private static let count = 57

  @Test func piecesWithRequestsAnswerWithLiveValues() throws {
    let program = try Self.program()
    var (live, bound, refused) = (0, 0, 0)
    for piece in try Self.pieces() where piece.contains(#/@(?:Sectioned)?FetchRequest|@Query/#) {
      let session = try EngineSession(RunOptions(), Surroundings(color: .never))
      defer { session.close() }
      try session.engine.open(.init(path: program.path("app.sqlite")))
      let pasted = PastedSwift(try #require(SwiftBlock(piece)), in: session.engine)
      do {
        _ = try session.engine.evaluate(try #require(pasted.lua))
        let name = try #require(pasted.requestName)
        if pasted.needsValues {
          _ = try session.engine.evaluate("\(name) = \(name):bind { startDate = Date(0), endDate = Date() }:live()")
          bound += 1
        } else {
          live += 1
        }
        let values = try session.engine.evaluate("return \(name).isClosed == false and #\(name) > 0 or nil")
        #expect(values.count == 1, "\(piece)")
      } catch {
        // What the documents call wrong.
        #expect(
          session.engine.report(error).message.contains("a predicate captures only constants"), "\(piece) \(error)")
        refused += 1
      }
    }
    #expect(live == 10 && bound == 2 && refused == 2, "\(live) \(bound) \(refused)")
  }

  @Test func aPieceThatIsCutOffAtAnyLineIsSurvived() throws {
    let program = try Self.program()
    let session = try EngineSession(RunOptions(), Surroundings(color: .never))
    defer { session.close() }
    try session.engine.open(.init(path: program.path("app.sqlite")))
    for piece in try Self.pieces() {
      let lines = piece.split(separator: "\n", omittingEmptySubsequences: false)
      for count in 1...lines.count {
        guard let block = SwiftBlock(lines[..<count].joined(separator: "\n")) else { continue }
        _ = block.isComplete
        guard let lua = PastedSwift(block, in: session.engine).lua else { continue }
        #expect(!session.engine.isMistake(lua), "\(lua)")
        _ = try? session.engine.evaluate(lua)
      }
    }
    #expect(try session.engine.evaluate("return Item:count()").count == 1)
  }
}
