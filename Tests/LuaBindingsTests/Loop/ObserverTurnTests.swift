import LuaRuntime
import Reactive
import SQLiteStorage
import Stores
import Testing

@testable import LuaBindings

/// When observers are notified: after each write of a script, and at the end of its turns.
@Suite struct ObserverTurnTests {
  /// An observer in Swift of the commits of the sample store, which counts its calls.
  private final class Observer {
    let turn: Turn
    let order: Int
    var count = 0
    var action: (() -> Void)?
    private var subscription: CommitSubscription?

    init(_ script: Script) throws {
      turn = script.engine.turn
      order = turn.nextOrder()
      let store = try #require(script.engine.store as? SQLiteStore)
      subscription = store.onCommit { [unowned self] _ in
        turn.enqueue(order: order, name: "observer") { [unowned self] in
          count += 1
          action?()
        }
      }
    }
  }

  private static let writes = [
    "Quake { code = 'a' } save()",
    "Quake { code = 'a' } context:save()",
    "context:transaction(function() Quake { code = 'a' } end)",
    "store:sql \"INSERT INTO quake (code) VALUES ('a')\"",
    "Quake:batchInsert { { code = 'a' } }",
    "context.autosave = true context:perform(function() Quake { code = 'a' } end)",
    "local child = context:newChild() child.entities.Quake { code = 'a' } child:save() save()",
  ]

  @Test(arguments: writes) func observersAreToldBeforeTheWriteReturns(_ write: String) throws {
    let script = try Script.sample()
    let observer = try Observer(script)
    try script.run(write)
    #expect(observer.count == 1)
    #expect(script.engine.turns.end().isEmpty)
    #expect(observer.count == 1)
  }

  @Test func batchRequestsUndoAndRedoTellToo() throws {
    let script = try Script.sample()
    try script.run("Quake:batchInsert { { code = 'a', magnitude = 1 }, { code = 'b', magnitude = 2 } }")
    let observer = try Observer(script)
    for (number, write) in [
      "Quake:where('code == \"a\"'):update { magnitude = 3 }", "Quake:batchUpdate('code == \"b\"', { magnitude = 4 })",
      "store:undoSave()", "store:redoSave()", "Quake:where('code == \"a\"'):delete()",
      "Quake:batchDelete 'TRUEPREDICATE'",
    ].enumerated() {
      try script.run(write)
      #expect(observer.count == number + 1, "\(write)")
    }
  }

  /// Something whose members write to the store and say so to no one.
  private final class Writer: Bound {
    static let luaName = "Writer"
    var place: String { "writer" }
    func summary() -> String { "writer" }
    static let members: [Member<Writer>] = [
      .method("write", "writer:write([fails])", "Writes.", sandbox: .allowed) { call, _ in
        try insert(call.engine)
        if !call.isMissing(1) { throw call.fail(.closed("writer")) }
        return .nothing
      },
      .property("value", "writer.value", "Writes when it is set.", sandbox: .allowed) { _, _ in
        .integer(0)
      } set: { call, _ in
        try insert(call.engine)
      },
      .method("begin", "writer:begin()", "Writes what is not committed yet.", sandbox: .allowed) { call, _ in
        _ = try (call.engine.store as? SQLiteStore)?.sql("BEGIN; INSERT INTO quake (code) VALUES ('b')")
        return .nothing
      },
      .method("commit", "writer:commit()", "Commits it.", sandbox: .allowed) { call, _ in
        _ = try (call.engine.store as? SQLiteStore)?.sql("COMMIT")
        return .nothing
      },
    ]

    static func insert(_ engine: Engine) throws {
      _ = try (engine.store as? SQLiteStore)?.sql("INSERT INTO quake (code) VALUES ('w' || random())")
    }
  }

  @Test(arguments: ["writer:write()", "writer.value = 1", "write()", "writer:begin() writer:commit()"])
  func whateverWritesTellsObserversWithoutSayingSo(_ write: String) throws {
    let script = try Script.sample()
    let engine = script.engine
    engine.define("write", "write()", "Writes.") { [unowned engine] _ in
      try Writer.insert(engine)
      return 0
    }
    engine.classes.declare(KindDeclaration(Writer.self) { Writer.members })
    engine.classes.push(Writer(), on: engine.lua.stack)
    engine.lua.setGlobal("writer")
    let observer = try Observer(script)
    try script.run("all = Quake:all():fetch() \(write) told = Quake:count()")
    #expect(observer.count == 1)
    #expect(engine.turns.end().isEmpty)
    #expect(observer.count == 1)
  }

