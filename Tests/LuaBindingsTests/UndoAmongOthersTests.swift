import Foundation
import TestSupport
import Testing

/// Undo where the store, a merge policy or another context did something with the same objects meanwhile.
@Suite struct UndoAmongOthersTests {
  @Test func undoingAnUpsertTakesTheNewObjectsOutOfTheOwnerThatStayed() throws {
    let script = try Script.sample()
    try script.run("q = Quake { code = 'us1' } save() context.mergePolicy = 'objectTrump'")
    try script.run("r = Report { text = 'x', quake = Quake { code = 'us1', magnitude = 7 } } save()")
    #expect(try script.value("#q.reports, r.quake == q") == "1 true")
    #expect(try script.value("undo(), #q.reports, q.reports[1]") == "true 0 nil")
    #expect(try script.value("redo(), #q.reports, r.quake == q") == "true 1 true")
    try script.run("save()")
    #expect(try script.value("store:sql('SELECT count(*) n FROM report WHERE quake_pk = 1')[1].n") == "1")
  }

  @Test func anObjectThatAnUndoneSaveBroughtBackIsNotMadeAgainByUndo() throws {
    let script = try Script.sample()
    try script.run("q = Quake { code = 'us1', magnitude = 5 } save()")
    try script.run("q:delete() save()")
    try script.run("store:undoSave()")
    #expect(try script.value("undo(), context.hasChanges, q.magnitude, Quake:find 'us1' == q") == "true false 5.0 true")
    #expect(try script.value("redo(), context.hasChanges, Quake:count()") == "true true 0")
    try script.run("save()")
    #expect(try script.value("store:sql('SELECT count(*) n FROM quake')[1].n") == "0")
  }

  @Test func anObjectMetAnewAfterItsRowCameBackIsTheOneThatStays() throws {
    let script = try Script.sample()
    try script.run("q = Quake { code = 'us1', magnitude = 5 } save()")
    try script.run("q:delete() save()")
    try script.run("store:undoSave() again = Quake:find 'us1'")
    #expect(try script.value("undo(), context.hasChanges, Quake:count(), again.magnitude") == "true false 1 5.0")
    try script.run("again.magnitude = 6 save()")
    #expect(try script.value("store:sql('SELECT count(*) n, max(magnitude) m FROM quake')[1].m") == "6.0")
  }

  @Test func anObjectWithoutChangesAfterAnUndoIsWhatOthersMadeOfIt() throws {
    let script = try Script.sample()
    try script.run("q = Quake { code = 'us1', magnitude = 5, place = 'x' } save()")
    try script.run("q.magnitude = 6")
    try script.run("other = store:newContext() other.entities.Quake:find('us1').place = 'y' other:save()")
    #expect(try script.value("q.place, undo(), q.place, q.magnitude, context.hasChanges") == "x true y 5.0 false")
  }

  @Test func aRedoneLinkThatOthersHaveSavedMeanwhileIsNoChangeOnEitherSide() throws {
    let script = try Script.sample()
    try script.run("q = Quake { code = 'us1' } r = Report { text = 'x' } save()")
    try script.run(
      "second = store:newContext() mine = second.entities.Report:first() theirs = second.entities.Quake:first()")
    try script.run("mine.quake = theirs second:undo() r.quake = q save() second:redo()")
    #expect(try script.value("second.hasChanges, #theirs.reports") == "false 1")
    try script.run("store:undoSave()")
    #expect(try script.value("mine.quake, #theirs.reports, second.hasChanges") == "nil 0 false")
  }

  @Test func aMemberThatComesBackGetsAPlaceOfItsOwnWhereOthersHaveTakenItsPlace() throws {
    let path = TemporaryFolder.ofThisRun.appendingPathComponent("\(UUID().uuidString).sqlite").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let script = try Script()
    try script.run(
      """
      use(open("\(path)", { create = true, model = Model {
        List = Entity { name = String, items = ToMany "Item" { inverse = "list", ordered = true },
          tags = ToMany "Item" { inverse = "lists", ordered = true } },
        Item = Entity { name = String, list = ToOne "List" { inverse = "items" }, lists = ToMany "List" { inverse = "tags" } },
      } }))
      l = List { name = "l" } a = Item { name = "a" } b = Item { name = "b" }
      l.items:add(a) l.tags:add(a) save()
      l.items:remove(a) l.tags:remove(a) save()
      other = open("\(path)")
      theirs = other.context.entities.List:first()
      theirs.items:add(other.context.entities.Item:where("name == 'b'"):first())
      theirs.tags:add(other.context.entities.Item:where("name == 'b'"):first())
      other.context:save()
      store:undoSave()
      """)
    #expect(try script.value("#l.items, #l.tags") == "2 2")
    let row = "store:sql 'SELECT count(DISTINCT list_order) n FROM item WHERE list_pk IS NOT NULL'"
    #expect(try script.value("\(row)[1].n") == "2")
    try script.run("store:redoSave()")
    #expect(try script.value("#l.items, l.items[1].name, #l.tags, l.tags[1].name") == "1 b 1 b")
    try script.run("store:undoSave()")
    #expect(try script.value("#l.items, #l.tags") == "2 2")
  }

