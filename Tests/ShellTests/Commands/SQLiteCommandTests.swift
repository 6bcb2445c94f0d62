import Foundation
import Testing

@testable import Shell

/// Commands do what people of sqlite3 expect of them.
@Suite struct SQLiteCommandTests {
  @Test func tablesAndIndexesAreListed() throws {
    let program = try BuiltProgram.withStore()
    #expect(try program.run(["quakes.sqlite", "-e", ".tables"]).output == "quake\nreport\n")
    #expect(try program.run(["quakes.sqlite", "-e", ".tables rep%"]).output == "report\n")
    let indexes = try program.run(["quakes.sqlite", "-e", ".indexes quake"]).output
    #expect(indexes == "quake_code_unique\n")
    #expect(try program.run(["quakes.sqlite", "-e", ".indexes Quake"]).output == indexes)
  }

  @Test func aDumpMakesTheStoreAgain() throws {
    let program = try BuiltProgram.withStore()
    _ = try program.run(["quakes.sqlite", "-e", "Quake:find('us1').place = \"it's\\n\\0x\" save()"])
    let made = try program.shell(["bash", "-c", "perilune quakes.sqlite -e .dump | sqlite3 again.sqlite"])
    #expect(made.status == 0 && made.errors.isEmpty, "\(made.errors)")
    let script = "for q in Quake:sorted('code'):each() do print(q.code, q.magnitude, #q.reports, q.place) end"
    let (before, after) = (
      try program.run(["quakes.sqlite", "-e", script]), try program.run(["again.sqlite", "-e", script])
    )
    #expect(before.output == after.output && !before.output.isEmpty, "\(after.errors)")
    let one = try program.run(["quakes.sqlite", "-e", ".dump report"]).output
    #expect(one.contains("INSERT INTO \"report\"") && !one.contains("INSERT INTO \"quake\""))
  }

  @Test func headersAreShownOrNot() throws {
    let program = try BuiltProgram.withStore()
    func rows(_ mode: String, _ headers: String) throws -> String {
      try program.run(
        [
          "quakes.sqlite", "--mode", mode, "-e", ".headers \(headers)", "-e",
          "show(Quake:limit(1), { columns = { 'code', 'magnitude' } })",
        ]
      ).output
    }
    #expect(try rows("csv", "off") == "us1,1.5\n")
    #expect(try rows("csv", "on") == "code,magnitude\nus1,1.5\n")
    #expect(try rows("list", "on") == "code|magnitude\nus1|1.5\n")
    #expect(try rows("list", "off") == "us1|1.5\n")
  }

  @Test func changesAreUndoneAndOutputGoesToAFile() throws {
    let program = try BuiltProgram.withStore()
    let session = try PTYSession(
      executable: "/bin/sh", arguments: ["-c", "cd '\(program.folder.path)' && exec perilune quakes.sqlite"],
      environment: program.environment, columns: 100, rows: 40)
    try session.expect("quakes")
    session.send("Quake:find('us1').magnitude = 9\r")
    try session.expect("quakes*1")
    session.send(".undo\r")
    try session.expect("undone\n")
    session.send(".undo\r")
    try session.expect("nothing to undo\n")
    session.send(".redo\r")
    try session.expect("done again\n")
    session.send(
      "rollback()\r.output out.txt\rQuake:find('us2').place\r.mode csv\rQuake:limit(2)\rprint 'printed'\r.output\r'back'\r"
    )
    try session.expect("\"back\"")
    session.send("Quake:limit(1)\r.last json\r")
    try session.expect("[{\"code\":\"us1\"")
    session.send("exit()\r")
    #expect(try session.waitForExit() == 0)
    let text = try String(contentsOfFile: program.path("out.txt"), encoding: .utf8)
    #expect(
      text == "東京の近く\ncode,magnitude,place,time\nus1,1.5,\"Namie, Japan\",2023-11-14T22:13:21Z\n"
        + "us2,2.5,東京の近く,2023-11-14T22:13:22Z\nprinted\n", "\(text)")
  }
}
