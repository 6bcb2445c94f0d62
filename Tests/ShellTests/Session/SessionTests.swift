import LuaBindings
import Testing

@testable import Session
@testable import Shell

@Suite struct SessionTests {
  /// What a store's file still needs is written when the engine goes.
  @Test func aSessionThatIsDroppedReleasesItsEngine() throws {
    weak var engine: Engine?
    do {
      let session = try EngineSession(RunOptions(), Surroundings(color: .never))
      engine = session.engine
      #expect(session.guarding { _ = try session.engine.evaluate("1 + 1", name: "=test") } == 0)
      session.close()
    }
    #expect(engine == nil)
  }

  @Test func aClientHandsInTheCommands() throws {
    let session = try EngineSession(RunOptions(), Surroundings(color: .never))
    defer { session.close() }
    let own = Command(name: "mode", arguments: "", summary: "its own", inSandbox: .allowed) { _ in }
    let commands = SessionCommands.list(session.session.parts, client: [own])
    #expect(commands.filter { $0.name == "mode" }.map(\.summary) == ["its own"])
    #expect(commands.map(\.name) == commands.map(\.name).sorted())
  }
}
