import Foundation
import Modeling
import TestSupport
import Testing

/// With a store, a check notes which predicates and orders of scripts and Swift files no index serves, by the store's own plan.
@Suite struct PlanNotesTests {
  private static let model = """
    return Model { Item = Entity {
      name = String { indexed = true }, mass = Int, weight = Double, kind = String, time = Date,
      owner = ToOne "Owner" { inverse = "items" },
    }, Owner = Entity { name = String, items = ToMany "Item" { inverse = "owner" } } }
    """

  /// The bytes of a store of 2,000 items, each with another mass.
  private static let store = Result {
    let program = try filled(BuiltProgram(), 2_000)
    return try withExtendedLifetime(program) { try Data(contentsOf: URL(filePath: program.path("items.sqlite"))) }
  }

  /// A program with the store.
  private func program() throws -> BuiltProgram {
    let program = try BuiltProgram()
    try Self.store.get().write(to: URL(filePath: program.path("items.sqlite")))
    return program
  }

  private static func filled(_ program: BuiltProgram, _ items: Int, at store: String = "items.sqlite") throws
    -> BuiltProgram
  {
    try program.write("model.lua", model)
    try program.write(
      "fill.lua",
      "for i = 1, \(items) do Item { name = 'n' .. i, mass = i, weight = i % 2, kind = 'a', owner = nil } end save()")
    #expect(try program.run(["--create", store, "--model", "model.lua", "fill.lua"]).status == 0)
    return program
  }

  /// The notes on a file with a text.
  private func notes(
    _ program: BuiltProgram, _ name: String, _ text: String, _ option: String = "--store",
    _ store: String = "items.sqlite"
  ) throws
    -> [String]
  {
    try program.write(name, text)
    let result = try program.run(["check", "-q", name, option, store])
    #expect(result.status == 0, "\(result.errors)")
    return result.output.split(separator: "\n").map { String($0.dropFirst(name.count + 1)) }
  }

  private func swift(_ predicate: String) -> String {
    "let r = NSFetchRequest<Item>(entityName: \"Item\")\nr.predicate = \(predicate)\n"
  }

  @Test func aPredicateThatReadsAllIsNotedWithTheIndexThatHelps() throws {
    let program = try program()
    #expect(
      try notes(program, "a.lua", "print(Item:where 'mass > 1990')")
        == ["1:19: note: reads all 2,000 Item to find 10; an index on mass would help"])
    #expect(
      try notes(program, "a.swift", swift("NSPredicate(format: \"mass > 1990\")"))
        == ["2:36: note: reads all 2,000 Item to find 10; an index on mass would help"])
    #expect(
      try notes(program, "b.swift", "let d = FetchDescriptor<Item>(predicate: #Predicate { $0.mass > 1990 })")
        == ["1:42: note: reads all 2,000 Item to find 10; an index on mass would help"])
  }

  @Test func aPredicateThatNoIndexServesIsNotedWithTheReason() throws {
    #expect(
      try notes(try program(), "a.lua", "print(Item:where \"name CONTAINS '77'\")") == [
        "1:19: note: reads all 2,000 Item to find 38; no index finds name CONTAINS \"77\": it looks everywhere in the text"
      ])
  }

  @Test func valuesThatAreNotKnownChangeNoPlan() throws {
    let program = try program()
    let note = "note: reads all 2,000 Item; an index on mass would help"
    #expect(try notes(program, "a.lua", "print(Item:where('mass > %@', arg[1]))") == ["1:19: " + note])
    #expect(try notes(program, "a.swift", swift("NSPredicate(format: \"mass == %ld\", count)")) == ["2:36: " + note])
    #expect(try notes(program, "b.swift", swift("NSPredicate(format: \"name == %@\", name)")) == [])
  }

  @Test(
    arguments: [
      "print(Item:where \"name == 'n7'\")",
      // Most objects are wanted.
      "print(Item:where 'mass > 10')",
      // The rest of the chain finds them.
      "print(Item:where(\"name == 'n7'\"):where('mass > 1990'))",
      // All of it is computed, or narrowed elsewhere.
      "print(Item:where('mass > ' .. 3), Item:where(x):sorted('mass'))",
      "local all = Item:all():sorted('weight') return all",
      "return FetchRequest { entity = Item, predicate = 'mass > 1990', fetchLimit = 3 }",
    ])
  func whereAnIndexIsOfNoUseNothingIsSaid(text: String) throws {
    #expect(try notes(try program(), "a.lua", "local x = arg " + text) == [])
  }

  @Test func aSmallTableNeedsNoIndex() throws {
    #expect(try notes(try Self.filled(BuiltProgram(), 90), "a.lua", "print(Item:where 'mass > 88')") == [])
  }

  @Test func anOrderOfManyObjectsIsNoted() throws {
    let program = try program()
    let note = "note: sorts 2,000 Item in memory; an index on weight would help"
    #expect(
      try notes(program, "a.lua", "for i in Item:all():sorted('-weight'):each() do print(i) end") == ["1:29: " + note])
    #expect(
      try notes(
        program, "a.swift",
        "@FetchRequest(sortDescriptors: [NSSortDescriptor(key: \"weight\", ascending: true)])\n"
          + "var items: FetchedResults<Item>") == ["1:56: " + note])
    #expect(
      try notes(program, "b.swift", "@Query(sort: \\Item.weight) var items: [Item]") == ["1:14: " + note])
    // The predicate may leave few.
    #expect(
      try notes(
        program, "c.swift",
        "@FetchRequest(sortDescriptors: [NSSortDescriptor(key: \"weight\", ascending: true)], "
          + "predicate: NSPredicate(format: \"name == 'n7'\"))\nvar items: FetchedResults<Item>") == [])
  }

  @Test func aPartOfACompoundPredicateIsNotJudged() throws {
    #expect(
      try notes(
        try program(), "a.swift",
        "let p = NSPredicate(format: \"mass > 1990\")\n"
          + swift("NSCompoundPredicate(andPredicateWithSubpredicates: [p, q])")) == [])
  }

  @Test func aCommentSilencesANote() throws {
    #expect(
      try notes(try program(), "a.swift", swift("NSPredicate(format: \"mass > 1990\") // perilune: ignore rare"))
        == [])
  }

  @Test func aStoreMayStandForItsModel() throws {
    #expect(try notes(try program(), "a.lua", "print(Item:where 'mass > 1990')", "--model").count == 1)
  }

  @Test(.enabled(if: PostgresServer.isInstalled), arguments: ["--store", "--model"])
  func aServerIsAskedForItsPlans(option: String) throws {
    let server = try PostgresServer.shared.get()
    let address = server.address(of: try server.makeDatabase(for: "plans"))
    let program = try Self.filled(BuiltProgram(), 2_000, at: address)
    let note = "36: note: reads all 2,000 Item to find 10; an index on mass would help"
    #expect(
      try notes(program, "a.swift", swift("NSPredicate(format: \"mass > 1990\")"), option, address) == ["2:" + note])
    #expect(try notes(program, "b.swift", swift("NSPredicate(format: \"name == 'n7'\")"), option, address) == [])
    #expect(
      try notes(program, "a.lua", "for i in Item:all():sorted('-weight'):each() do print(i) end", option, address)
        == ["1:29: note: sorts 2,000 Item in memory; an index on weight would help"])
  }
}
