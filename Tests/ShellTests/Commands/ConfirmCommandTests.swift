import Testing

@testable import Shell

/// A line that changes much is asked about at the prompt, and what it did is said.
@Suite(.serialized) struct ConfirmCommandTests {
  private let program: BuiltProgram
  private let session: PTYSession

  init() throws {
    program = try BuiltProgram.withStore()
    session = try program.terminal("quakes.sqlite", columns: 100, rows: 24)
    try session.expect("quakes> ")
  }

  private func type(_ line: String, expecting text: String, prompt: String = "quakes>") throws {
    session.send(line + "\r")
    try session.expect(text)
    try session.expectPrompt(prompt)
  }

  private func ask(
    _ line: String, _ question: String, answering answer: String, _ result: String, prompt: String = "quakes>"
  )
    throws
  {
    session.send(line + "\r")
    try session.expect(question)
    session.send(answer)
    try session.expect(result)
    try session.expectPrompt(prompt)
  }

  private func setLimit(_ limit: String) throws {
    session.send(".confirm \(limit)\r")
    try session.expectPrompt()
  }

  @Test func aBatchRequestIsAskedAboutWithWhatItTakesAlong() throws {
    try setLimit("2")
    session.send("Quake:first().reports:add(Report { text = 'x' }) save()\r")
    try session.expect("saved: 1 inserted")
    try session.expectPrompt()
    try ask(
      "Quake:batchDelete('magnitude > 0')", "this deletes 5 Quake, 2 Report; go on? [y/N] ", answering: "n\r",
      "it was not confirmed, and nothing was written")
    try type("Quake:count()", expecting: "5")
    try ask(
      "Quake:batchUpdate('magnitude > 0', { place = 'x' })", "this changes 5 Quake; go on?", answering: "yes\r", "5")
    try ask("Quake:batchDelete('magnitude > 0')", "go on? [y/N] ", answering: "y\r", "5")
    try type("Report:count()", expecting: "0")
  }

  @Test func whatIsRefusedIsNotAskedAbout() throws {
    let session = try program.terminal("-q --read-only quakes.sqlite", columns: 100, rows: 24)
    try session.expect("quakes:ro> ")
    session.send(".confirm 1\r")
    try session.expectPrompt("quakes:ro>")
    for line in [
      "Quake:batchDelete('magnitude > 0')", "Quake:where('magnitude > 0'):update({ place = 'x' })",
      ".sql DELETE FROM quake", "store:sql 'DELETE FROM quake'",
    ] {
      session.send(line + "\r")
      try session.expect("error: ")
      try session.expectPrompt("quakes:ro>")
    }
    #expect(!session.transcript.contains("go on?"), "\(session.transcript)")
  }

  @Test func whatBreaksARuleIsNotAskedAbout() throws {
    try program.write(
      "shelves.lua",
      """
      return Model {
        Shelf = Entity { name = String, books = ToMany "Book" { inverse = "shelf", deleteRule = "deny" } },
        Book = Entity { pages = Integer64 { max = 900 }, shelf = ToOne "Shelf" { inverse = "books" } },
      }
      """)
    let session = try program.terminal(
      "-q --create --model shelves.lua shelves.sqlite", columns: 100, rows: 40)
    try session.expect("shelves> ")
    func type(_ line: String, _ text: String, prompt: String = "shelves>") throws {
      session.send(line + "\r")
      try session.expect(text)
      try session.expectPrompt(prompt)
    }
    try type("for i = 1, 9 do Book { shelf = Shelf { name = 's' .. i } } end save() print 'made'", "made\n")
    try type(".confirm 1", "\n")
    try type("Shelf:batchDelete('name != nil')", "error: ")
    try type("Book:batchUpdate('shelf != nil', { pages = 1000 })", "error: ")
    try type("for b in Book:all():each() do b.pages = 1000 end save()", "error: ", prompt: "shelves*9>")
    try type("Book:batchDelete('shelf != nil')", "error: ", prompt: "shelves*9>")
    #expect(!session.transcript.contains("go on?"), "\(session.transcript)")
  }

