import Foundation
import LuaBindings
import TestSupport
import Testing

@Suite struct RemoteChangeTests {
  /// A file with a store in it, and a script that has it open twice: the second connection counts as another program.
  private func script() throws -> (Script, URL) {
    let file = TemporaryFolder.ofThisRun.appending(path: "remote-\(UUID().uuidString).sqlite")
    let script = try Script()
    try script.run(
      """
      local model = Model {
        Quake = Entity { code = String { unique = true }, magnitude = Double, place = String },
      }
      use(open("\(file.path)", { create = true, model = model, history = true }))
      for i = 1, 3 do Quake { code = string.char(96 + i), magnitude = i } end
      save()
      local other = open "\(file.path)"
      """)
    return (script, file)
  }

  private func remove(_ file: URL) {
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + suffix) }
  }

  @Test func commitsOfOthersReachResultsAndObservers() throws {
    let (script, file) = try script()
    defer { remove(file) }
    try script.run(
      """
      local r, seen = Quake:where("magnitude >= 2"):sorted("-magnitude"):live(), {}
      r:onChange(function(c) seen[#seen + 1] = c.kind .. #c.inserted .. #c.deleted .. #c.updated end)
      store:on("remoteChange", function(c)
        seen[#seen + 1] = table.concat(c.entities, " ") .. #c.objectIDs .. tostring(c.author) .. tostring(c.isComplete)
      end)
      Quake:on("insert", function(q, c) seen[#seen + 1] = q.code .. c.cause end)
      other.entities.Quake { code = "x", magnitude = 9 }
      other.context:save { author = "import" }
      """)
    _ = script.engine.turns.end()
    #expect(
      try script.value("r[1].code, #r, table.concat(seen, ', ')") == "x 3 remote100, Quake1importtrue, xremote")
    try script.turn("seen = {} other:sql \"DELETE FROM quake WHERE code = 'c'\"")
    _ = script.engine.turns.end()
    #expect(try script.value("#r, seen[1]") == "2 remote010")
    #expect(
      script.error("store:on('remoteChanges', print)")
        == "store:on: expected \"remoteChange\", got \"remoteChanges\"")
  }

  /// A store without a history that a script has open twice.
  private func plainScript() throws -> (Script, URL) {
    let file = TemporaryFolder.ofThisRun.appending(path: "remote-\(UUID().uuidString).sqlite")
    let script = try Script()
    try script.run(
      """
      local model = Model {
        Quake = Entity { code = String, tags = ToMany "Tag" { inverse = "quakes" } },
        Report = Entity { text = String }, Tag = Entity { name = String, quakes = ToMany "Quake" { inverse = "tags" } },
      }
      use(open("\(file.path)", { create = true, model = model }))
      other, seen = open "\(file.path)", {}
      function note(c)
        local ids = {}
        for i, id in ipairs(c.objectIDs) do ids[i] = tostring(id) end
        seen[#seen + 1] = table.concat(c.entities, "+") .. " " .. table.concat(ids, ",") .. " " .. tostring(c.isComplete)
      end
      """)
    return (script, file)
  }

  @Test func everyObjectIsToldWithoutHistoryAndWithoutALoop() throws {
    let (script, file) = try plainScript()
    defer { remove(file) }
    try script.run("store:on('remoteChange', note)")
    try script.turn("other.entities.Quake { code = 'a' } other.entities.Report { text = 'r' } other.context:save()")
    try script.turn("")
    try script.turn("other:sql \"UPDATE quake SET code = 'b'\" other:sql 'DELETE FROM report'")
    try script.turn("")
    #expect(
      try script.value("table.concat(seen, '; ')")
        == "Quake+Report Quake/1,Report/1 true; Quake Quake/1 true; Report Report/1 true")
    try script.turn(
      "seen = {} other.entities.Quake:first().tags:add(other.entities.Tag { name = 't' }) other.context:save()")
    try script.turn("")
    #expect(
      try script.value("seen[1]:find('Quake/1') ~= nil, seen[1]:find('Tag/1') ~= nil, seen[1]:find('true') ~= nil")
        == "true true true")
  }

  @Test func anObserverOfSomeEntitiesIsToldOfThoseAlone() throws {
    let (script, file) = try plainScript()
    defer { remove(file) }
    try script.run("store:on('remoteChange', note, { entities = { 'Report', store.entities.Tag } })")
    try script.turn("other.entities.Quake { code = 'a' } other.context:save()")
    try script.turn("")
    try script.turn("other.entities.Quake { code = 'b' } other.entities.Report { text = 'r' } other.context:save()")
    try script.turn("")
    #expect(try script.value("table.concat(seen, '; ')") == "Report Report/1 true")
    #expect(
      script.error("store:on('remoteChange', print, { entities = { 'Qake' } })")?.contains("did you mean 'Quake'?")
        == true)
  }

  @Test func aTableTooLargeToLookAtBeforehandIsToldAsIncompleteOnce() throws {
    let (script, file) = try plainScript()
    defer { remove(file) }
    try script.run(
      """
      other:sql [[WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20001)
        INSERT INTO quake(code) SELECT i FROM n]]
      store:on('remoteChange', note)
      """)
    try script.turn("other:sql \"UPDATE quake SET code = 'x' WHERE _pk = 7\"")
    try script.turn("")
    try script.turn("other:sql \"UPDATE quake SET code = 'x' WHERE _pk = 8\"")
    try script.turn("")
    #expect(try script.value("seen[1]:find('false') ~= nil, seen[2]") == "true Quake Quake/8 true")
    // Who names the entity has it looked at beforehand.
    try script.run("seen = {} named = open '\(file.path)' named:on('remoteChange', note, { entities = { 'Quake' } })")
    try script.turn("other:sql \"UPDATE quake SET code = 'y' WHERE _pk = 9\"")
    try script.turn("")
    #expect(try script.value("seen[#seen]") == "Quake Quake/9 true")
  }

  @Test func whatCannotFollowSaysSoOnceAndGoesOnWhenItCan() throws {
    let (script, file) = try script()
    defer { remove(file) }
    try script.run(
      """
      local r, n = Quake:all():live(), 0
      r:onChange(function() n = n + 1 end)
      Quake:find "a":observe("magnitude", function() end)
      other:sql "ALTER TABLE quake RENAME TO was"
      """)
    let messages = try script.turn("") + script.turn("")
    #expect(messages.count == 2, "\(messages)")
    for (message, name) in zip(messages, ["Quake:live cannot be updated: no such table", "Quake:observe (test:"]) {
      #expect(message.hasPrefix(name), "\(message)")
    }
    #expect(try script.value("#r, n") == "3 0")
    try script.run("other:sql \"ALTER TABLE was RENAME TO quake\" other:sql \"DELETE FROM quake WHERE code = 'c'\"")
    #expect(try script.turn("").isEmpty)
    #expect(try script.value("#r, n > 0") == "2 true")
  }

  @Test func aStoreWhoseFileWasTakenAwayIsReadAndCopiedButNotWritten() throws {
    let (script, file) = try script()
    let (place, copy) = (file.path + ".moved", file.path + ".copy")
    defer {
      remove(file)
      remove(URL(filePath: place))
      remove(URL(filePath: copy))
    }
    var warnings: [String] = []
    script.engine.host.onWarning = { warnings.append($0) }
    try script.run("local r = Quake:all():live() r:onChange(print) runLoop { seconds = 0 }")
    try FileManager.default.moveItem(atPath: file.path, toPath: place)
    try script.run("runLoop { seconds = 0.01 } runLoop { seconds = 0.01 }")
    let rest =
      "its file was moved, deleted or replaced; store:backup \"copy.sqlite\" keeps what was there, "
      + "open() reads what is there now"
    #expect(warnings == ["'\(file.path)' is no longer followed: \(rest)"])
    try script.run("Quake { code = 'd' }")
    for write in ["save()", "store:sql 'DELETE FROM quake'", "Quake:batchDelete('magnitude > 0')", "store:undoSave()"] {
      #expect(script.error(write) == "'\(file.path)' cannot be written: \(rest)", "\(write)")
    }
    try script.run("store:backup '\(copy)'")
    #expect(try script.value("#r, context.hasChanges, open('\(copy)').entities.Quake:count()") == "3 true 3")
    // Put back, it is the store's file again.
    try FileManager.default.moveItem(atPath: place, toPath: file.path)
    try script.run("save()")
    #expect(try script.value("Quake:count()") == "4")
  }

  @Test func aHistoryObserverCountsWhatIsRelevant() throws {
    let (script, file) = try script()
    defer { remove(file) }
    try script.run(
      """
      local h, n = HistoryObserver { entities = { Quake }, author = "import" }, 0
      local token = h:onChange(function(observer) n = n + (observer == h and 1 or 100) end)
      Quake { code = "m" } save()
      """)
    #expect(try script.value("h.eventCounter, n") == "0 0")
    try script.run("other.entities.Quake { code = 'o' } other.context:save { author = 'import' }")
    _ = script.engine.turns.end()
    #expect(
      try script.value("h.eventCounter, n, h.historyToken == store.historyToken, tostring(h)")
        == "1 1 true history observer, 1 event")
    try script.run(
      """
      Quake { code = "p" } context:save { author = "import" }
      token:cancel()
      Quake { code = "q" } context:save { author = "import" }
      """)
    #expect(try script.value("h.eventCounter, n") == "3 2")
    try script.run("h:close() Quake { code = 'r' } context:save { author = 'import' }")
    #expect(try script.value("h.eventCounter") == "3")
    #expect(script.error("h:onChange(print)") == "observer:onChange: the history observer is closed")
    #expect(script.error("HistoryObserver { entity = Quake }")?.contains("did you mean 'entities'?") == true)
    #expect(script.error("HistoryObserver { entities = Quake }")?.contains("expected a list of entities") == true)
    #expect(
      script.error("HistoryObserver { entities = { other.entities.Quake }, store = store }")?.contains("another store")
        == true)
  }
}
