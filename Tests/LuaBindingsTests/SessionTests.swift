import LuaBindings
import Testing

@Suite struct SessionTests {
  @Test func aLocalStaysVisibleOnTheNextLine() throws {
    let script = try Script()
    try script.run("local a = 5")
    #expect(try script.value("a") == "5")
    #expect(try script.value("_G.a") == "nil")
  }

  @Test func aLocalIsOneVariableForAllThatUseIt() throws {
    let script = try Script()
    try script.run("local n = 0; local function inc() n = n + 1 end")
    try script.run("inc() inc()")
    #expect(try script.value("n") == "2")
    try script.run("n = 10")
    try script.run("inc()")
    #expect(try script.value("n") == "11")
  }

  @Test func aLocalDeclaredAgainIsANewVariable() throws {
    let script = try Script()
    try script.run("local n = 1; function old() return n end")
    try script.run("local n = 2")
    #expect(try script.value("n, old()") == "2 1")
  }

  @Test func aChunkMayReturnAndDeclare() throws {
    let script = try Script()
    #expect(try script.value("local a, b = 1, 2 return a + b") == "3")
    #expect(try script.value("a, b") == "1 2")
  }

  @Test func localsOfBlocksDoNotLeak() throws {
    let script = try Script()
    try script.run("do local inner = 1 end for i = 1, 2 do local x = i end if true then local y = 1 end")
    #expect(try script.value("inner, x, y, i") == "nil nil nil nil")
  }

  @Test func constantsStay() throws {
    let script = try Script()
    try script.run("local k <const> = 5")
    #expect(try script.value("k") == "5")
  }

  @Test func aTrailingCommentAndALabelDoNoHarm() throws {
    let script = try Script()
    try script.run("local a = 1 -- one")
    #expect(try script.value("a") == "1")
    try script.run("goto done\n::done::")
  }

  @Test func aSyntaxErrorIsLuasOwn() throws {
    let script = try Script()
    try script.run("local a = 1")
    #expect(script.error("a = = 2") == "test:1: unexpected symbol near '='")
  }

  @Test func aChunkIsIncompleteWhenMoreLinesMayEndIt() throws {
    let script = try Script()
    #expect(script.engine.isComplete("1 + 1"))
    #expect(!script.engine.isComplete("for i = 1, 3 do"))
    #expect(!script.engine.isComplete("f("))
    #expect(script.engine.isComplete("x = = 1"))
  }

  @Test func shownValuesAreKept() throws {
    let script = try Script()
    script.engine.remember(try script.run("7"))
    script.engine.remember(try script.run("8"))
    #expect(try script.value("_, _1, _2") == "8 7 8")
  }
}

@Suite struct SandboxTests {
  private func sandbox() throws -> Script {
    var options = Engine.Options()
    options.isSandboxed = true
    return try Script(options)
  }

  @Test func nothingOfTheSystemCanBeReached() throws {
    let script = try sandbox()
    for name in [
      "debug", "package", "require", "dofile", "loadfile", "io.open", "io.popen", "io.lines", "os.execute", "os.getenv",
      "os.remove", "string.dump",
    ] {
      #expect(try script.value(name) == "nil", "\(name)")
    }
    #expect(try script.value("type(io.write), type(os.time), ('x'):rep(2), _G._G == _G") == "function function xx true")
    #expect(script.error("load('\\27Lua')()") != nil)
    #expect(
      script.error("open 'x.sqlite'")
        == "open: the sandbox refuses it: scripts have no files in it; ':memory:' is a store without one")
  }

  @Test func localsLiveOnInTheSandboxToo() throws {
    let script = try sandbox()
    try script.run("local n = 0; local function inc() n = n + 1 end")
    try script.run("inc() inc()")
    #expect(try script.value("n") == "2")
  }
}
