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

  @Test func everythingInTheCatalogIsDecidedOn() throws {
    var known: Set<String> = []
    for entry in try Script().engine.catalog.entries where entry.kind != .option {
      let key = SandboxedCatalog.key(owner: entry.owner, entry.name)
      known.insert(key)
      let isAllowed = SandboxedCatalog.isAllowed(owner: entry.owner, entry.name)
      #expect(
        isAllowed != (SandboxedCatalog.refused[key] != nil),
        "\(key): say in SandboxedCatalog whether scripts in the sandbox may use it")
    }
    let listed = SandboxedCatalog.allowed.flatMap { owner, names in
      names.map { SandboxedCatalog.key(owner: owner, $0) }
    }
    #expect(Set(listed + SandboxedCatalog.refused.keys).subtracting(known) == [], "these are no longer there")
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

  @Test func aMemberThatNobodyHasDecidedOnIsRefused() throws {
    final class Thing: Bound {
      static let luaName = "Undecided"
      var place: String { "thing" }
      func summary() -> String { "thing" }
      static let members: [Member<Thing>] = [
        .method("act", "thing:act()", "Acts.") { _, _ in 0 },
        .property("state", "thing.state", "Is.", get: { _, _ in 0 }, set: { _, _ in }),
      ]
    }
    for isSandboxed in [true, false] {
      var options = Engine.Options()
      options.isSandboxed = isSandboxed
      let script = try Script(options)
      let thing = script.engine.makeClass(Thing.self)
      thing.push(Thing(), on: script.engine.lua.stack)
      script.engine.lua.setGlobal("thing")
      #expect(script.error("thing:act()") == (isSandboxed ? "thing:act: the sandbox refuses it" : nil))
      #expect((script.error("thing.state = 1") != nil) == isSandboxed)
      #expect((script.error("local s = thing.state") != nil) == isSandboxed)
    }
  }
}
