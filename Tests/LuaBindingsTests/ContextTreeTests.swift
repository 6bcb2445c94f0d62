import Testing

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

  @Test func anObjectOfASubentityIsOneInAChildThatMetItAsItsParents() throws {
    let script = try Script()
    try script.run(
      """
      use(open(":memory:", { model = Model {
        Vehicle = Entity { name = String }, Truck = Entity { _ = { parent = "Vehicle" }, load = Int },
      } }))
      Truck:batchInsert { { name = "a" } }
      child = context:newChild()
      met = child.entities.Vehicle:first()
      met.name = "b"
      met.load = 7
      """)
    #expect(try script.value("met.entity, met.load, child.entities.Truck:first() == met") == "entity Truck 7 true")
    try script.run("child:save() save()")
    #expect(try script.value("store:sql('SELECT name, load FROM vehicle')[1].load, Truck:first().name") == "7 b")
  }

  @Test func aRowOfASubentityThatTookTheKeyOfADeletedOneIsAnotherObject() throws {
    let script = try Script()
    try script.run(
      """
      use(open(":memory:", { model = Model {
        Vehicle = Entity { name = String }, Truck = Entity { _ = { parent = "Vehicle" }, load = Int },
      } }))
      child = context:newChild()
      vehicle = Vehicle { name = "a" }
      save()
      childs = child.entities.Vehicle:first()
      key = vehicle.objectID
      store:sql("DELETE FROM vehicle")
      Truck:batchInsert { { name = "b", load = 3 } }
      truck = Truck:first()
      """)
    #expect(try script.value("truck.load, truck == vehicle, vehicle.isDeleted") == "3 false true")
    #expect(try script.value("tostring(truck.objectID):match '%d+' == tostring(key):match '%d+'") == "true")
    #expect(try script.value("child.entities.Truck:first().load, child.entities.Truck:first() == childs") == "3 false")
    #expect(try script.value("childs.isDeleted") == "true")
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
