import Foundation
import TestSupport
import Testing

/// What deleting does to those that lead to what is deleted.
@Suite final class DeleteTests {
  private let folder = TemporaryFolder.ofThisRun.appendingPathComponent("perilune-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private static let drinks = """
    use(open(":memory:", { model = Model {
      Bottle = Entity { name = String },
      Drink = Entity { name = String, base = ToOne "Bottle" { optional = false }, garnish = ToOne "Bottle" },
      Shelf = Entity { name = String, bottles = ToMany "Bottle" { optional = false } },
      House = Entity { name = String, cats = ToMany "Cat" { inverse = "house", optional = false } },
      Cat = Entity { name = String, house = ToOne "House" { inverse = "cats" } },
    } }))
    gin, rum = Bottle { name = "gin" }, Bottle { name = "rum" }
    for _, name in ipairs { "Negroni", "Martini", "Gimlet", "Fizz" } do Drink { name = name, base = gin } end
    daiquiri = Drink { name = "Daiquiri", base = rum, garnish = gin }
    save()
    """

  @Test(arguments: ["Bottle:batchDelete(\"name == 'last'\")", "Cat:batchDelete(\"name == 'last'\")"])
  func keysOfRowsThatABatchDeletedAreNotGivenAgain(_ delete: String) throws {
    let script = try Script()
    try script.run(Self.drinks)
    let entity = String(delete.prefix { $0 != ":" })
    try script.run(
      "local o = \(entity) { name = 'last' } save() before = tostring(o.objectID) o = nil collectgarbage() \(delete)")
    try script.run("local o = \(entity) { name = 'next' } save() after = tostring(o.objectID)")
    #expect(try script.value("before ~= after") == "true")
  }

  @Test func deletingAnObjectThatAMandatoryToOneHoldsIsRefused() throws {
    let script = try Script()
    try script.run(Self.drinks)
    let refusal =
      "Bottle 1: cannot be deleted: 4 objects of Drink need it as base, which is mandatory: Negroni, Martini, Gimlet and 1 more"
    #expect(script.error("gin:delete() save()") == refusal)
    #expect(
      try script.values(
        """
        local _, error = pcall(save)
        local detail = error.details[1]
        return error.kind, detail.rule, detail.entity, detail.value, detail.holder, detail.holderProperty, detail.holders
        """) == ["validation", "deleteDenied", "Bottle", "4", "Drink", "base", "Negroni, Martini, Gimlet"])
    #expect(script.error("gin:validate()") == refusal)
    #expect(try script.value("Drink:where 'base == nil':count()") == "0")
    // What leads elsewhere, or goes too, holds nothing.
    try script.run("for drink in Drink:where('base == %@', gin):each() do drink.base = rum end save()")
    #expect(try script.value("Bottle:count(), daiquiri.garnish") == "1 nil")
    try script.run(
      "Drink:first():delete() for drink in Drink:all():each() do drink:delete() end rum:delete() save()")
    #expect(try script.value("Bottle:count() + Drink:count()") == "0")
  }

  @Test func aDiffShowsWhatDeletingEmpties() throws {
    let script = try Script()
    try script.run(Self.drinks + "daiquiri.base = gin save() rum:delete() gin:delete() daiquiri.name = 'D'")
    let lines = try script.value("context:diff()").split(separator: "\n").map(String.init)
    #expect(lines.count == 7)
    #expect(lines.contains("~ Drink Negroni  base: Bottle/1 → nil (as that is deleted)"))
    #expect(
      lines.contains { $0.hasPrefix("~ Drink D  name:") && $0.contains("garnish: Bottle/1 → nil (as that is deleted)") }
    )
    #expect(try script.value("context:diff().updated[2].changes[1].cause == gin") == "true")
    try script.run("rollback() cat = Cat { name = 'Tom' } House { name = 'h', cats = { cat } } cat.house:delete()")
    #expect(try script.value("#context:diff().updated") == "0")
  }

  @Test func whatIsUnsavedLeadsNowhereWhenWhatItLedToIsDeleted() throws {
    let script = try Script()
    try script.run(Self.drinks + "new = Drink { name = 'n', base = rum, garnish = gin } daiquiri.garnish = rum")
    try script.run("Drink:batchDelete('base == %@', gin) gin:delete() save()")
    #expect(
      try script.value("new.garnish, daiquiri.garnish, context.hasChanges") == "nil Bottle/2 { name = \"rum\" } false")
    #expect(
      script.error("Drink { name = 'm', base = Bottle { name = 'b' } } Bottle:first 'name == \"b\"':delete() save()")
        != nil)
  }

  @Test func toManysThatMustHaveMembersKeepTheirLast() throws {
    let script = try Script()
    try script.run(Self.drinks + "h = House { name = 'h', cats = { Cat { name = 'a' }, Cat { name = 'b' } } }")
    try script.run("lone = Bottle { name = 'lone' } Shelf { name = 's', bottles = { lone } } save()")
    try script.run("Cat:first():delete() save()")
    #expect(script.error("Cat:first():delete() save()") == "House 1: cats is missing")
    #expect(script.error("rollback() Cat:first().house = nil save()") == "House 1: cats is missing")
    #expect(script.error("rollback() lone:delete() save()") == "Shelf 1: bottles is missing")
    try script.run("rollback() lone:delete() Shelf:first():delete() h:delete() save()")
    #expect(try script.value("Bottle:count(), Cat:first().house") == "2 nil")
  }

  @Test func aChildsDeletionIsHeldByWhatTheParentHas() throws {
    let script = try Script()
    try script.run(Self.drinks + "child = context:newChild() mine = child.entities.Bottle:first 'name == \"gin\"'")
    #expect(script.error("mine:delete() child:save()")?.contains("4 objects of Drink need it as base") == true)
    try script.run("for drink in Drink:where('base == %@', gin):each() do drink.base = rum end child:save()")
    #expect(
      try script.value("context:diff()").contains("~ Drink Daiquiri  garnish: Bottle/1 → nil (as that is deleted)"))
    try script.run("save()")
    #expect(try script.value("Bottle:count(), daiquiri.garnish") == "1 nil")
  }

  /// Every kind of store and relationship: a mandatory one is never empty after a save, and one that became empty was
  /// reported.
  @Test(arguments: ["own", "plain", "overlaid"], ["none", "nullify", "noAction", "cascade", "deny"])
  func noDeletionEmptiesWhatIsMandatoryOrSaysNothing(kind: String, rule: String) throws {
    for isMandatory in [false, true] {
      for way in ["object", "child", "batch"] {
        let script = try Script()
        try script.run(try store(kind, rule, isMandatory))
        try script.run("w1, w2 = Whole { name = 'a' }, Whole { name = 'b' } Part { name = 'p', whole = w1 }")
        try script.run("Part { name = 'q', whole = w2 } save() id = w1.objectID told = ''")
        let chunk =
          switch way {
          case "object": "w1:delete() told = tostring(context:diff()) save()"
          case "child":
            "local c = context:newChild() c.entities.Whole:first 'name == \"a\"':delete() told = tostring(c:diff()) c:save() save()"
          default: "Whole:batchDelete('name == \"a\"')"
          }
        let failure = script.error(chunk)
        try script.run("rollback() context:refreshAllObjects()")
        let parts = try script.value("Part:where 'name == \"p\"':count()")
        let isEmpty = try script.value("Part:where 'name == \"p\" AND whole == nil':count()") == "1"
        let note: Comment = "\(kind) \(rule) \(isMandatory) \(way): \(failure ?? "done")"
        #expect(!(isEmpty && isMandatory), note)
        #expect(try script.value("Whole:where 'name == \"a\"':count()") == (failure == nil ? "0" : "1"), note)
        if isEmpty, way != "batch" { #expect(try script.value("told").contains("(as that is deleted)"), note) }
        if isMandatory, rule == "nullify" || rule == "none" {
          #expect(failure?.contains("mandatory") == true || failure?.contains("missing") == true, note)
        }
        if rule == "cascade" { #expect(failure == nil && parts == "0", note) }
        if rule == "deny" { #expect(failure != nil, note) }
        // A file of another program keeps a reference that the model gives no way back: its foreign keys are its own.
        let isKept = kind == "overlaid" && rule == "none"
        if !isMandatory, rule == "nullify" || rule == "none" { #expect(failure == nil && isEmpty != isKept, note) }
      }
    }
  }

  private func store(_ kind: String, _ rule: String, _ isMandatory: Bool) throws -> String {
    let inverse = rule == "none" ? "" : "inverse = 'parts', "
    let parts = rule == "none" ? "" : ", parts = ToMany 'Part' { inverse = 'whole', deleteRule = '\(rule)' }"
    let model = """
      Model {
        Whole = Entity { name = String\(parts) },
        Part = Entity { name = String, whole = ToOne 'Whole' { \(inverse)optional = \(!isMandatory) } },
      }
      """
    if kind == "own" { return "use(open(':memory:', { model = \(model) }))" }
    let path = folder.path + "/\(UUID().uuidString).sqlite"
    let action =
      switch rule {
      case "cascade": "CASCADE"
      case "nullify", "none": "SET NULL"
      default: "NO ACTION"
      }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/sqlite3")
    process.arguments = [
      path,
      """
      CREATE TABLE whole (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE part (id INTEGER PRIMARY KEY, name TEXT,
        whole_id INTEGER \(isMandatory ? "NOT NULL" : "") REFERENCES whole(id) ON DELETE \(action));
      """,
    ]
    try process.run()
    process.waitUntilExit()
    return kind == "plain" ? "use(open('\(path)'))" : "use(open('\(path)', { model = \(model) }))"
  }
}
