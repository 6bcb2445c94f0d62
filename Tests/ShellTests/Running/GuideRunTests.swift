import LuaBindings
import Session
import TestSupport
import Testing

/// What `perilune help --llm` writes.
@Suite struct GuideRunTests {
  @Test func theGuideHasEveryFunctionMemberAndOperator() throws {
    let engine = try Engine()
    defer { engine.close() }
    let text = ScriptGuide(engine).text
    for entry in engine.catalog.entries { #expect(text.contains(entry.summary), "\(entry.title)") }
    for topic in PredicateTopic.all { #expect(text.contains("- `\(topic.form)` "), "\(topic.form)") }
    #expect(!text.contains("## Entities"))
  }

  @Test func itsScriptRuns() throws {
    let program = try BuiltProgram.withStore()
    let guide = try program.run(["help", "--llm"])
    #expect(guide.status == 0 && !guide.output.contains("## Entities"))
    let parts = guide.output.components(separatedBy: "```")
    try program.write("guide.lua", String(try #require(parts.dropFirst().first).dropFirst("lua\n".count)))
    let result = try program.run(["quakes.sqlite", "guide.lua"])
    #expect(result.status == 0 && result.output.hasPrefix("1\nus5\t5.5\t1\n"), "\(result)")
    #expect(try program.run(["quakes.sqlite", "-e", "Quake:find('us1').place"]).output == "here\n")
  }

  @Test func entitiesAreThoseOfTheStoreThatIsNamed() throws {
    let program = try BuiltProgram.withStore()
    let guide = try program.run(["help", "--llm", "quakes.sqlite"])
    #expect(guide.status == 0 && guide.output.contains("## Entities of the store\n\n### Quake\n\n- `code` String"))
    #expect(try program.run(["help", "--llm", "nothere.sqlite"]).status == 66)
  }

  @Test func helpKnowsTheCommands() throws {
    let program = try BuiltProgram()
    #expect(try program.run(["help"]).output == program.run(["--help"]).output)
    #expect(try program.run(["help", "compare"]).output == program.run(["compare", "--help"]).output)
    let unknown = try program.run(["help", "compar"])
    #expect(unknown.status == 64 && unknown.errors.contains("there is no command 'compar'"), "\(unknown)")
  }
}