  @Test func anUndoneSaveIsOfTheMainContextInTheHistory() throws {
    let script = try Script()
    try script.run(
      """
      use(open(":memory:", { history = true, model = Model { Note = Entity { text = String } } }))
      context.name = "main" context.transactionAuthor = "me"
      Note { text = "a" } save() store:undoSave()
      """)
    #expect(try script.value("store:history():last().author, store:history():last().context") == "me main")
  }

  @Test func aReferenceByOtherColumnsThanTheKeyIsTakenBackWithWhatItLeadsTo() throws {
    let path = TemporaryFolder.ofThisRun.appendingPathComponent("\(UUID().uuidString).sqlite").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/sqlite3")
    process.arguments = [
      path,
      """
      CREATE TABLE place(code TEXT PRIMARY KEY, name TEXT);
      CREATE TABLE quake(id INTEGER PRIMARY KEY, place_code TEXT REFERENCES place(code) ON DELETE SET NULL);
      INSERT INTO place VALUES ('cl', 'Chile');
      INSERT INTO quake VALUES (1, 'cl');
      """,
    ]
    try process.run()
    process.waitUntilExit()
    let script = try Script()
    try script.run("use(open('\(path)'))")
    try script.run("Place:find('cl'):delete() save()")
    #expect(try script.value("store:sql('SELECT place_code c FROM quake')[1].c") == "nil")
    try script.run("undo() save()")
    #expect(
      try script.value("store:sql('SELECT place_code c FROM quake')[1].c, Quake:find(1).placeCode.name") == "cl Chile")
  }
}

@Suite struct TransientSavingTests {
  @Test func transientValuesSurviveASaveThatComputesDerivedValues() throws {
    let script = try Script()
    try script.run(
      """
      use(open(":memory:", { model = Model {
        Place = Entity {
          name = String, note = String { transient = true }, quakes = ToMany "Quake" { inverse = "place" },
          number = Derived { type = Int, "quakes.@count" },
        },
        Quake = Entity { magnitude = Double, place = ToOne "Place" { inverse = "quakes" } },
      } }))
      p = Place { name = "x", note = "a" } Quake { place = p } save()
      """)
    #expect(try script.value("p.note, p.number") == "a 1")
    try script.run("p.note = 'b'")
    #expect(try script.value("undo(), p.note") == "true a")
    try script.run("local other = store:newContext() other.entities.Quake { magnitude = 2 } other:save()")
    #expect(try script.value("Place:count(), p.note") == "1 a")
    try script.run("p:refresh()")
    #expect(try script.value("p.note") == "nil")
  }
}

@Suite struct ChildUndoTests {
  @Test func whatTheParentTookBackIsNotMadeAgainByTheChildsUndo() throws {
    let script = try Script.sample()
    try script.run("q = Quake { code = 'us1', reports = { Report { text = 'a' }, Report { text = 'b' } } } save()")
    try script.run("child = context:newChild() mine = child.entities.Quake:find 'us1'")
    try script.run("mine.reports[1]:delete() mine.reports:add(child.entities.Report { text = 'c' }) child:save()")
    try script.run("undo()")
    #expect(try script.value("#q.reports, #mine.reports, context.hasChanges") == "2 2 false")
    #expect(try script.value("child:undo(), #mine.reports, child.hasChanges") == "true 2 false")
    try script.run("child:save() save()")
    #expect(try script.value("#q.reports, Report:count()") == "2 2")
  }

  @Test func anObjectWhoseMakingTheParentTookBackIsNotMetAgainInTheParent() throws {
    let script = try Script.sample()
    try script.run("q = Quake { code = 'us1' }")
    try script.run(
      "child = context:newChild() mine = child.entities.Quake:find 'us1' mine.magnitude = 3 "
        + "report = child.entities.Report { text = 'x', quake = mine }")
    try script.run("undo()")
    let gone = "Quake/t1 is no longer in the parent context, where it was undone"
    #expect(script.error("child:save()") == gone)
    #expect(script.error("print(mine.place)")?.hasSuffix(gone) == true)
    #expect(try script.value("redo(), Quake:find 'us1' == q, Quake:count()") == "true true 1")
    try script.run("child:save() save()")
    #expect(try script.value("q.magnitude, #q.reports") == "3.0 1")
  }

  @Test func anObjectThatBothDeletedIsNoMistake() throws {
    let script = try Script.sample()
    try script.run(
      "q = Quake { code = 'us1' } save() child = context:newChild() mine = child.entities.Quake:find 'us1'")
    try script.run("child.levelsOfUndo = 10 child.entities.Quake { code = 'us2' } print(mine.magnitude) mine:delete()")
    try script.run("q:delete() child:save() save()")
    #expect(try script.value("Quake:count(), Quake:first().code") == "1 us2")
  }

  @Test func aBatchRequestOfAChildMindsWhatIsUnsavedInItsParent() throws {
    let script = try Script.sample()
    try script.run("q = Quake { code = 'us1' } save() q.magnitude = 3 child = context:newChild()")
    let message = try #require(script.error("child.entities.Quake:all():update { place = 'x' }"))
    #expect(
      message.hasSuffix("the batch request touches 1 object of Quake with unsaved changes; save or roll back first"))
    #expect(
      script.error("child.entities.Quake:batchInsert({ { code = 'us1', place = 'x' } }, { upsert = 'code' })") != nil)
  }
}
