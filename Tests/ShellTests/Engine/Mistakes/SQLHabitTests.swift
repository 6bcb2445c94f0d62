import Foundation
import Testing

@testable import Shell

/// SQL typed by mistake is answered with the line of Lua for it.
@Suite struct SQLHabitTests {
  static let lines: [(sql: String, lua: String)] = [
    ("select * from quake", "Quake:all()"), ("SELECT * FROM quakes;", "Quake:all()"),
    ("select * from quake where magnitude > 3", #"Quake:where("magnitude > 3")"#),
    ("select count(*) from quake", "Quake:count()"),
    ("select count(*) from quake where place is null", #"Quake:count("place == nil")"#),
    ("select code, place from quake", #"show(Quake:all(), { columns = { "code", "place" } })"#),
    ("select * from quake where place like '%japan%'", #"Quake:where("place CONTAINS[cd] 'japan'")"#),
    ("select * from quake where place like \"S%\"", #"Quake:where("place BEGINSWITH[cd] 'S'")"#),
    ("select * from quake where code in ('us1', 'us2')", #"Quake:where("code IN { 'us1', 'us2' }")"#),
    ("select * from quake where magnitude between 2 and 4", #"Quake:where("magnitude BETWEEN { 2, 4 }")"#),
    (
      "select * from quake order by magnitude desc, code limit 3", #"Quake:all():sorted("-magnitude", "code"):limit(3)"#
    ),
    ("select max(magnitude) from quake", #"Quake:all():max("magnitude")"#),
    ("select place, count(*) from quake group by place", #"Quake:all():groupBy("place", { n = "count" })"#),
    ("select place, count(*) from quake group by 1", #"Quake:all():groupBy("place", { n = "count" })"#),
    ("explain select * from quake where magnitude > 3", #"Quake:where("magnitude > 3"):explain()"#),
    (
      "update quake set place = 'it''s', magnitude = 3 where code = 'us1'",
      #"Quake:where("code = 'us1'"):update({ place = "it's", magnitude = 3 })"#
    ),
    ("delete from quake where magnitude > 9", #"Quake:where("magnitude > 9"):delete()"#),
    (
      "insert into quake (code, magnitude, place) values ('z', 5, null)",
      #"Quake { code = "z", magnitude = 5, place = null }"#
    ),
    ("show tables", ".entities"), ("describe quake", ".describe Quake"), ("commit work", "save()"),
  ]

  @Test(arguments: lines.indices)
  func aStatementIsAnsweredWithALineThatRuns(index: Int) throws {
    let (sql, lua) = Self.lines[index]
    let program = try BuiltProgram.withStore()
    let result = try program.run(["quakes.sqlite", "-e", sql])
    #expect(result.status == 1)
    #expect(result.errors.contains("this is SQL, and lines are Lua here"))
    #expect(result.errors.contains("the same here: \(lua)\n"), "\(result.errors)")
    let right = try program.run(["quakes.sqlite", "-e", lua])
    #expect(right.status == 0, "\(right.errors)")
  }

  @Test(arguments: ["select('#', 1, 2)", "update = 5", "show(Quake)", "describe(Quake)"])
  func luaIsNoSQL(line: String) throws {
    let result = try BuiltProgram.withStore().run(["quakes.sqlite", "-e", line])
    #expect(result.status == 0, "\(result.errors)")
  }
}
