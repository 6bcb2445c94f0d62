import LuaBindings
import Testing

@Suite struct ChangeTests {
  @Test func everyListIsATableAndTellsPlacesFromOne() throws {
    let script = try Script.quakes()
    try script.run(
      """
      local r, change = Quake:all():sorted('code'):live()
      r:onChange(function(c) change = c end)
      Quake:find('b'):delete()
      Quake:find('c').felt = 1
      Quake:find('d').code = "z"
      Quake { code = "aa" }
      context:save { author = "import" }
      """)
    #expect(
      try script.value("change.kind, tostring(change), change.isReload")
        == "save 1 inserted, 1 deleted, 1 updated, 1 moved false")
    #expect(
      try script.value("change.transaction.author, change.transaction.animation, change.animation") == "import nil nil")
    #expect(
      try script.value("type(change.insertedSections), #change.insertedSections, #change.deletedSections")
        == "table 0 0")
    #expect(
      try script.value("change.inserted[1].index, change.inserted[1].oldIndex, change.inserted[1].object.code")
        == "2 nil aa")
    #expect(
      try script.value("change.deleted[1].index, change.deleted[1].oldIndex, change.deleted[1].object.isDeleted")
        == "nil 2 true")
    #expect(
      try script.value("change.updated[1].index, change.updated[1].oldIndex, change.updated[1].object.felt") == "3 3 1")
    #expect(try script.value("change.moved[1].index, change.moved[1].oldIndex, change.moved[1].section") == "5 4 nil")
    #expect(
      try script.value("change.moved[1].objectID == r[5].objectID, change.inserted == change.inserted") == "true true")
    #expect(script.error("return change.insertd") == "change has no 'insertd'; did you mean 'inserted'?")
  }

  @Test func whatIsGoneIsTheObjectThatTheScriptKnew() throws {
    let script = try Script.quakes()
    try script.run(
      """
      local r, gone = Quake:all():sorted('code'):live(), {}
      r:onChange(function(c) for _, e in ipairs(c.deleted) do gone[#gone + 1] = e.object end end)
      local b, new = Quake:find 'b', Quake { code = "f" }
      context:processPendingChanges()
      b:delete()
      save()
      """)
    #expect(try script.value("#gone, gone[1] == b, gone[1].isDeleted") == "1 true true")
    try script.turn("local temporary = Quake { code = 'g' } context:processPendingChanges() rollback()")
    #expect(try script.value("#gone, gone[2] == temporary, gone[2].isDeleted") == "2 true true")
    try script.run("store:sql \"DELETE FROM quake WHERE code = 'c'\"")
    #expect(try script.value("#gone, gone[3].isDeleted, codes(r)") == "3 true adef")
    #expect(script.error("return gone[3].code") != nil)
  }
}
