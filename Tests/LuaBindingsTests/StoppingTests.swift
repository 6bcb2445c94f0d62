import Foundation
import LuaRuntime
import Modeling
import Testing

@testable import LuaBindings

/// The time limit stops everything that may take long, and the store can be used afterwards.
///
/// To add one, write what goes on for ever, or longer than a test may take.
@Suite struct StoppingTests {
  struct Work: CustomTestStringConvertible, Sendable {
    var name: String
    var setup = ""
    var body: String
    var testDescription: String { name }

    init(_ name: String, _ body: String, after setup: String = "") {
      (self.name, self.setup, self.body) = (name, setup, body)
    }
  }

  private static let endlessPattern = "\"(a*)*(.*)*(x+x+)+y.*z\""
  private static let fetched = "local all = Quake:all():fetch():slice(1, 2000)"
  private static let unsaved = "for i = 1, 2000 do Quake { code = 'n' .. i, place = 'ein Küstenort ' .. i } end"
  private static let trap = "('a'):rep(60) .. ('x'):rep(60) .. '!'"

  static let reading: [Work] = [
    Work("a fetch", "Quake:all():sorted('place'):fetch()"),
    Work("reading objects", "for q in Quake:all():each() do local p = q.place end"),
    Work("a count", "Quake:count('ANY reports.text CONTAINS %@', 'z')"),
    Work(
      "an endless pattern in the store", "Quake:count('place MATCHES \(endlessPattern)')",
      after: "Quake:all():limit(1):update { place = \(trap) }"),
    Work(
      "an endless pattern in memory", "Quake:count('place MATCHES \(endlessPattern)')",
      after: "Quake { place = \(trap) }"),
    Work("groups", "Quake:all():groupBy('place', { n = 'count', m = 'median(magnitude)' })"),
    Work("unsaved objects", "Quake:count('place CONTAINS[cd] %@', 'xyz')", after: unsaved),
    Work("unsaved objects in order", "Quake:all():sorted('place'):fetch()", after: unsaved),
    Work("a list of values", "Quake:count('felt IN %@', list)", after: "list = {} for i = 1, 20000 do list[i] = i end"),
    Work("SQL", "store:sql 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n'"),
    Work("rows of SQL", "store:sql 'SELECT * FROM quake, quake AS other'"),
    Work("statements of SQL", "store:sql(text)", after: "text = ('SELECT 1; -- nothing\\n'):rep(2000)"),
    Work("an explanation", "Quake:where('place CONTAINS[cd] %@', 'x'):explain()"),
    Work("counts of clauses", "Quake:where('place CONTAINS[cd] %@ AND felt > 4', 'x'):counts()"),
    Work("a trial of an index", "Quake:where('felt == %@', 1):tryIndex()"),
    Work("parity", "Quake:where('place CONTAINS[cd] %@', 'x'):parity()"),
    Work("a difference of requests", "Quake:where('magnitude > 5'):diff(Quake:where('magnitude > 7'))"),
    Work("live results", "Quake:all():sorted('place'):live()"),
    Work("the checks of a store", "store:verify()"),
    Work(
      "a history", "for _, t in ipairs(store:history()) do local n = #t.changes end",
      after: "store.historyEnabled = true store:sql 'UPDATE quake SET felt = 1'"),
  ]

  static let textual: [Work] = ["CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES"].flatMap { name in
    ["", "[cd]"].flatMap { options -> [Work] in
      let predicate = "'place \(name)\(options) %@', pattern"
      let setup = "pattern = \(name == "MATCHES" ? "'(.*)*(.*)*é'" : "('*ä'):rep(300) .. 'é'") "
      return [
        Work(
          "\(name)\(options) in the store", "Quake:count(\(predicate))",
          after: setup + "Quake:all():limit(1):update { place = ('äa'):rep(30000) }"),
        Work(
          "\(name)\(options) in memory", "Quake:count(\(predicate))",
          after: setup + "Quake { place = ('äa'):rep(30000) }"),
      ]
    }
  }