  @Test func whatAFunctionWroteBeforeItFailedIsToldAtTheEndOfTheTurn() throws {
    let script = try Script.sample()
    let engine = script.engine
    engine.classes.declare(KindDeclaration(Writer.self) { Writer.members })
    engine.classes.push(Writer(), on: engine.lua.stack)
    engine.lua.setGlobal("writer")
    let observer = try Observer(script)
    try script.run("assert(not pcall(writer.write, writer, true)) Quake:count()")
    #expect(observer.count == 0)
    #expect(engine.turns.end().isEmpty)
    #expect(observer.count == 1)
  }

  @Test func readingTellsNoObservers() throws {
    let script = try Script.quakes()
    try script.run(
      """
      count = 0
      context:on("objectsDidChange", function() count = count + 1 end)
      Quake:find("a").felt = 9
      Quake:count() store:sql "SELECT * FROM quake" Quake:all():fetch() Quake:all():explain()
      seen = count
      """)
    #expect(try script.value("seen") == "0")
  }

  @Test func objectsHaveTheNewValuesWhenObserversAreTold() throws {
    let script = try Script.sample()
    try script.run("Quake { code = 'a', magnitude = 1 } save() q = Quake:first() old = q.magnitude")
    let observer = try Observer(script)
    observer.action = { _ = try? script.run("seen = q.magnitude") }
    for (number, write) in [
      "store:sql 'UPDATE quake SET magnitude = 2'", "Quake:batchUpdate(nil, { magnitude = 3 })",
    ].enumerated() {
      try script.run(write)
      #expect(try script.value("seen") == "\(number + 2).0")
    }
  }

  @Test func anObserverMaySaveAndIsToldOfThatInTheNextRound() throws {
    let script = try Script.sample()
    let observer = try Observer(script)
    observer.action = { [unowned observer] in
      if observer.count < 4 { _ = try? script.run("Quake { code = 'more' .. Quake:count() } save()") }
    }
    try script.run("Quake { code = 'a' } save()")
    #expect(observer.count == 4)
    #expect(try script.value("Quake:count()") == "4")
  }