  @Test func whatTheStoreRefusesIsNotAskedAbout() throws {
    try setLimit("1")
    try type("Quake:batchUpdate('magnitude > 0', { code = 'same' })", expecting: "error: ")
    try type("for q in Quake:all():each() do q.code = 'same' end", expecting: "", prompt: "quakes*5>")
    try type("save()", expecting: "error: ", prompt: "quakes*5>")
    #expect(!session.transcript.contains("go on?"), "\(session.transcript)")
    try type("rollback()", expecting: "")
    try ask(
      "Quake:batchUpdate('magnitude > 0', { place = 'same' })", "this changes 5 Quake; go on?", answering: "y\r", "5")
  }

  @Test func aSaveOfManyChangesIsAskedAboutAndKeepsThemWhereItIsRefused() throws {
    try setLimit("3")
    try ask(
      "for q in Quake:all():each() do q.place = 'x' end save()", "this changes 5 Quake; go on?", answering: "\r",
      "not confirmed", prompt: "quakes*5>")
    try type("rollback()", expecting: "rolled back: 5 updated")
  }

  @Test func thePromptFollowsTheAnswerWithoutAnEmptyLine() throws {
    let session = try program.terminal("-q quakes.sqlite", columns: 100, rows: 24)
    try session.expect("quakes> ")
    session.send(".confirm 2\rfor q in Quake:all():each() do q.place = 'x' end\rsave()\r")
    try session.expect("go on? [y/N] ")
    session.send("y\r")
    try session.expect("y\nquakes> ")
  }

  @Test func sqlIsAskedAboutToo() throws {
    try setLimit("2")
    try ask(
      ".sql DELETE FROM quake WHERE magnitude > 1", "this deletes 5 rows of quake; go on? [y/N] ", answering: "n\r",
      ".sql: it was not confirmed, and nothing was written")
    try ask(
      "store:sql('DELETE FROM quake WHERE magnitude > ?', 2)", "this deletes 4 rows of quake; go on?", answering: "\r",
      "not confirmed")
    try ask(
      ".sql UPDATE quake SET place = 'y'", "this changes 5 rows of quake; go on?", answering: "y\r", "5 rows written")
    try ask(
      ".sql SELECT 1; WITH x AS (SELECT 3) DELETE FROM quake WHERE magnitude > (SELECT * FROM x); DELETE FROM report",
      "this deletes 3 rows of quake and deletes 1 row of report; go on?", answering: "n\r", "not confirmed")
    try type(".sql DELETE FROM quake WHERE code = 'us1'", expecting: "1 row written")
    try type("Quake:count()", expecting: "4")
  }

  @Test func takingBackASaveIsAskedAbout() throws {
    try setLimit("2")
    try type("for i = 1, 3 do Quake { code = 'n' .. i } end save()", expecting: "saved: 3 inserted")
    for line in [".undosave", "store:undoSave()"] {
      try ask(
        line, "this takes back the save of 20", answering: "n\r", "it was not confirmed, and nothing was written")
      #expect(session.transcript.contains("Z in this session: it deletes 3 Quake; go on? [y/N] n"))
    }
    try type("Quake:count()", expecting: "8")
    try ask(".undosave", "go on? [y/N]", answering: "y\r", "3 rows as before the save")
    // What comes back harms nothing.
    try type(".redosave", expecting: "3 rows as saved")
    try type("Quake:count()", expecting: "8")
  }

  @Test func whoSavedInAnotherSessionIsSaid() throws {
    let result = try program.run([
      "quakes.sqlite", "-e", "for i = 1, 101 do Quake { code = 'n' .. i } end save { author = 'import' }",
    ])
    #expect(result.status == 0, "\(result.errors)")
    try ask(
      ".undosave", "Z by import in another session: it deletes 101 Quake;", answering: "\r",
      "not confirmed")
  }

