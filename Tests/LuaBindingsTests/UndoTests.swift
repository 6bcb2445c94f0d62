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

@Suite struct ContextTreeTests {
  @Test func aChildSavesIntoItsParent() throws {
    let script = try Script.sample()
    try script.run("q = Quake { code = 'us1', magnitude = 5 } save() child = context:newChild()")
    #expect(try script.value("child.parent == context, context.parent") == "true nil")
    try script.run(
      "mine = child.entities.Quake:find 'us1' mine.magnitude = 6 mine.reports:add(child.entities.Report { text = 'x' })"
    )
    #expect(try script.value("q.magnitude, mine.magnitude, mine == q, child.hasChanges") == "5.0 6.0 false true")
    try script.run("child:save()")
    #expect(
      try script.value("q.magnitude, #q.reports, context.hasChanges, mine.reports[1].objectID")
        == "6.0 1 true Report/t2")
    try script.run("save()")
    #expect(try script.value("mine.reports[1].objectID, Report:count()") == "Report/1 1")
    #expect(try script.value("store:sql('SELECT magnitude FROM quake')[1].magnitude") == "6.0")
  }

  @Test func optionsOfANewContextAreItsProperties() throws {
    let script = try Script.sample()
    #expect(try script.value("store:newContext({ levelsOfUndo = 3 }).levelsOfUndo") == "3")
    #expect(try script.value("context:newChild({ levelsOfUndo = 3 }).levelsOfUndo") == "3")
    let message = try #require(script.error("store:newContext { levelsOfUnod = 3 }"))
    #expect(message.contains("levelsOfUndo"))
  }

  @Test func contextsHaveObjectsOfTheirOwn() throws {
    let script = try Script.sample()
    try script.run("q = Quake { code = 'us1', magnitude = 5 } save() other = store:newContext()")
    try script.run("theirs = other.entities.Quake:find 'us1' theirs.magnitude = 9")
    #expect(try script.value("q == theirs, q.magnitude, context.hasChanges") == "false 5.0 false")
    #expect(
      script.error("Report { text = 'x', quake = theirs }") == "Report.quake: the object belongs to another context")
  }

  @Test func aContextKnowsWhatIsReferredToOrChanged() throws {
    let script = try Script.sample()
    try script.run("for i = 1, 5 do Quake { code = 'us' .. i } end save() collectgarbage() collectgarbage()")
    try script.run("kept = Quake:find 'us1'")
    #expect(try script.value("#context.registeredObjects, context.registeredObjects[1] == kept") == "1 true")
  }
}

@Suite struct ChildConflictTests {
  @Test func whatOthersWroteSinceAChildReadItIsAConflictOfItsParent() throws {
    let script = try Script.sample()
    try script.run(
      """
      Quake { code = 'a', magnitude = 1 } Quake { code = 'b', magnitude = 1 } save()
      child = context:newChild()
      child.entities.Quake:find('a').magnitude = 5
      local b = child.entities.Quake:find('b')
      print(b.magnitude)
      b:delete()
      store:sql "UPDATE quake SET magnitude = 9"
      child:save()
      """)
    let message = try #require(script.error("save()"))
    #expect(message.contains("magnitude was 1.0 and is 9.0 there, here 5.0"))
    #expect(try script.value("store:sql('SELECT sum(magnitude) AS n FROM quake')[1].n") == "18.0")
    try script.run("context.mergePolicy = 'objectTrump' save()")
    #expect(try script.value("Quake:count(), Quake:find('a').magnitude") == "1 5.0")
  }

  @Test func whatItsParentSavedIsNoConflictOfAChild() throws {
    let script = try Script.sample()
    try script.run(
      """
      local q = Quake { code = 'a', magnitude = 1 } save()
      child = context:newChild()
      child.entities.Quake:find('a').magnitude = 5
      q.magnitude = 2 save()
      child:save() save()
      """)
    #expect(try script.value("store:sql('SELECT magnitude FROM quake')[1].magnitude") == "5.0")
  }
}
