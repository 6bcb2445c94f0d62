import Foundation
import LuaBindings
import TestSupport
import Testing

/// Relationships in memory only.
@Suite struct TransientRelationshipTests {
  private static let model = """
    use(open(":memory:", { model = Model {
      User = Entity { name = String, missed = ToMany "Message" { inverse = "missing", transient = true } },
      Message = Entity {
        text = String,
        missing = ToMany "User" { inverse = "missed", transient = true },
        draft = ToOne "User" { unidirectional = true, transient = true, optional = false },
      },
    } }))
    anna, bert = User { name = "Anna" }, User { name = "Bert" }
    hello = Message { text = "hello" }
    """

  @Test func aTransientRelationshipIsKeptInMemoryAndNotSaved() throws {
    let script = try Script()
    try script.run(Self.model + "hello.missing = { anna, bert } hello.draft = bert save()")
    #expect(try script.value("#hello.missing, hello.missing[1] == anna, hello.draft == bert") == "2 true true")
    #expect(try script.value("anna.missed[1] == hello, context.hasChanges") == "true false")
    #expect(
      try script.value("store:sql([[SELECT group_concat(name) AS n FROM pragma_table_info('message')]])[1].n")
        == "_pk,text")
    try script.run("anna:delete()")
    #expect(try script.value("#hello.missing") == "1")
    try script.run("save()")
    #expect(try script.value("#hello.missing, hello.missing[1].name") == "1 Bert")
    try script.run("context:refreshAllObjects()")
    #expect(try script.value("#hello.missing, hello.draft, #bert.missed") == "0 nil 0")
  }

  @Test func aTransientRelationshipIsTakenBack() throws {
    let script = try Script()
    try script.run(
      Self.model + "save() context:processPendingChanges() hello.missing = { anna } context:processPendingChanges()")
    try script.run("hello.missing:remove(anna) hello.missing:add(bert) context:processPendingChanges() undo()")
    #expect(try script.value("#hello.missing, hello.missing[1].name, #bert.missed, #anna.missed") == "1 Anna 0 1")
    try script.run("redo()")
    #expect(try script.value("hello.missing[1].name, #anna.missed") == "Bert 0")
  }

  @Test func aChildSavesTransientRelationshipsIntoItsParent() throws {
    let script = try Script()
    try script.run(
      Self.model + """
        save() child = context:newChild()
        mine = child.entities.Message:first()
        mine.text = "bye" mine.missing = { child.entities.User { name = "Carl" } } child:save() save()
        """)
    #expect(try script.value("hello.text, hello.missing[1].name, mine.missing[1].name") == "bye Carl Carl")
  }

  @Test func theStoreCannotBeAskedForATransientRelationship() throws {
    let script = try Script()
    try script.run(Self.model + "save()")
    let refusal = "Message.missing, a transient relationship, which the store does not have"
    for predicate in [
      "ANY missing.name == 'a'", "missing.@count > 0", "SUBQUERY(missing, $m, $m.name == 'a').@count > 0",
    ] {
      #expect(script.error("Message:where(\"\(predicate)\"):all()")?.contains(refusal) == true, "\(predicate)")
    }
    #expect(script.error("Message:where('draft == nil'):all()")?.contains("Message.draft, a transient") == true)
    #expect(script.error("Message:where('draft.name == \"a\"'):all()")?.contains("Message.draft, a transient") == true)
  }

  @Test func aTransientRelationshipIsNoMigration() throws {
    let script = try Script()
    let path = TemporaryFolder.ofThisRun.appendingPathComponent("\(UUID().uuidString).sqlite").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let stays = "A = Entity { name = String"
    try script.run(
      """
      local s = open('\(path)', { create = true, model = Model { \(stays), bs = ToMany 'B' { unidirectional = true } }, B = Entity { t = String } } })
      use(s) A { name = 'a', bs = { B { t = 'b' } } } save() s:close()
      local transient = Model { \(stays), bs = ToMany 'B' { unidirectional = true, transient = true } }, B = Entity { t = String } }
      refused = select(2, pcall(open, '\(path)', { model = transient })).details[1].message
      s = open('\(path)', { model = transient, migrate = true, backup = false })
      use(s) gone = #A:first().bs s:close()
      s = open('\(path)', { create = true, model = Model { \(stays), bs = ToMany 'B' { unidirectional = true } }, B = Entity { t = String } } })
      use(s) back = #A:first().bs A:first().bs = { B:first() } save() full = #A:first().bs s:close()
      """)
    #expect(try script.value("gone, back, full, refused") == "0 0 1 A.bs: 1 link would be lost")
  }

  @Test func aTransientRelationshipIsPrintedBackAsOne() throws {
    let script = try Script()
    try script.run(Self.model)
    #expect(try script.value("(store.model:source())").contains("transient = true"))
    #expect(try script.value("(store.model:source('swiftData'))").contains("@Transient var missing: [User] = []"))
  }
}