  @Test func theMakingOfAStoreIsNoStep() throws {
    try type(".undosave", expecting: "there is nothing to undo")
    try type("store:undoSave()", expecting: "there is nothing to undo")
    try type("Quake:count()", expecting: "5")
    // A store that is made at the prompt, and what its script does after its making, are.
    try type(
      "s = open('new.sqlite', { create = true, model = store.model }) s.entities.Quake { code = 'a' } s.context:save() s:close()",
      expecting: "saved: 1 inserted")
    let undone = try program.run(["new.sqlite", "-e", "store:undoSave() print(Quake:count())"])
    #expect(undone.output == "0\n", "\(undone.errors)")
    let own = try program.run(
      script: """
        local s <close> = open('own.sqlite', { create = true, model = open('quakes.sqlite').model })
        s.entities.Quake { code = 'a' } s.context:save()
        s.entities.Quake { code = 'b' } s.context:save()
        s:undoSave()
        print(s.entities.Quake:count())
        """)
    #expect(own.output == "1\n", "\(own.errors)")
    let later = try program.run(["own.sqlite", "-e", "print(pcall(store.undoSave, store))"])
    #expect(later.output.contains("there is nothing to undo"))
  }

  @Test func aSaveByCommandIsAskedAboutToo() throws {
    try setLimit("2")
    try type("for q in Quake:all():each() do q.place = 'x' end", expecting: "", prompt: "quakes*5>")
    try ask(".save", "this changes 5 Quake; go on?", answering: "n\r", "not confirmed", prompt: "quakes*5>")
    try ask(".save", "this changes 5 Quake; go on?", answering: "y\r", "5 changes saved")
  }

  @Test func whatIsRefusedAnywayIsNotAskedAbout() throws {
    let session = try program.terminal("-q --read-only quakes.sqlite", columns: 100, rows: 24)
    try session.expect("quakes:ro> ")
    session.send(".confirm 1\r")
    for line in ["Quake:batchDelete('magnitude > 0')", ".sql DELETE FROM quake", ".undosave"] {
      session.send(line + "\r")
      try session.expect("read-only")
      try session.expectPrompt("quakes:ro>")
    }
    #expect(!session.transcript.contains("go on?"))
  }

  @Test func controlCIsNo() throws {
    try setLimit("0")
    try ask("Quake:batchDelete('magnitude > 5')", "go on? [y/N] ", answering: "\u{3}", "stopped")
    try setLimit("off")
    try type("Quake:count()", expecting: "5")
  }

  @Test func fewChangesAndInsertsAreNotAskedAbout() throws {
    try setLimit("1")
    try type("for i = 1, 5 do Quake { code = 'n' .. i } end save()", expecting: "saved: 5 inserted")
    try type("Quake:batchDelete(\"code == 'n1'\")", expecting: "1")
    try type(".confirm", expecting: ".confirm 1")
    try type(".confirm many", expecting: "many")
  }

  @Test func whatIsTakenBackIsSaid() throws {
    try type(
      "q = Quake:first() q.place = 'y' q:delete()", expecting: "deleted, not saved yet: 1 Quake", prompt: "quakes*1>")
    try type("undo()", expecting: "undone: 1 deleted")
    try type("redo()", expecting: "redone: 1 deleted", prompt: "quakes*1>")
    try type("save()", expecting: "saved: 1 deleted")
  }

  @Test func whatABatchRequestHasSavedIsSaid() throws {
    try type("Quake:where('magnitude > 3'):update { place = 'z' }", expecting: "saved: 3 updated")
    try type("Quake:where('magnitude < 3'):delete()", expecting: "saved: 2 deleted")
    try type("Quake:where('magnitude > 99'):delete()", expecting: "\n0\n")
    #expect(!session.transcript.contains("saved: 0"))
  }

  @Test func aScriptIsNeverAsked() throws {
    let result = try program.run(
      ["quakes.sqlite", "-e", "print(Quake:batchDelete('magnitude > 0'))"])
    #expect(result.output.contains("5"))
  }
}
