import Foundation
import LuaBindings
import TestSupport
import Testing

@Suite struct MigrationFunctionsTests {
  private let path = TemporaryFolder.ofThisRun.appendingPathComponent("\(UUID().uuidString).sqlite").path

  /// A script with the path of a store that goes with the test.
  private func script(_ chunk: String) throws -> Script {
    let script = try Script()
    try script.run("path = \"\(path)\"\n" + chunk)
    return script
  }

  private func cleanUp() {
    for suffix in ["", "-wal", "-shm", ".migration-backup"] {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
  }

  private static let versions = """
    v1 = Model { Person = Entity { name = String }, _ = { version = 1 } }
    v2 = Model { Person = Entity { first = String, last = String { optional = false } }, _ = { version = "1.10" } }
    v3 = Model { Person = Entity { first = String, last = String { optional = false }, age = Int { default = 1 } },
      _ = { version = 2 } }
    stages = {
      { from = v1, to = v2, migrate = function(old, new)
        for p in old.entities.Person:all():each() do
          local q = new:counterpart(p)
          q.first, q.last = p.name:match("(%S+) (%S+)")
        end
      end },
      { from = v2, to = v3 },
    }
    local s = open(path, { create = true, model = v1 })
    s.entities.Person { name = "Ada Lovelace" } s.context:save() s:close()
    """

  @Test func storesAreMigratedStageByStage() throws {
    defer { cleanUp() }
    let script = try script(Self.versions)
    #expect(try script.value("v1.version, v2.version, v3.version") == "1 1.10 2")
    try script.run("local s = open(path, { model = v3, stages = stages }) p = s.entities.Person:first()")
    #expect(try script.value("p.first, p.last, p.age") == "Ada Lovelace 1")
    #expect(try script.value("p.context.store.migration.steps[1]") == "+ Person.first")
    try script.run("p.context.store:close()")
    #expect(
      script.error("open(path, { model = v1 })")
        == "'\(path)' has version 2 of its model, and the model given is version 1, which lacks Person.age, Person.first"
        + " and Person.last")
    #expect(
      script.error("open(path, { stages = { { from = v1, to = v2 } } })")
        == """
        '\(path)' has version 2 of its model, which is none of the stages' (version 1 and version 1.10); from version 1.10 \
        it differs by:
          + Person.age = 1
        """)
  }

  @Test func aMigrationIsTriedOutFirst() throws {
    defer { cleanUp() }
    let script = try script(Self.versions + "store = open(path)")
    try script.run("plan = store:migrationPlan(v2)")
    #expect(
      try script.value("#plan.steps, plan.obstacles[1], plan.losses[1]")
        == "4 Person.last: 1 object has no value, and it is required Person.name: 1 value would be lost")
    #expect(try script.value("tostring(plan):match('refused:')") == "refused:")
    #expect(try script.value("#store:migrationPlan(v3, { stages = stages }).obstacles") == "0")
    #expect(try script.value("store.entities.Person:first().name, store.migration") == "Ada Lovelace nil")
    #expect(
      script.error("store:counterpart(store.entities.Person:first())")
        == "store:counterpart: the store is not being migrated: it is the second argument of a function that migrates")
    #expect(script.error("store:migrationPlan(5)") == "store:migrationPlan: expected a Model, got number")
  }

  @Test func aModelThatLacksPropertiesLosesThemOnlyWhereThatIsSaid() throws {
    defer { cleanUp() }
    let script = try script(
      """
      local s = open(path, { create = true, model = Model { Person = Entity { name = String, age = Int }, Tag = Entity {} } })
      s.entities.Person { name = "Ada", age = 36 } s.entities.Person { name = "Bob" } s.entities.Tag {}
      s.context:save() s:close()
      less = Model { Person = Entity { name = String } }
      """)
    #expect(
      script.error("open(path, { model = less })") == """
        the model given has no place for all that '\(path)' holds:
          Person.age: 1 value would be lost
          1 Tag would be deleted
        nothing was changed; `migrate = true` (--migrate) loses that and keeps a copy of the file, a function `migrate` moves \
        it, and a renamingIdentifier keeps what has another name
        """)
    #expect(!FileManager.default.fileExists(atPath: path + ".migration-backup"))
    #expect(try script.value("open(path).entities.Person:first(\"age == 36\").name") == "Ada")
    try script.run("s = open(path, { model = less, migrate = true })")
    #expect(
      try script.value("s.entities.Person:count(), s.migration.losses[1]") == "2 Person.age: 1 value would be lost")
    #expect(try script.value("#s.notes, s.notes[1]:match('is only in')") == "1 is only in")
    #expect(try script.value("open(path .. '.migration-backup').entities.Person:first('age == 36').name") == "Ada")
    try script.run("s:close() s = open(path)")
    #expect(try script.value("s.notes[1]:match('before a migration that lost')") == "before a migration that lost")
  }

  @Test func aFunctionIsCalledWhereverAStoreIsMigrated() throws {
    defer { cleanUp() }
    let script = try script(
      """
      local s = open(path, { create = true, model = Model { Person = Entity { name = String } } })
      s.entities.Person { name = "Ada" } s.context:save() s:close()
      more = Model { Person = Entity { name = String, size = Int } }
      calls = 0
      function f(old, new)
        calls = calls + 1
        for person in new.entities.Person:all():each() do person.size = #person.name end
      end
      s = open(path, { model = more, migrate = f })
      """)
    #expect(try script.value("calls, s.entities.Person:first().size") == "1 3")
    try script.run("s:close() s = open(path, { model = more, migrate = f })")
    #expect(try script.value("calls") == "1")
  }

  @Test func optionsAreChecked() throws {
    let script = try script("m = Model { A = Entity { x = Int } }")
    #expect(
      script.error("open(path, { stages = 5 })")
        == "open: stages: expected a list of { from = , to = , migrate = }, got number")
    #expect(script.error("open(path, { stages = { { from = m } } })") == "open: stages: to is missing")
    #expect(
      script.error("open(path, { stages = { { from = m, to = m, migrat = 1 } } })")
        == "open: there is no option 'migrat'; did you mean 'migrate'?")
    #expect(
      script.error("Model { A = Entity { x = Int }, _ = { version = true } }")
        == "Model: version: expected a number or a text, got boolean")
  }

  @Test func aDryRunLeavesTheFileAlone() throws {
    defer { cleanUp() }
    try script(Self.versions).run("")
    var options = Engine.Options()
    options.isDryRun = true
    let script = try Script(options)
    var told: [String] = []
    script.engine.host.didRehearseMigration = { store, report in told = [store.path, report.description] }
    try script.run(
      "s = open('\(path)', { model = Model { Person = Entity { full = String { renamingIdentifier = 'name' } } , _ = { version = 2 } } })"
    )
    #expect(try script.value("s.entities.Person:first().full") == "Ada Lovelace")
    #expect(told == [path, "~ Person.name is now full"])
    try script.run("s.entities.Person { full = 'x' } s.context:save() s:close()")
    #expect(try Script().value("local s = open('\(path)') return s.entities.Person:count(), s.model.version") == "1 1")
  }

  @Test func aDryRunTellsWhetherTheMigrationItselfIsRefused() throws {
    defer { cleanUp() }
    try script(Self.versions).run("")
    var options = Engine.Options()
    options.isDryRun = true
    let script = try Script(options)
    var refused: [Bool] = []
    script.engine.host.didRehearseMigration = { refused.append($1.losesUnasked) }
    for migrate in ["nil", "true", "function() end"] {
      try script.run(
        """
        s = open('\(path)', { model = Model { Person = Entity { age = Int }, _ = { version = 2 } }, migrate = \(migrate) })
        s:close()
        """)
    }
    #expect(refused == [true, false, false])
    #expect(try Script().value("open('\(path)').entities.Person:first().name") == "Ada Lovelace")
  }

  @Test func aMigrationTellsHowManyRowsItHasWritten() throws {
    defer { cleanUp() }
    let script = try script(
      """
      local s = open(path, { create = true, model = Model { Person = Entity { name = String, age = Int } } })
      local n = 0
      s.entities.Person:batchInsert(function() n = n + 1 if n <= 20000 then return { name = "x" .. n, age = n } end end)
      s:close()
      """)
    var told: [TransferProgress] = []
    script.engine.host.onProgress = { told.append($0) }
    try script.run(
      """
      local m = Model { Person = Entity { name = String, age = String, size = Int { default = 1 },
        upper = Derived { type = String, "uppercase(name)" } } }
      local s = open(path, { model = m })
      result = s.entities.Person:count("age == '7'") + s.entities.Person:count("upper == 'X9'")
      s:close()
      """)
    #expect(try script.value("result") == "2")
    let rows = told.filter { !$0.isFinished }
    #expect(rows.count >= 4)
    #expect(zip(rows, rows.dropFirst()).allSatisfy { $0.rows <= $1.rows })
    #expect(Set(rows.map(\.totalRows)) == [20_000])
    #expect(rows.allSatisfy { $0.label.hasPrefix("migrate ") })
    #expect((rows.last?.rows ?? 0) >= 16_000)
    #expect(told.last?.isFinished == true)
  }
}
