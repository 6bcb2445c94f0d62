import Foundation
import Testing

@Suite struct StatsCommandTests {
  @Test func statisticsNameTheLinesThatAskOften() throws {
    let program = try BuiltProgram.withStore()
    let script = """
      .stats on
      for i = 1, 30 do
        context:refreshAllObjects()
        for _, q in ipairs { Quake:find "us5" } do local _ = q.reports[1] end
      end
      .stats
      .stats off
      .stats
      """
    let result = try program.run(["quakes.sqlite"], input: script)
    #expect(result.errors == "")
    #expect(result.output.contains("  to-many   30 members in 30 statements\n"))
    #expect(result.output.contains("stdin:4 fired 30 statements for the members of Quake.reports: prefetch it with"))
    #expect(result.output.components(separatedBy: "fired 30 statements for the members").count == 2)
    #expect(try program.run(["quakes.sqlite"], input: ".stats maybe\n").errors.contains("on"))
  }

  @Test func statisticsTellWhatChangesMadeLiveGroupsLookAt() throws {
    let program = try BuiltProgram.withStore()
    let script = """
      .stats off
      groups = Quake:all():grouped("place", { n = "count" }):live()
      groups:onChange(function() end)
      Quake:find("us5").place = "Moon"
      save()
      .stats
      """
    let result = try program.run(["quakes.sqlite"], input: script)
    #expect(result.errors == "")
    #expect(result.output.contains("  live      1 object and 2 groups looked at in 1 change of groups\n"))
  }
}
