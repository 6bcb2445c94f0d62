import Testing

@Suite struct UndoSaveTests {
  let script: Script

  init() throws {
    script = try .sample()
    try script.run(
      """
      q = Quake { code = "a", magnitude = 5 }
      q.reports:add(Report { text = "felt it" })
      save()
      """)
  }

  @Test func aSaveIsUndoneAndRedoneForEveryContext() throws {
    try script.run("other = store:newContext() theirs = other.entities.Quake:find 'a'")
    try script.run("q.magnitude = 6 save() result = store:undoSave()")
    #expect(
      try script.value("return result.inserted, result.updated, result.deleted, result.time ~= nil") == "0 1 0 true")
    #expect(try script.value("return q.magnitude, theirs.magnitude") == "5.0 5.0")
    try script.run("store:redoSave()")
    #expect(try script.value("return q.magnitude, theirs.magnitude") == "6.0 6.0")
  }

  @Test func anObjectWhoseRowIsGoneSaysSo() throws {
    try script.run("store:undoSave()")
    #expect(try script.value("return Quake:count(), Report:count()") == "0 0")
    #expect(script.error("return q.magnitude")?.contains("no Quake 1 in the store") == true)
    try script.run("store:redoSave()")
    #expect(try script.value("return Quake:find('a').reports[1].text") == "felt it")
  }

  @Test func aCascadeComesBack() throws {
    try script.run("q:delete() save() store:undoSave()")
    #expect(try script.value("return #Quake:find('a').reports") == "1")
  }

  @Test func unsavedChangesOfTheSameRowsAreInTheWay() throws {
    try script.run("q.magnitude = 7")
    let message = "the save wrote 1 object of Quake with unsaved changes; save or roll back first"
    #expect(script.error("store:undoSave()")?.contains(message) == true)
    try script.run("rollback() store:undoSave()")
  }

  @Test func batchRequestsAndSQLAreSavesToo() throws {
    try script.run("Quake:all():update { magnitude = 1 }")
    try script.run("store:sql \"INSERT INTO quake(code) VALUES ('b'), ('c')\"")
    try script.run("Quake:all():delete()")
    #expect(try script.value("store:undoSave() return Quake:count()") == "3")
    #expect(try script.value("store:undoSave() return Quake:count()") == "1")
    #expect(try script.value("store:undoSave() return Quake:first().magnitude") == "5.0")
  }

  @Test func whatCannotBeUndoneIsSaid() throws {
    try script.run("store:undoSave()")
    #expect(script.error("store:undoSave()")?.contains("there is nothing to undo") == true)
    try script.run("store:redoSave()")
    #expect(script.error("store:redoSave()")?.contains("there is nothing to redo") == true)
  }
}
