import Foundation
import LuaBindings
import TestSupport
import Testing

/// An import that makes its entity makes all of it or nothing.
@Suite struct NewEntityImportTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let rows = (1...20_000).map { "\($0),name \($0)" }.joined(separator: "\n")
    try ("code,name\n" + rows).write(toFile: folder.file("rows.csv"), atomically: true, encoding: .utf8)
  }

  /// Opens a store of a kind with one object, or one row, and makes it the main one.
  private func open(_ kind: String, _ script: Script) throws {
    if kind == "plain" {
      let path = folder.file("plain.sqlite")
      try script.run(
        """
        local made = io.popen("sqlite3 '\(path)'", "w")
        made:write "CREATE TABLE quake (code TEXT); INSERT INTO quake VALUES ('a');"
        made:close()
        use(open('\(path)'))
        """)
      return
    }
    let path = kind == "memory" ? ":memory:" : folder.file("own.sqlite")
    try script.run(
      """
      use(open('\(path)', { create = true, model = Model { Quake = Entity { code = String } } }))
      Quake { code = 'a' } save()
      """)
  }

  @Test(arguments: ["own", "plain", "memory"])
  func aStoppedImportLeavesNoEntity(kind: String) throws {
    let script = try Script()
    try open(kind, script)
    let before = try script.value("#store.model.entityNames")
    script.engine.onProgress = { [unowned script] progress in
      if progress.label.hasPrefix("import "), !progress.isFinished { script.engine.interrupt() }
    }
    #expect(script.error("import('Line', '\(folder.file("rows.csv"))')")?.contains("interrupted") == true)
    script.engine.onProgress = nil
    script.engine.lua.clearInterrupt()
    #expect(
      try script.value("#store.model.entityNames, Line, Quake:count(), Quake:first().code") == before + " nil 1 a")
    #expect(try script.value("store:sql(\"SELECT count(*) AS n FROM sqlite_schema WHERE name = 'line'\")[1].n") == "0")
    #expect(script.engine.notes.isEmpty, "\(script.engine.notes)")
    // What was stopped can be done again, and the store is open for it.
    try script.run("report = import('Line', '\(folder.file("rows.csv"))') Quake { code = 'b' } save()")
    #expect(try script.value("report.inserted, Line:count(), Quake:count()") == "20000 20000 2")
  }
}
