import TestSupport
import Testing

/// An object whose row went without its context is deleted: by `undoSave`, by SQL, by another context.
@Suite struct GoneRowTests {
  private static let model = """
    Model {
      Note = Entity { text = String, book = ToOne "Book" { inverse = "notes" }, tags = ToMany "Tag" { inverse = "notes" } },
      Book = Entity { title = String, notes = ToMany "Note" { inverse = "book" } },
      Tag = Entity { name = String, notes = ToMany "Note" { inverse = "tags" } },
    }
    """
  private static let ways = [
    "save() store:undoSave()", "save() store:sql 'DELETE FROM book'",
    "save() local o = store:newContext() o.entities.Book:find(b.objectID):delete() o:save()",
    "save() Book:batchDelete 'TRUEPREDICATE'", "save() b:delete() save()",
  ]

  @Test(arguments: ways, [true, false]) func itIsDeletedAndNoTarget(_ way: String, _ isOnServer: Bool) throws {
    let script = try Script()
    if isOnServer {
      guard PostgresServer.isInstalled else { return }
      let server = try PostgresServer.shared.get()
      let address = try server.address(of: server.makeDatabase(for: "gone"))
      try script.run("use(open('\(address)', { create = true, model = \(Self.model) }))")
    } else {
      try script.run("use(open(':memory:', { model = \(Self.model) }))")
    }
    try script.run("b = Book { title = 'B' } \(way)")
    #expect(try script.value("b.isDeleted, tostring(b)") == "true Book/1 (deleted)")
    for use in [
      "Note { text = 'x', book = b }", "local n = Note { text = 'x' } n.book = b", "b.notes = { Note { text = 'x' } }",
      "b.notes:add(Note { text = 'x' })",
    ] {
      #expect(script.error(use)?.contains("Book/1 was deleted") == true, "\(use): \(script.error(use) ?? "no error")")
      try script.run("rollback()")
    }
  }

  @Test func membersThatAreGoneAreRefused() throws {
    let script = try Script()
    try script.run(
      """
      use(open(':memory:', { model = \(Self.model) }))
      n, t = Note { text = 'n' }, Tag { name = 't' } save()
      store:sql 'DELETE FROM tag'
      """)
    for use in ["n.tags:add(t)", "n.tags = { t }"] {
      #expect(script.error(use)?.contains("Tag/1 was deleted") == true)
    }
    #expect(try script.value("#n.tags, context.hasChanges") == "0 false")
  }

  @Test func aRedoBringsTheSameObjectBack() throws {
    let script = try Script()
    try script.run("use(open(':memory:', { model = \(Self.model) })) b = Book { title = 'B' } save() store:undoSave()")
    #expect(try script.value("b.isDeleted") == "true")
    try script.run("store:redoSave()")
    #expect(try script.value("b.isDeleted, b.title, Book:first() == b") == "false B true")
  }
}
