import LuaBindings
import LuaRuntime
import Testing

@Suite struct ErrorTests {
  @Test func aWrongNameNamesTheNearest() throws {
    let script = try Script.sample()
    try script.run("local q = Quake { code = 'us1' }")
    #expect(script.error("return q.magnitud") == "Quake has no property 'magnitud'; did you mean 'magnitude'?")
    #expect(script.error("q.magnitud = 5") == "Quake has no property 'magnitud'; did you mean 'magnitude'?")
    #expect(script.error("q.xyzzyplugh = 5") == "Quake has no property 'xyzzyplugh'")
    #expect(script.error("Quake { magnitud = 5 }") == "Quake has no property 'magnitud'; did you mean 'magnitude'?")
    #expect(script.error("return store.entities.Quak") == "the model has no 'Quak'; did you mean 'Quake'?")
    #expect(script.error("return store.kimd") == "store has no 'kimd'; did you mean 'kind'?")
    #expect(script.error("Quake:all():limt(5)") == "request has no 'limt'; did you mean 'limit'?")
    #expect(
      script.error("FetchRequest { entity = Quake, fetchLimt = 5 }")
        == "FetchRequest: there is no option 'fetchLimt'; did you mean 'fetchLimit'?")
    #expect(script.error("Quake:fnd 'x'") == "Quake has no 'fnd'; did you mean 'find'?")
    #expect(script.error("return Date().yer") == "a Date has no 'yer'; did you mean 'year'?")
  }

  @Test func aWrongValueNamesPropertyAndTypes() throws {
    let script = try Script.sample()
    try script.run("local q = Quake { code = 'us1' } local r = Report {} local e = Everything {}")
    #expect(script.error("q.magnitude = '5'") == #"Quake.magnitude: expected Double, got String ("5")"#)
    #expect(script.error("q.felt = 1.5") == "Quake.felt: expected Integer64, got 1.5, which has a fraction")
    #expect(script.error("r.score = 70000") == "Report.score: expected Integer16 (-32768 to 32767), got 70000")
    #expect(script.error("q.magnitude = 0/0")?.hasPrefix("Quake.magnitude: expected Double, got ") == true)
    #expect(script.error("q.code = 5") == "Quake.code: expected String, got Integer (5)")
    #expect(script.error("q.code = '\\xFF'")?.hasPrefix("Quake.code: expected text in UTF-8, got ") == true)
    #expect(script.error("q.code = print") == "Quake.code: expected String, got function")
    #expect(script.error("r.quake = r") == "Report.quake: expected a Quake, got a Report")
    #expect(script.error("r.quake = 5") == "Report.quake: expected Quake, got number")
    #expect(script.error("q.reports = 5") == "Quake.reports: expected a list of Report objects, got number")
    #expect(script.error("q.reports = { 5 }") == "Quake.reports: expected a list of objects, got number in it")
    #expect(script.error("q.reports:add(5)") == "Quake.reports:add: expected a Report, got number")
    #expect(script.error("q.day = 'x'") == "Quake.day cannot be set: it is derived")
    #expect(script.error("q.objectID = 5") == "'objectID' of Quake cannot be set")
    #expect(
      script.error("e.composite = { lt = 1 }") == "Everything.composite: there is no element 'lt'; did you mean 'lat'?")
    #expect(script.error("e.json = { print }") == "Everything.json: a function is no JSON")
    #expect(
      script.error("local t = {} t.t = t e.json = t")
        == "Everything.json: the table is nested more than 100 levels deep, or contains itself")
    #expect(script.error("e.uuid = 'x'") == #"Everything.uuid: expected UUID, got "x", which does not read as one"#)
    #expect(script.error("Quake:find(true)") == "Quake:find: expected String, as code is, got boolean")
  }

  @Test func aFailedInsertLeavesNothing() throws {
    let script = try Script.sample()
    #expect(script.error("Quake { code = 'us1', magnitude = 'x' }") != nil)
    #expect(try script.value("context.hasChanges, Quake:count()") == "false 0")
  }

  @Test func savingReportsEveryViolationAtOnce() throws {
    let script = try Script.sample()
    try script.run("Quake { code = 'a', magnitude = 11 } Station {}")
    let message = script.error("save()")
    #expect(
      message == "2 values are not valid:\n  Quake: magnitude is 11.0, more than 10.0\n  Station: name is missing")
    try script.run("local ok, err = pcall(save)")
    #expect(
      try script.value("ok, err.kind, #err.details, err.details[1].property, err.details[2].rule")
        == "false validation 2 magnitude missingMandatory")
    #expect(try script.value("#context.insertedObjects") == "2")
  }

  @Test func uniquenessIsChecked() throws {
    let script = try Script.sample()
    try script.run("Quake { code = 'a' } save() Quake { code = 'a' }")
    #expect(script.error("save()") == #"there is another Quake with code = "a""#)
    try script.run("local ok, err = pcall(save)")
    #expect(try script.value("err.kind") == "notUnique")
  }

  @Test func errorsPrintConcatenateAndHaveAPlace() throws {
    let script = try Script.sample()
    try script.run("local ok, err = pcall(function()\n  return Quake:where 'magnitud > 5'\nend)")
    #expect(
      try script.value("tostring(err), 'x: ' .. err, err.position, err.kind") == """
        test:2: Quake has no property 'magnitud'; did you mean 'magnitude'? x: test:2: Quake has no property 'magnitud'; \
        did you mean 'magnitude'? test:2 predicate
        """)
    #expect(try script.value("err.details[1].text, err.details[1].column, type(err)") == "magnitud > 5 1 userdata")
    #expect(try script.value("select(2, pcall(error, err)) == err") == "true")
  }

  @Test func anUncaughtErrorIsReportedWithPlaceAndTraceback() throws {
    let script = try Script.sample()
    do {
      try script.run("local function f()\n  Quake:where 'place CONTAINS'\nend\nf()")
      Issue.record("no error")
    } catch {
      let report = script.engine.report(error)
      #expect(report.position == "test:2")
      #expect(report.kind == "predicate")
      #expect(report.details.first?.excerpt?.text == "place CONTAINS")
      #expect(report.traceback?.contains("test:2") == true)
    }
  }

  @Test func storeErrorsHaveTheirOwnStatus() throws {
    let script = try Script()
    func status(_ chunk: String) -> Int32 {
      do { try script.run(chunk) } catch { return script.engine.report(error).exitStatus }
      return 0
    }
    #expect(status("open '/nowhere/at/all.sqlite'") == 66)
    #expect(status("open '/'") == 66)
    #expect(status("open '/etc/hostname'") == 69)
    #expect(status("error 'x'") == 1)
    #expect(
      script.error("open '/nowhere/at/all.sqlite'")
        == "there is no store '/nowhere/at/all.sqlite'; make one with create = true (--create)")
    #expect(script.error("open '/'") == "'/' is a directory, not a store")
    #expect(script.error("open(5)") == "open: expected the path of a store, got number")
    #expect(script.error("open('x', { creat = true })") == "open: there is no option 'creat'; did you mean 'create'?")
    #expect(script.error("open('x', { model = 5 })") == "open: model: expected a Model, got number")
  }

  @Test func aClosedStoreIsAnError() throws {
    let script = try Script.sample()
    try script.run("local q = Quake { code = 'a' } save() local r = Quake:all():fetch() store:close()")
    #expect(script.error("return q.code") == "Quake: the store is closed")
    #expect(script.error("return r[1]") == "result: the store is closed")
    #expect(
      script.error("Quake:count()") == "request: the store is closed"
        || script.error("Quake:count()") == "Quake:count: the store is closed")
    #expect(script.error("Quake { code = 'b' }") == "Quake: the store is closed")
    #expect(try script.value("tostring(q)") == "Quake of a closed store")
  }

  @Test func luaErrorsKeepTheirWords() throws {
    let script = try Script()
    #expect(script.error("local x = nil; return x.y") == "test:1: attempt to index a nil value (local 'x')")
    #expect(
      script.error("error({})")?.hasPrefix("table:") == true
        || script.error("error({})")?.contains("error object") == true)
  }
}