  static let writing: [Work] = [
    Work("new objects", "for i = 1, 1000 do Quake {} end context:rollback()"),
    Work("a save", "for i = 1, 1000 do Quake {} end context:save()"),
    Work("a save on trial", "context:save { dryRun = true }", after: unsaved),
    Work("a save that is refused", "pcall(context.save, context)", after: unsaved + " " + unsaved),
    Work(
      "a child's save",
      "local c = context:newChild() for i = 1, 500 do c.entities.Quake {} end c:save() context:rollback()"),
    Work(
      "a rollback", "for _, q in ipairs(all) do q.felt = 7 end context:rollback()",
      after: fetched.replacing("local ", with: "")),
    Work(
      "undoing", "for _, q in ipairs(all) do q.felt = 7 end context:undo()",
      after: fetched.replacing("local ", with: "")),
    Work("a batch insert", "Quake:batchInsert(rows)", after: "rows = {} for i = 1, 2000 do rows[i] = { felt = i } end"),
    Work("a batch update", "Quake:batchUpdate('magnitude > -1', { felt = 5 })"),
    Work("a batch delete", "Quake:batchDelete('felt > 1e9')"),
    Work(
      "an undone save", "store:undoSave() store:redoSave()", after: "Quake:batchUpdate('magnitude > -1', { felt = 5 })"),
    Work(
      "followed writes", "store:sql 'UPDATE quake SET magnitude = 9 - magnitude'",
      after: "live = Quake:all():sorted('magnitude'):live()"),
    Work("unsaved changes as data", "local d = context:diff()", after: unsaved),
    Work(
      "a refresh", "context:refreshAllObjects() for _, q in ipairs(all) do local p = q.place end",
      after: fetched.replacing("local ", with: "")),
  ]

  static let others: [Work] = [
    Work(
      "a model of many entities", "Model(parts)",
      after:
        "parts = { E1 = Entity { a = String } } for i = 2, 3000 do parts['E' .. i] = Entity { ['p' .. i] = Int, _ = { parent = 'E' .. i // 2 } } end"
    ),
    Work("reading a predicate", "Predicate(text)", after: "text = 'felt == 1' .. (' AND felt != 2'):rep(2000)"),
    Work(
      "compiling a predicate", "Quake:where(text):fetch()", after: "text = 'felt == 1' .. (' AND felt != 2'):rep(2000)"),
    Work(
      "printing a predicate", "local t = tostring(p)",
      after: "p = Predicate('felt == 1' .. (' AND felt != 2'):rep(2000))"),
    Work("printing Swift", "local t = r:swift()", after: "r = Quake:where('felt == 1' .. (' AND felt != 2'):rep(200))"),
    Work("a pattern of Lua", "string.find(text, '.-.-.-.-.-.-b')", after: "text = ('a'):rep(3000)"),
    Work("replacing", "local t = text:gsub('a', 'b')", after: "text = ('a'):rep(1e6)"),
    Work("long texts", "local t = ('ab'):rep(1e6):upper():reverse()"),
    Work(
      "sorting in Lua", "table.sort(t, function(a, b) return a < b end)",
      after: "t = {} for i = 1, 20000 do t[i] = i * 7919 % 20000 end"),
    Work("joining in Lua", "local s = table.concat(t)", after: "t = {} for i = 1, 1e5 do t[i] = 'abcdefgh' end"),
  ]

  private func check(_ work: Work) throws {
    let script = try Script.sample()
    let lua = script.engine.lua
    try script.run(
      """
      store:sql [[WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
        INSERT INTO quake (code, magnitude, place) SELECT 'c' || i, i % 10, 'Küste ' || i FROM n]]
      """)
    if !work.setup.isEmpty { try script.run(work.setup) }
    try lua.setTimeLimit(seconds: 0.05)
    let error = #expect(throws: LuaError.self) { try script.run("while true do \(work.body) end") }
    #expect(error?.kind == .timedOut, "\(work.name): \(String(describing: error))")
    try lua.setTimeLimit(seconds: nil)
    lua.clearInterrupt()
    #expect(try script.value("local q = Quake:find 'c1' context:rollback() return q.code, #store:verify()") == "c1 0")
    #expect(try script.value("Quake { code = 'new' } context:save() return Quake:find 'new'.code") == "new")
  }

  @Test(arguments: reading) func readingIsStopped(_ work: Work) throws { try check(work) }
  @Test(arguments: textual) func comparingTextIsStopped(_ work: Work) throws { try check(work) }
  @Test(arguments: writing) func writingIsStopped(_ work: Work) throws { try check(work) }
  @Test(arguments: others) func whatNeedsNoStoreIsStopped(_ work: Work) throws { try check(work) }
}
