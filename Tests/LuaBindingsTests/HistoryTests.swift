import Foundation
import LuaBindings
import TestSupport
import Testing

@Suite struct HistoryTests {
  private static let model = """
    local model = Model {
      Quake = Entity {
        code = String { unique = true, preserveAfterDeletion = true }, magnitude = Double,
        reports = ToMany "Report" { inverse = "quake", deleteRule = "cascade" },
      },
      Report = Entity { text = String, quake = ToOne "Quake" { inverse = "reports" } },
    }
    """

  private func script() throws -> Script {
    let script = try Script()
    try script.run(Self.model + "use(open(':memory:', { model = model, history = true }))")
    return script
  }

  @Test func savesTellWhoTheyAreOf() throws {
    let script = try script()
    try script.run(
      """
      context.name, context.transactionAuthor = "main", "ann"
      local q = Quake { code = "us1", magnitude = 5 }
      save()
      q.magnitude = 6
      context:save { author = "import" }
      local other = store:newContext { name = "side", transactionAuthor = "bob" }
      other.entities.Report { text = "felt", quake = other.entities.Quake:find "us1" }
      other:save()
      local h = store:history()
      """)
    #expect(
      try script.value("#h, h[1].author, h[1].context, h[2].author, h[3].author, h[3].context")
        == "3 ann main import bob side")
    #expect(
      try script.value("h:first() == nil, h:last().token == store.historyToken, h[4], h[0]") == "false true nil nil")
    #expect(
      try script.value("h[2].changes[1].kind, h[2].changes[1].properties[1], h[2].changes[1].object == q")
        == "update magnitude true")
    #expect(try script.value("h[2].changes[1].objectID == q.objectID, h[2].changes[1].entity == Quake") == "true true")
    #expect(try script.value("#store:history { author = 'import' }, #store:history { context = 'main' }") == "1 2")
    #expect(try script.value("#store:history { entity = Report }, #store:history { entity = 'Quake' }") == "1 2")
    #expect(
      try script.value("#store:history { since = h[2].token }, #store:history { since = tostring(h[1].token) }")
        == "1 2")
    #expect(try script.value("#store:history { limit = 2 }, #store:history { before = h[2].token }") == "2 1")
    #expect(
      try script.value("#store:history { before = Date(0) }, h[1].time <= Date(), h[1].processID > 0")
        == "0 true true")
    #expect(try script.value("local n = 0 for t in h:each() do n = n + #t.changes end return n") == "3")
    #expect(try script.value("context.name, context.transactionAuthor") == "main ann")
    try script.run("context.name = nil")
    #expect(try script.value("context.name") == "nil")
  }

  @Test func aHistoryDescriptorOfSwiftAsksAsItsOptionsDo() throws {
    let script = try script()
    try script.run(
      """
      context.transactionAuthor = "ann"
      Quake { code = "us1" } save()
      token = store.historyToken
      Report { text = "felt" } context:save { author = "import" }
      Quake { code = "us2" } save()
      """)
    try script.run(
      #"""
      h = store:history([[
        let who = "ann"
        var descriptor = HistoryDescriptor<DefaultHistoryTransaction>(
          predicate: #Predicate { $0.token > token && $0.author == who })
        descriptor.fetchLimit = 5
      ]], { token = token })
      r = store:history [[HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate {
        $0.changes.contains { $0.changedPersistentIdentifier.entityName == "Report" } })]]
      """#)
    #expect(try script.value("#h, h[1].changes[1].object.code, #r, r[1].author") == "1 us2 1 import")
    #expect(
      try script.value(
        "#store:history([[HistoryDescriptor<X>(predicate: #Predicate { $0.timestamp < cutoff })]],"
          + " { cutoff = Date '2001-01-01T00:00:00Z' })") == "0")
    // What is printed asks the same again.
    try script.run("again = store:history(h:swift(), { token = token })")
    #expect(try script.value("#again, again[1].token == h[1].token, again:swift() == h:swift()") == "1 true true")
    #expect(
      script.error("store:history [[HistoryDescriptor<X>(predicate: #Predicate { $0.token > token })]]")
        == "Store:history: a value for 'token' is missing"
        || script.error("store:history [[HistoryDescriptor<X>(predicate: #Predicate { $0.token > token })]]")?
          .contains("a value for 'token' is missing") == true
    )
    #expect(
      script.error("store:history [[HistoryDescriptor<X>(predicate: #Predicate { $0.bundle == 'x' })]]") != nil)
    #expect(
      script.error(
        "store:history [[HistoryDescriptor<X>(predicate: #Predicate { $0.changes.contains {"
          + " $0.changedPersistentIdentifier.entityName == \"Quak\" } })]]")?.contains("did you mean 'Quake'?") == true)
    #expect(script.error("store:history({ context = 'main' }):swift()")?.contains("have no context") == true)
  }

  @Test func loopsReadEachTransactionOnce() throws {
    let script = try script()
    try script.run(
      "for i = 1, 3 do Quake { code = 'c' .. i } Quake { code = 'd' .. i } save() end local h = store:history()")
    #expect(
      try script.value("rawequal(h[2].changes, h[2].changes), h[2] == h[2], h[1].changes == h[2].changes")
        == "true true false")
    #expect(
      try script.value("local n = 0 for i = 1, #h do for j = 1, #h[i].changes do n = n + j end end return n") == "9")
  }

  @Test func rawSQLIsRecordedUnderTheNameOfTheMainContext() throws {
    let script = try script()
    try script.run("context.transactionAuthor = 'ann' store:sql \"INSERT INTO quake (code) VALUES ('a'), ('b')\"")
    #expect(
      try script.value("store:history()[1].author, tostring(store:history()[1].changes[2])") == "ann insert Quake/2")
    try script.run("Quake:batchDelete 'code == \"a\"'")
    #expect(
      try script.value("store:history():last().changes[1].tombstone.code, store:history():last().changes[1].object")
        == "a nil")
  }

  @Test func aHistoryIsAListForPeople() throws {
    let script = try script()
    try script.run("Quake { code = 'a' } Quake { code = 'b' } save { author = 'me' }")
    #expect(try script.value("store:history()") == "history of 1 transaction")
    let text = try script.value("store:history()[1]")
    #expect(text.hasPrefix("transaction 2 of ") && text.hasSuffix(" by me: 2 inserted"))
    let listed = try script.run("return store:history()")
    script.engine.lua.stack.push(listed[0])
    defer { script.engine.lua.stack.pop() }
    guard case .listing(let listing) = try EngineValue(at: -1, on: script.engine.lua.stack, in: script.engine) else {
      Issue.record("a history is no listing")
      return
    }
    #expect(listing.columns.map(\.name) == ["token", "time", "author", "context", "changes"])
    #expect(listing.count == 1)
    #expect(try listing.row(0)[4] == .string("2 inserted"))
  }

  @Test func deletedHistoryIsAnErrorForThoseWhoWantIt() throws {
    let script = try script()
    try script.run(
      "for i = 1, 3 do Quake { code = 'c' .. i } save() end local h = store:history() local first = h[1].token")
    #expect(try script.value("store:deleteHistory { before = h[3].token }, #store:history()") == "2 1")
    #expect(
      script.error("store:history { since = first }")
        == "the history after token 1 was deleted or not recorded; it is complete from token 2 on")
    #expect(try script.value("select(2, pcall(store.history, store, { since = first })).kind") == "historyExpired")
    #expect(try script.value("store:deleteHistory { before = Date() + 3600 }, store:deleteHistory()") == "1 0")
    #expect(script.error("store:history { since = 99 }") == "':memory:' has no token 99; its history ends with 3")
  }

  @Test func theHistoryIsTurnedOnAndOff() throws {
    let script = try Script()
    try script.run(Self.model + "use(open(':memory:', { model = model }))")
    #expect(try script.value("store.historyEnabled") == "false")
    #expect(script.error("store:history()") == "':memory:' has no history; open it with { history = true }")
    try script.run("store.historyEnabled = true Quake { code = 'a' } save() store.historyEnabled = false")
    try script.run("Quake { code = 'b' } save()")
    #expect(try script.value("store.historyEnabled, #store:history()") == "false 1")
  }

  @Test func mistakesAreExplained() throws {
    let script = try script()
    #expect(script.error("store:history { autor = 'x' }")?.contains("did you mean 'author'") == true)
    #expect(
      script.error("store:history { since = 'yesterday' }")
        == "store:history: since: expected a token of the history, got string")
    #expect(script.error("store:history { since = Date() }")?.contains("before takes a date") == true)
    #expect(script.error("store:history { entity = 'Quak' }") == "the model has no 'Quak'; did you mean 'Quake'?")
    #expect(script.error("store.historyEnabled = 1") != nil)
    #expect(script.error("context:mergeChanges(1)")?.contains("expected a history") == true)
    #expect(script.error("local h = store:history() store:close() return h[1]") == nil)
    #expect(
      script.error(
        Self.model
          + "open(':memory:', { model = Model { A = Entity { x = Int { preserveAfterDeletion = true, transient = true } } } })"
      )
        == "A.x: preserveAfterDeletion: a transient attribute is not in the store")
  }

  @Test func aContextMergesWhatAnotherSaved() throws {
    let script = try script()
    try script.run(
      """
      local q = Quake { code = "us1", magnitude = 5 } save()
      local other = store:newContext { automaticallyMergesChangesFromParent = false }
      local p = other.entities.Quake:find "us1"
      local _ = p.magnitude
      q.magnitude = 6 save()
      """)
    #expect(try script.value("p.magnitude") == "5.0")
    try script.run("other:mergeChanges(store:history())")
    #expect(try script.value("p.magnitude") == "6.0")
    try script.run("q:delete() save() other:mergeChanges(store:history():last())")
    #expect(try script.value("p.isDeleted") == "true")
  }

  @Test func tokensSurviveARun() throws {
    let path = TemporaryFolder.ofThisRun.appendingPathComponent("\(UUID().uuidString).sqlite").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let first = try Script()
    try first.run(Self.model + "use(open('\(path)', { model = model, create = true, history = true }))")
    try first.run("Quake { code = 'a' } save()")
    let token = try first.value("store.historyToken")
    first.engine.close()
    let second = try Script()
    try second.run("use(open '\(path)') Quake { code = 'b' } save { author = 'later' }")
    #expect(
      try second.value("#store:history { since = '\(token)' }, store:history { since = \(token) }[1].author")
        == "1 later")
  }
}
