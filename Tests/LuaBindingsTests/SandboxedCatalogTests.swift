import LuaRuntime
import Testing

@testable import LuaBindings

/// What scripts have of the catalog in the sandbox.
@Suite struct SandboxedCatalogTests {
  private func sandbox() throws -> Script {
    var options = Engine.Options()
    options.isSandboxed = true
    return try Script(options)
  }

  @Test func whatIsRefusedSaysThatTheSandboxDoesIt() throws {
    let script = try sandbox()
    for (call, place) in [
      ("import()", "import"), ("loadModel 'x.mom'", "loadModel"),
      ("open(':memory:'):backup 'x'", "store:backup"),
    ] {
      #expect(script.error(call) == "\(place): the sandbox refuses it: scripts have no files in it")
    }
    #expect(try script.value("select(2, pcall(import)).kind") == "sandbox")
  }

  @Test func aFunctionOfTheHostIsRefusedUntilItIsSaidToBeSafe() throws {
    let script = try sandbox()
    script.engine.define("reach", "reach()", "Reaches out.") { _ in 0 }
    script.engine.define("stay", "stay()", "Stays inside.", inSandbox: true) { _ in 0 }
    #expect(script.error("reach()") == "reach: the sandbox refuses it")
    try script.run("stay()")
  }

  @Test func aMemberThatIsRefusedIsNeitherCalledNorReadNorSet() throws {
    final class Thing: Bound {
      static let luaName = "Thing"
      var place: String { "thing" }
      func summary() -> String { "thing" }
      static let members: [Member<Thing>] = [
        .method("act", "thing:act()", "Acts.", sandbox: .noFiles) { _, _ in .nothing },
        .property("state", "thing.state", "Is.", sandbox: .noFiles, get: { _, _ in .nothing }, set: { _, _ in }),
      ]
    }
    for isSandboxed in [true, false] {
      var options = Engine.Options()
      options.isSandboxed = isSandboxed
      let script = try Script(options)
      script.engine.classes.declare(KindDeclaration(Thing.self) { Thing.members })
      script.engine.classes.push(Thing(), on: script.engine.lua.stack)
      script.engine.lua.setGlobal("thing")
      let refusal = "thing:act: the sandbox refuses it: scripts have no files in it"
      #expect(script.error("thing:act()") == (isSandboxed ? refusal : nil))
      #expect((script.error("thing.state = 1") != nil) == isSandboxed)
      #expect((script.error("local s = thing.state") != nil) == isSandboxed)
    }
  }
}
