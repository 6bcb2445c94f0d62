import Testing

@Suite struct ContextUndoTests {
  @Test func eachLineIsAGroup() throws {
    let script = try Script.sample()
    try script.run("q = Quake { code = 'us1', magnitude = 5 } save()")
    try script.run("q.magnitude = 6 q.place = 'Chile'")
    try script.run("q.magnitude = 7")
    #expect(try script.value("undo(), q.magnitude") == "true 6.0")
    #expect(try script.value("undo(), q.magnitude, q.place, context.hasChanges") == "true 5.0 nil false")
    #expect(try script.value("redo(), q.magnitude, context.canRedo") == "true 6.0 true")
    #expect(try script.value("undo(), undo(), undo()") == "true true false")
    #expect(try script.value("q.isDeleted, Quake:count()") == "true 0")
  }

  @Test func anUndoGroupIsAGroupWithinALine() throws {
    let script = try Script.sample()
    try script.run("q = Quake { code = 'us1' } save()")
    try script.run(
      """
      q.magnitude = 1
      answer = context:undoGroup(function() q.magnitude = 2 q.place = 'x' return 'done' end)
      q.felt = 3
      """)
    #expect(try script.value("answer") == "done")
    #expect(try script.value("undo(), q.felt, q.place") == "true nil x")
    #expect(try script.value("undo(), q.magnitude, q.place") == "true 1.0 nil")
    #expect(script.error("context:endUndoGrouping()") == "context:endUndoGrouping: no group of changes is open")
  }

  @Test func deletingIsTakenBackWithWhatItTookAlong() throws {
    let script = try Script.sample()
    try script.run("q = Quake { code = 'us1', reports = { Report { text = 'a' }, Report { text = 'b' } } } save()")
    try script.run("q:delete() save()")
    #expect(try script.value("Quake:count(), Report:count()") == "0 0")
    #expect(try script.value("undo(), #q.reports, q.reports[1].text") == "true 2 a")
    try script.run("save()")
    #expect(try script.value("Quake:find 'us1' == q, Report:count()") == "true 2")
  }

  @Test func undoCanBeSwitchedOff() throws {
    let script = try Script.sample()
    #expect(try script.value("context.levelsOfUndo") == "100")
    try script.run("context.levelsOfUndo = 0 q = Quake { code = 'us1' }")
    #expect(try script.value("undo(), context.canUndo, Quake:count()") == "false false 1")
    #expect(
      script.error("context.levelsOfUndo = -1")
        == "context.levelsOfUndo: expected a number from 0, got -1")
  }
}
