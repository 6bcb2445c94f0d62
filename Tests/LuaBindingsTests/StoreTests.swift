import Foundation
import LuaBindings
import LuaRuntime
import Stores
import TestSupport
import Testing

@Suite struct StoreTests {
  private func temporary(_ name: String) -> String {
    TemporaryFolder.ofThisRun.appendingPathComponent("\(UUID().uuidString)-\(name)").path
  }

  @Test func aStoreOutlivesTheEngine() throws {
    let path = temporary("quakes.sqlite")
    defer { try? FileManager.default.removeItem(atPath: path) }
    do {
      let script = try Script()
      try script.run(
        """
        local store = open("\(path)", { create = true, durable = true, model = Model { Quake = Entity { code = String } } })
        store.entities.Quake { code = "us1" }
        store.context:save { author = "test" }
        """)
      #expect(try script.value("store.kind, store.path == '\(path)', store.isReadOnly") == "perilune true false")
    }
    let script = try Script()
    var options = StoreOptions(path: path)
    options.readOnly = true
    try script.engine.open(options)
    #expect(try script.value("Quake:count(), store.model, context.store == store") == "1 model of 1 entity: Quake true")
    #expect(script.error("Quake { code = 'x' }") == "'\(path)' was opened read-only")
    #expect(script.error("store:sql 'DELETE FROM quake'") == "'\(path)' was opened read-only")
  }

  @Test func anySQLiteFileIsAStore() throws {
    let path = temporary("flights.db")
    defer { try? FileManager.default.removeItem(atPath: path) }
    let script = try Script()
    try script.run(
      """
      local raw = open("\(path)", { create = true, model = Model { Dummy = Entity { x = Int } } })
      """)
    #expect(try script.value("raw:sql('SELECT ? + 1 AS n', 41)[1].n") == "42")
  }

  @Test func sqlGivesRowsAndIsSeenByObjects() throws {
    let script = try Script.sample()
    try script.run("local q = Quake { code = 'us1', magnitude = 5 } save() local _ = q.magnitude")
    #expect(try script.value("store:sql('SELECT count(*) AS n FROM quake WHERE magnitude > ?', 4)[1].n") == "1")
    try script.run("store:sql('UPDATE quake SET magnitude = 9')")
    #expect(try script.value("q.magnitude") == "9.0")
    #expect(script.error("store:sql 'SELEC 1'")?.contains("syntax error") == true)
  }

  @Test func anEntityNamedLikeAGlobalIsReachedByTheStoreOnly() throws {
    let script = try Script()
    try script.run(
      "use(open(':memory:', { model = Model { table = Entity { x = Int }, Date = Entity { y = Int }, Fine = Entity {} } }))"
    )
    #expect(try script.value("type(table.concat), Fine, store.entities.Date") == "function entity Fine entity Date")
    #expect(
      script.engine.notes == [
        "the entity Date has the name of something else; it is store.entities.Date",
        "the entity table has the name of something else; it is store.entities.table",
      ])
  }

  @Test func contextsAreApart() throws {
    let script = try Script.sample()
    try script.run("local q = Quake { code = 'us1', magnitude = 1 } save() local other = store:newContext()")
    try script.run("local p = other.entities.Quake:find 'us1'")
    #expect(
      try script.value("p == q, p.code, p.context == other, q.context == context, p.entity.name")
        == "false us1 true true Quake")
    try script.run("p.magnitude = 2")
    #expect(try script.value("q.magnitude, other.hasChanges, context.hasChanges") == "1.0 true false")
    #expect(script.error("Report { quake = p }") == "Report.quake: the object belongs to another context")
    try script.run("function Quake:double() return self.magnitude * 2 end")
    #expect(try script.value("p:double(), q:double()") == "4.0 2.0")
  }

  @Test func stoppingAQueryStopsTheScript() throws {
    let script = try Script.sample()
    try script.engine.lua.setTimeLimit(seconds: 0.2)
    #expect(
      script.error("store:sql 'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c'")
        == "the time limit was reached")
  }
}
