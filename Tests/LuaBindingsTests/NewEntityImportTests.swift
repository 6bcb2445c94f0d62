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
    script.engine.host.onProgress = { [unowned script] progress in
      if progress.label.hasPrefix("import "), !progress.isFinished { script.engine.interrupt() }
    }
    #expect(script.error("import('Line', '\(folder.file("rows.csv"))')")?.contains("interrupted") == true)
    script.engine.host.onProgress = nil
    script.engine.lua.clearInterrupt()
    #expect(
      try script.value("#store.model.entityNames, Line, Quake:count(), Quake:first().code") == before + " nil 1 a")
    #expect(try script.value("store:sql(\"SELECT count(*) AS n FROM sqlite_schema WHERE name = 'line'\")[1].n") == "0")
    #expect(script.engine.notes.isEmpty, "\(script.engine.notes)")
    // What was saved before can still be undone, and is made again.
    if kind == "own" {
      try script.run("store:undoSave()")
      #expect(try script.value("Quake:count()") == "0")
      try script.run("store:redoSave()")
    }
    // What was stopped can be done again, and the store is open for it.
    try script.run("report = import('Line', '\(folder.file("rows.csv"))') Quake { code = 'b' } save()")
    #expect(try script.value("report.inserted, Line:count(), Quake:count()") == "20000 20000 2")
  }

  /// What a kill leaves is what the files hold at that moment.
  @Test(arguments: ["own", "plain"]) func aKilledImportLeavesNoEntity(kind: String) throws {
    let script = try Script()
    try open(kind, script)
    let copy = try TemporaryFolder()
    var copies = 0
    script.engine.host.onProgress = { [folder] progress in
      guard progress.label.hasPrefix("import "), !progress.isFinished else { return }
      for suffix in ["", "-wal", "-journal"] {
        let path = folder.file("\(kind).sqlite") + suffix
        guard let data = FileManager.default.contents(atPath: path) else { continue }
        try? data.write(to: URL(fileURLWithPath: copy.file("\(kind).sqlite") + suffix))
      }
      copies += 1
    }
    try script.run("import('Line', '\(folder.file("rows.csv"))')")
    script.engine.host.onProgress = nil
    #expect(copies > 0)
    let other = try Script()
    try other.run("use(open('\(copy.file("\(kind).sqlite"))'))")
    #expect(try other.value("#store.model.entityNames, Line, Quake:count()") == "1 nil 1")
    #expect(try other.value("store:sql(\"SELECT count(*) AS n FROM sqlite_schema WHERE name = 'line'\")[1].n") == "0")
  }

  @Test func anImportIsOneSaveAfterThoseBeforeIt() throws {
    let script = try Script()
    try open("own", script)
    // What is saved in a store that a script makes is no step of what opens it later.
    try script.run("local path = store.path store:close() use(open(path))")
    try script.run("store.historyEnabled = true Quake { code = 'b' } save()")
    try script.run("import('Line', '\(folder.file("rows.csv"))', { upsert = 'code' })")
    #expect(try script.value("Line:count(), #store:history(), #store:verify()") == "20000 2 0")
    #expect(script.error("Line { code = 7 } save()")?.contains("7") == true)
    try script.run("rollback() store:undoSave()")
    #expect(try script.value("Line:count(), Quake:count()") == "0 2")
    try script.run("store:undoSave()")
    #expect(try script.value("Quake:count()") == "1")
    try script.run("store:redoSave() store:redoSave()")
    #expect(try script.value("Line:count(), Quake:count(), Line:find(20000).name") == "20000 2 name 20000")
  }
}
