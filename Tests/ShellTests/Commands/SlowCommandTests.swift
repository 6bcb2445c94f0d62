import Foundation
import Testing

@Suite struct SlowCommandTests {
  @Test func slowReadsAreToldOncePerLineWhereAsked() throws {
    let program = try BuiltProgram.withStore()
    let script = """
      .slow off
      local n = Quake:count("magnitude == 3")
      .slow 0
      .slow
      for i = 1, 3 do Quake:count("code != 'x'") end
      .slow off
      local n = Quake:count("magnitude == 3")
      .slow
      """
    let result = try program.run(["quakes.sqlite"], input: script)
    #expect(result.output == ".slow 0.0\n.slow off\n")
    #expect(result.errors.components(separatedBy: "request:explain() tells more").count == 2)
    #expect(result.errors.contains(", the slowest of 3 such reads; "))
    #expect(try program.run(["quakes.sqlite"], input: ".slow maybe\n").errors.contains("a number of seconds"))
    #expect(try program.run(["quakes.sqlite"], input: ".slow -1\n").errors.contains("a number of seconds"))
  }
}
