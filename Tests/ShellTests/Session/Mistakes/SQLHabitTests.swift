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
    ("select * from quake where place like '%japan%'", #"Quake:where("place CONTAINS[c] 'japan'")"#),
    ("select * from quake where place like \"S%\"", #"Quake:where("place BEGINSWITH[c] 'S'")"#),
    ("select * from quake where code in ('us1', 'us2')", #"Quake:where("code IN { 'us1', 'us2' }")"#),
    ("select * from quake where magnitude between 2 and 4", #"Quake:where("magnitude BETWEEN { 2, 4 }")"#),
    (
      "select * from quake order by magnitude desc, code limit 3", #"Quake:all():sorted("-magnitude", "code"):limit(3)"#
    ),
    ("select max(magnitude) from quake", #"Quake:all():max("magnitude")"#),
    ("select place, count(*) from quake group by place", #"Quake:all():groupBy("place", { n = "count" })"#),
    ("select place, count(*) from quake group by 1", #"Quake:all():groupBy("place", { n = "count" })"#),
    (
      "select place, max(magnitude), avg(magnitude), count(*) from quake group by place",
      #"Quake:all():groupBy("place", { max = "max(magnitude)", average = "average(magnitude)", n = "count" })"#
    ),
    (
      "select place, count(*) as many from quake group by place order by 1 desc, many limit 2 offset 1",
      #"Quake:all():groupBy("place", { many = "count" }, { sort = { "-place", "many" }, limit = 2, offset = 1 })"#
    ),
    (
      "select count(place) from quake where magnitude > 3 or code = 'us1'",
      #"Quake:count("(magnitude > 3 OR code = 'us1') AND place != nil")"#
    ),
    (
      "select avg(magnitude) from quake where not (magnitude > 3)",
      #"Quake:where("NOT (magnitude > 3)"):average("magnitude")"#
    ),
    (
      "select * from quake where place not like '%japan%' and code not in ('us2')",
      #"Quake:where("NOT place CONTAINS[c] 'japan' AND NOT code IN { 'us2' }")"#
    ),
    (
      "select code, magnitude from quake order by 2 desc limit 2 offset 1",
      #"show(Quake:all():sorted("-magnitude"):limit(2):offset(1), { columns = { "code", "magnitude" } })"#
    ),
    (
      "select * from quake where place = 'it''s' or magnitude <> -1.5 order by time desc",
      #"Quake:where("place = 'it\\'s' OR magnitude != -1.5"):sorted("-time")"#
    ),
    ("explain query plan select * from quake where magnitude > 3", #"Quake:where("magnitude > 3"):explain()"#),
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

  /// What is not translated whole has another answer than the part that is.
  @Test(arguments: [
    "select count(distinct place) from quake", "select distinct place from quake",
    "select place, count(*) from quake group by place having count(*) > 1",
    "select max(magnitude), min(magnitude) from quake", "select magnitude * 2 from quake",
    "select * from quake where time > '2023-11-14'", "select * from quake where magnitude = 'x'",
    "select * from quake where magnitude > (select avg(magnitude) from quake)",
    "select * from quake q where q.place = 'x'",
    "select * from quake, report", "select * from quake join report on quake = quake._pk",
    "select * from quake where place like 'S_va'", "select * from quake where place like '%ō%'",
    "select * from quake where lower(place) = 'suva'", "select * from quake order by 1",
    "select * from quake order by magnitude desc nulls last", "select * from quake limit 1, 2",
    "select upper(place) from quake", "select place, magnitude, count(*) from quake group by place",
    "update quake set magnitude = magnitude + 1", "update quake set time = '2024-01-01'",
    "insert into quake (code) values ('a'), ('b')", "insert into quake values ('a')",
    "delete from quake where place = 'x' order by code limit 1", "select count(*) from quake union select 1",
    "select * from quake where code in (select 'us1')", "select * from nowhere", "explain select count(*) from quake",
  ])
  func whatIsNotTranslatedWholeLeadsToThePage(sql: String) throws {
    let result = try BuiltProgram.withStore().run(["quakes.sqlite", "-e", sql])
    #expect(result.status == 1)
    #expect(result.errors.contains("requests for it: docs/sql.md"), "\(result.errors)")
    #expect(!result.errors.contains("the same here"))
    #expect(result.errors.contains("as SQL: .sql \(sql)"))
  }

  /// A column that compares in a way of its own.
  @Test func whatHasAnotherAnswerIsNotOffered() throws {
    let program = try BuiltProgram()
    let made = try program.shell([
      "sqlite3", program.path("shop.sqlite"),
      "CREATE TABLE item(id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, n INT); INSERT INTO item VALUES (1, 'a', 1), (2, 'B', 2), (3, 'A', 3)",
    ])
    #expect(made.status == 0, "\(made.errors)")
    let other = try program.run(["shop.sqlite", "-e", "select * from item where name = 'a'"])
    #expect(!other.errors.contains("the same here") || other.errors.contains("[c]"), "\(other.errors)")
    let same = try program.run(["shop.sqlite", "-e", "select * from item where n > 1"])
    #expect(same.errors.contains(#"the same here: Item:where("n > 1")"#), "\(same.errors)")
  }

  @Test(arguments: ["select('#', 1, 2)", "update = 5", "show(Quake)", "describe(Quake)"])
  func luaIsNoSQL(line: String) throws {
    let result = try BuiltProgram.withStore().run(["quakes.sqlite", "-e", line])
    #expect(result.status == 0, "\(result.errors)")
  }
}
