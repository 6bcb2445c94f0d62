import Foundation
import LuaBindings
import Modeling
import TestSupport
import Testing

/// What the surrounding program decides for an engine, and is notified of.
@Suite struct HostProgramTests {
  @Test func aProgramThatDecidesNothingIsAskedNothing() throws {
    let script = try Script.sample()
    script.engine.host = HostProgram()
    try script.run(#"Quake { code = "a" }; save()"#)
    #expect(try script.value("Quake:count()") == "1")
    #expect(script.error(#"plot(Quake, { x = "magnitude" }):save("x.svg")"#)?.contains("writes no files") == true)
  }

  @Test func nothingIsWrittenThatTheProgramDoesNotApprove() throws {
    let script = try Script.sample()
    var asked: [String] = []
    script.engine.host.approval = Approval(
      changes: { counts, _ in
        asked += counts.map { "\($0.key.name) \($0.value.inserted)" }
        return false
      }, sql: { _ in { _ in false } }, reversal: { _, _ in false })
    try script.run(#"Quake { code = "a" }"#)
    #expect(script.error("save()")?.contains("it was not confirmed, and nothing was written") == true)
    #expect(asked == ["Quake 1"])
    #expect(script.error(#"store:sql("DELETE FROM quake")"#)?.contains("it was not confirmed") == true)
    script.engine.host = HostProgram()
    try script.run("save()")
    #expect(try script.value("Quake:count()") == "1")
  }

  @Test func theProgramIsCalledBeforeAndAfterEachSave() throws {
    let script = try Script.sample()
    var events: [String] = []
    script.engine.host.willSave = { context, _ in
      let counts = try context.diff().inserted.count
      events.append("before \(counts) \(context.hasChanges)")
      return { events.append("after \(context.hasChanges) \($0 == nil)") }
    }
    try script.run(#"Quake { code = "a" }; save()"#)
    #expect(events == ["before 1 true", "after false true"])
  }

  @Test func aProgramThatRefusesASaveStopsIt() throws {
    struct Refusal: Error {}
    let script = try Script.sample()
    script.engine.host.willSave = { _, _ in throw Refusal() }
    try script.run(#"Quake { code = "a" }"#)
    #expect(script.error("save()") != nil)
    script.engine.host.willSave = nil
    #expect(try script.value("context.hasChanges") == "true")
  }

  @Test func aProgramLearnsWhatTheStoreRefusesBeforeTheSaveAndAfterIt() throws {
    let script = try Script.sample()
    try script.run(#"Quake { code = "a" }; save()"#)
    var failures: [Bool] = []
    script.engine.host.willSave = { _, rehearse in
      do { try rehearse() } catch { failures.append(true) }
      return { failures.append($0 != nil) }
    }
    #expect(script.error(#"Quake { code = "a" }; save()"#) != nil)
    #expect(failures == [true, true])
  }

  @Test(arguments: [(true, "1"), (false, "0")])
  func aStoreKeepsUndoStepsInItsFileFromTheBeginningOnlyIfAPersonMadeIt(isTyped: Bool, tables: String) throws {
    let folder = try TemporaryFolder()
    let script = try Script()
    script.keeps = [folder]
    script.engine.host.isTyped = { isTyped }
    try script.run(
      """
      use(open("\(folder.url.path)/a.sqlite", { create = true, model = Model { Quake = Entity { code = String } } }))
      Quake { code = "a" }
      save()
      """)
    let count = #"store:sql("SELECT count(*) AS n FROM sqlite_master WHERE name = '_perilune_undo'")[1].n"#
    #expect(try script.value(count) == tables)
  }

  @Test func aProbableMistakeIsANoteWhereTheProgramShowsNoWarnings() throws {
    let source = #"Model [[<model><entity name="A"><attribute name="b" attributeType="Odd"/></entity></model>]]"#
    let script = try Script()
    try script.run(source)
    let notes = script.engine.notes
    #expect(!notes.isEmpty)
    var warnings: [String] = []
    script.engine.host.onWarning = { warnings.append($0) }
    try script.run(source)
    #expect(warnings == notes)
    #expect(script.engine.notes == notes)
  }
}