  @Test func observersWithoutRestAreAnErrorOfTheSaveThatBeganThem() throws {
    let script = try Script.sample()
    let observer = try Observer(script)
    observer.action = { _ = try? script.run("Quake { code = 'c' .. Quake:count() } save()") }
    #expect(
      script.error("Quake { code = 'a' } save()")
        == "observers keep changing what they observe: observer (100 rounds)")
    #expect(observer.count == Turn.mostRounds)
    // Saved changes stay, and the next ones are reported again.
    observer.action = nil
    try script.run("store:sql 'DELETE FROM quake'")
    #expect(observer.count == Turn.mostRounds + 1)
    #expect(try script.value("Quake:count()") == "0")
  }

  @Test func observersWithoutRestAreNamedByWhereTheyStand() throws {
    for (line, name) in [
      ("Quake:all():live():onChange(again)", "Quake:live"), ("Quake:on('insert', again)", "Quake:on"),
      ("context:on('objectsDidChange', again)", "context:on"), ("Quake:all():count()", nil),
    ] as [(String, String?)] {
      let script = try Script.sample()
      try script.run("local n = 0\nlocal function again() n = n + 1 Quake { code = 'n' .. n } save() end\n\(line)")
      let expected = name.map { "observers keep changing what they observe: \($0) (test:2) (100 rounds)" }
      #expect(script.error("Quake { code = 'a' } save()") == expected)
    }
    let script = try Script.sample()
    try script.run(
      "local q = Quake { code = 'q' } save() q:observe('felt', function(new) q.felt = new + 1 save() end)")
    #expect(
      script.error("q.felt = 1 save()")
        == "observers keep changing what they observe: Quake:observe (test:1) (100 rounds)")
  }

  @Test func theEndOfATurnTellsAndReportsObserversWithoutRest() throws {
    let script = try Script.sample()
    let turn = script.engine.turn
    var told = 0
    turn.enqueue(order: turn.nextOrder(), name: "one") { told += 1 }
    #expect(script.engine.turns.end(notifiesObservers: false).isEmpty)
    #expect(told == 0)
    #expect(script.engine.turns.end(failed: true).isEmpty)
    #expect(told == 1)
    func again() { turn.enqueue(order: 1, name: "restless") { again() } }
    again()
    #expect(
      script.engine.turns.end().map { script.engine.report($0).message }
        == ["observers keep changing what they observe: restless (100 rounds)"])
  }

  @Test func processPendingChangesTells() throws {
    let script = try Script.sample()
    let turn = script.engine.turn
    var told = 0
    turn.enqueue(order: turn.nextOrder(), name: "one") { told += 1 }
    try script.run("context:processPendingChanges()")
    #expect(told == 1)
  }

  @Test func whatObserversOfAnAutosaveChangeIsSavedToo() throws {
    let script = try Script.sample()
    let observer = try Observer(script)
    observer.action = { [unowned observer] in
      if observer.count < 3 { _ = try? script.run("Quake { code = 'more' .. Quake:count() }") }
    }
    try script.run("context.autosave = true Quake { code = 'a' }")
    #expect(script.engine.turns.end().isEmpty)
    #expect(try script.value("context.hasChanges, Quake:count()") == "false 3")
  }

  @Test func anAutosaveThatNeverHasEnoughIsReported() throws {
    let script = try Script.sample()
    let observer = try Observer(script)
    observer.action = { _ = try? script.run("Quake { code = 'more' .. Quake:count() }") }
    try script.run("context.autosave = true Quake { code = 'a' }")
    #expect(
      script.engine.turns.end().map { script.engine.report($0).message }
        == ["observers keep changing what they observe: context.autosave (100 rounds)"])
  }

  @Test func nothingIsToldInTheMiddleOfASave() throws {
    let script = try Script.sample()
    let turn = script.engine.turn
    var told: [String] = []
    try script.run("context:on('willSave', function() change() context:processPendingChanges() mark() end)")
    script.engine.lua.setGlobal("change") { _ in
      turn.enqueue(order: turn.nextOrder(), name: "observer") { told.append("told") }
      return 0
    }
    script.engine.lua.setGlobal("mark") { _ in
      told.append("in the save")
      return 0
    }
    try script.run("Quake { code = 'a' } save()")
    #expect(told == ["in the save", "told"])
  }

  @Test func anInterruptedTurnTellsTheOthersInTheNextOne() throws {
    let script = try Script.sample()
    let turn = script.engine.turn
    var told = 0
    for _ in 0..<2 {
      turn.enqueue(order: turn.nextOrder(), name: "observer") {
        told += 1
        script.engine.interrupt()
      }
    }
    _ = script.engine.turns.end()
    script.engine.lua.clearInterrupt()
    #expect(told == 1)
    _ = script.engine.turns.end()
    #expect(told == 2)
  }

  @Test func anInterruptedTurnLosesNoDifferenceOfALiveResult() throws {
    let script = try Script.sample()
    script.engine.lua.setGlobal("stop") { [unowned engine = script.engine] _ in
      engine.interrupt()
      return 0
    }
    try script.run(
      """
      Quake { code = 'a' } save()
      codes = FetchRequest { entity = Quake, sortDescriptors = { 'code' } }:live()
      rows = { 'a' }
      first = codes:onChange(function() first:cancel() stop() end)
      second = codes:onChange(function(change)
        for _, entry in ipairs(change.deleted) do table.remove(rows, entry.oldIndex) end
        for _, entry in ipairs(change.inserted) do table.insert(rows, entry.index, codes[entry.index].code) end
      end)
      """)
    #expect(script.error("Quake { code = 'b' } save()")?.contains("interrupted") == true)
    script.engine.lua.clearInterrupt()
    #expect(try script.value("table.concat(rows)") == "a")
    try script.run("Quake { code = 'c' } save()")
    #expect(try script.value("table.concat(rows)") == "abc")
  }
}
