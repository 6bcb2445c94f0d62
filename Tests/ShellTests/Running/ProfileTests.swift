import Foundation
import Testing

/// `--profile` says which lines of Lua took how long, and with how many queries.
@Suite struct ProfileTests {
  private func profile(_ script: String, _ arguments: [String] = ["quakes.sqlite"]) throws -> [String] {
    let program = try BuiltProgram.withStore()
    try program.write("s.lua", script)
    let result = try program.run(["--profile"] + arguments + ["s.lua"])
    #expect(result.status == 0, "\(result.errors)")
    return result.errors.split(separator: "\n").map(String.init)
  }

  /// The cells of the row of a line: time, share, runs, queries, time in queries.
  private func runsAndQueries(_ line: Int, in lines: [String]) -> [String] {
    let row = lines.first { $0.hasSuffix("  s.lua:\(line)") } ?? ""
    let cells = row.split(separator: /\s{2,}/).map(String.init)
    return cells.count > 4 ? [cells[2], cells[3]] : cells.count > 2 ? [cells[2]] : []
  }

  @Test func linesHaveTheirRunsAndQueries() throws {
    let lines = try profile(
      """
      local n = 0
      for i = 1, 30 do
        n = n + Quake:count()
      end
      assert(n == 150)
      """)
    #expect(lines[0].hasPrefix("profile: "))
    #expect(lines[0].hasSuffix(", 30 queries"), "\(lines[0])")
    #expect(runsAndQueries(3, in: lines) == ["30", "30"], "\(lines)")
    #expect(runsAndQueries(1, in: lines) == ["1"])
  }

  /// Behind a call, the time and the queries are those of the line that called.
  @Test func aLineGoesOnBehindACall() throws {
    let lines = try profile(
      """
      local function inner()
        return 1
      end
      local twice = inner() + Quake:count() + inner() + Quake:count()
      local co = coroutine.wrap(function()
        coroutine.yield(Quake:count())
      end)
      local later = co() + Quake:count()
      local caught = pcall(function() error "x" end), Quake:count()
      """)
    #expect(runsAndQueries(4, in: lines) == ["1", "2"], "\(lines)")
    #expect(runsAndQueries(2, in: lines) == ["2"], "\(lines)")
    #expect(runsAndQueries(6, in: lines) == ["1", "1"], "\(lines)")
    #expect(runsAndQueries(8, in: lines) == ["1", "1"], "\(lines)")
  }

  /// A duration of the table in seconds; one that is too short to be shown counts as zero.
  private func seconds(_ cell: String) -> Double {
    let parts = cell.split(separator: " ")
    guard parts.count == 2, let number = Double(parts[0]) else { return 0 }
    return parts[1] == "ms" ? number / 1_000 : parts[1] == "s" ? number : number * 60
  }

  /// A statement that is read row by row lasts as long as the loop, and an error ends a line early.
  @Test func noPartIsMoreThanItsWhole() throws {
    let program = try BuiltProgram.withStore()
    try program.write(
      "s.lua",
      """
      local n = 0
      for q in Quake:all():each() do
        for i = 1, 300000 do n = n + i end
      end
      local function slow() return store:sql "WITH RECURSIVE c(x) AS (VALUES(1) UNION ALL SELECT x + 1 FROM c WHERE x < 200000) SELECT count(*) FROM c" end
      slow()
      store:sql "WITH RECURSIVE c(x) AS (VALUES(1) UNION ALL SELECT x + 1 FROM c WHERE x < 200000) SELECT count(*), error FROM c"
      """)
    let result = try program.run(["--profile", "quakes.sqlite", "s.lua"])
    let lines = result.errors.split(separator: "\n").map(String.init)
    let whole = try #require(lines.first { $0.hasPrefix("profile: ") }?.dropFirst(9).split(separator: " in ").first)
    let rows = lines.filter { $0.contains("  s.lua:") }.map { $0.split(separator: /\s{2,}/).map(String.init) }
    #expect(rows.count >= 6, "\(lines)")
    for row in rows where row.count > 5 { #expect(seconds(row[4]) <= seconds(row[0]), "\(lines)") }
    // Each is rounded for itself.
    #expect(rows.map { seconds($0[0]) }.reduce(0, +) <= seconds(String(whole)) * 1.02, "\(lines)")
    #expect(rows.compactMap { Int($0[1].dropLast(2)) }.reduce(0, +) <= 100, "\(lines)")
    // The queries of the line that waits for SQLite are its time, and not those of the loop.
    let slow = try #require(rows.first { $0.last == "s.lua:5" })
    #expect(slow.count > 5 && seconds(slow[4]) > seconds(slow[0]) / 3, "\(lines)")
  }

  @Test func theSlowestLineIsFirst() throws {
    let lines = try profile("local x = 1\nfor i = 1, 3000000 do x = x + i end\nlocal y = 2")
    #expect(lines[2].hasSuffix("  s.lua:2"), "\(lines)")
  }

  @Test func objectsThatAreAskedForOneByOneAreNamedWithThePrefetch() throws {
    let lines = try profile(
      """
      for i = 1, 30 do
        context:refreshAllObjects()
        for _, q in ipairs { Quake:find "us5" } do local _ = q.reports[1] end
      end
      """)
    let advice = "prefetch it with relationshipKeyPathsForPrefetching = { \"reports\" }"
    #expect(lines.contains { $0.hasPrefix("  s.lua:3 fired 30 statements") && $0.hasSuffix(advice) }, "\(lines)")
  }

  @Test func storesThatAScriptOpensCount() throws {
    let lines = try profile("local store <close> = open 'quakes.sqlite'\nstore.entities.Quake:count()", [])
    #expect(runsAndQueries(2, in: lines) == ["1", "1"], "\(lines)")
  }

  @Test func anErrorAndATimeLimitLeaveTheProfile() throws {
    let program = try BuiltProgram.withStore()
    for (arguments, status) in [
      (["-e", "local x = 1\nerror 'no'"], 1), (["--timeout", "1.5", "-e", "while true do end"], 124),
    ] {
      let result = try program.run(["quakes.sqlite", "--profile"] + arguments)
      #expect(result.status == Int32(status))
      #expect(result.errors.contains("\nprofile: ") && result.errors.contains("-e:1"), "\(result.errors)")
      // What joins the locals of lines is no line of the script.
      #expect(!result.errors.contains("session:"), "\(result.errors)")
    }
  }
}
