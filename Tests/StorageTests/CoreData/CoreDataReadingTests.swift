import Foundation
import Modeling
import Queries
import Testing

@testable import Storage

@Suite struct CoreDataReadingTests {
  let app: AppStore
  init() throws { app = try AppStore() }

  @Test func aStoreIsOpenedByTheModelThatItKeeps() throws {
    let store = try app.open()
    #expect(store.kind == .coreData && store.isReadOnly && store.notes.isEmpty)
    #expect(store.model.entities.map(\.name) == ["Cuisine", "Ingredient", "Recipe", "PartyRecipe", "Step"])
    let recipe = try #require(store.model.entity(named: "Recipe"))
    #expect(recipe.property(named: "cost")?.attribute?.type == .decimal)
    #expect(recipe.property(named: "steps")?.relationship?.isOrdered == true)
    #expect(recipe.property(named: "steps")?.relationship?.deleteRule == .cascade)
    #expect(recipe.property(named: "title")?.attribute?.isOptional == false)
    #expect(store.model.entity(named: "Ingredient")?.uniquenessConstraints == [["name"]])
    #expect(store.model.entity(named: "PartyRecipe")?.parent?.name == "Recipe")
  }

  @Test func valuesAreReadInEachOfTheirForms() throws {
    let store = try app.open()
    #expect(try store.values("createdAt", of: "Recipe").first == .date(Timestamp(1_706_832_000)))
    #expect(try store.values("cost", of: "Recipe").first == .decimal(Decimal(string: "3.2")!))
    #expect(
      try store.values("isFavorite", of: "Recipe").map { $0 == .bool(true) } == [true, false, true, false, false])
    guard case .uuid? = try store.values("id", of: "Recipe").first else { throw NothingThere() }
    #expect(try store.values("tags", of: "Recipe")[0] == .json(.array([.string("sweet"), .string("quick")])))
    #expect(try store.values("tags", of: "Recipe")[3] == .null)
    #expect(try store.values("guests", of: "PartyRecipe") == [.int(8)])
  }

  @Test func dataInAFileIsReadFromThereAndDataInTheColumnWithoutItsMark() throws {
    let photos = try app.open().values("photo", of: "Recipe")
    #expect(photos[0] == .data((0..<2048).map { UInt8(truncatingIfNeeded: $0) }))
    #expect(photos[1] == .data([0x89, 0x50, 0x4E, 0x47]))
    #expect(photos[2] == .null)
  }

  @Test func aFileThatIsGoneLeavesTheMark() throws {
    try FileManager.default.removeItem(atPath: app.folder.file(".Recipes_SUPPORT"))
    guard case .data(let bytes) = try app.open().values("photo", of: "Recipe")[0] else { throw NothingThere() }
    #expect(bytes.first == 2 && bytes.count == 38)
  }

  @Test func aMarkNeverLeadsOutOfTheFolder() throws {
    _ = try sqlite3(
      app.path, "UPDATE ZRECIPE SET ZPHOTO = x'02' || CAST('../../secret' AS BLOB) || x'00' WHERE Z_PK = 1")
    try Data("secret".utf8).write(to: URL(fileURLWithPath: app.folder.file("secret")))
    #expect(try app.open().values("photo", of: "Recipe")[0] != .data(Array("secret".utf8)))
  }

  @Test func relationshipsLeadAsTheAppSetThem() throws {
    let store = try app.open()
    let recipe = try #require(store.model.entity(named: "Recipe"))
    func members(_ name: String, _ owner: Int64) throws -> [Int64] {
      try store.members(of: try #require(recipe.index(of: name)), in: recipe, owners: [owner]).map(\.member)
    }
    #expect(try members("steps", 1) == [1, 2, 3])
    #expect(try members("ingredients", 4).sorted() == [1, 2, 5])
    #expect(try store.keys("Recipe", "cuisine.name == 'Mexican'") == [3, 4])
    #expect(try store.keys("Step", "recipe.title == 'Tacos'").count == 2)
    #expect(try store.keys("Ingredient", "ANY recipes.title == 'Omelette'") == [1, 3])
  }

  @Test func theOrderOfMembersIsThatOfTheOrderKeys() throws {
    _ = try sqlite3(app.path, "UPDATE ZSTEP SET Z_FOK_RECIPE = 100 WHERE Z_PK = 3")
    let store = try app.open()
    let recipe = try #require(store.model.entity(named: "Recipe"))
    let steps = try store.members(of: try #require(recipe.index(of: "steps")), in: recipe, owners: [1]).map(\.member)
    #expect(steps == [3, 1, 2])
  }

  @Test func anEntityHasItsOwnRowsAndThoseOfItsSubentities() throws {
    let store = try app.open()
    #expect(try store.keys("Recipe", "TRUEPREDICATE") == [1, 2, 3, 4, 5])
    #expect(try store.keys("PartyRecipe", "TRUEPREDICATE") == [3])
    #expect(try store.values("title", of: "PartyRecipe") == ["Tacos".value])
  }

  @Test(arguments: [
    ("createdAt >= %@", "ZCREATEDAT >= "), ("createdAt == %@", "ZCREATEDAT = "), ("%@ > createdAt", "ZCREATEDAT < "),
  ])
  func aDateIsComparedInTheColumnSoThatAnIndexCanServe(format: String, part: String) throws {
    let store = try app.open()
    var request = FetchRequest(try #require(store.model.entity(named: "Recipe")))
    request.predicate = try Predicate.parse(format, arguments: [.value(.date(Timestamp(1_714_867_200)))])
    #expect(try RequestSQL(request, store.schema).keys().text.contains(part))
    let memory = try store.values("createdAt", of: "Recipe")
    #expect(
      try store.keys(request).count
        == memory.count { value in
          guard case .date(let date) = value else { return false }
          switch format.first {
          case "%": return date.seconds < 1_714_867_200
          default: return format.contains("==") ? date.seconds == 1_714_867_200 : date.seconds >= 1_714_867_200
          }
        })
  }

  @Test func aUUIDIsComparedByItsBytes() throws {
    let store = try app.open()
    guard case .uuid(let id) = try store.values("id", of: "Recipe")[1] else { throw NothingThere() }
    var request = FetchRequest(try #require(store.model.entity(named: "Recipe")))
    for value in [Value.uuid(id), .string(id.uuidString.lowercased())] {
      request.predicate = try Predicate.parse("id == %@", arguments: [.value(value)])
      #expect(try RequestSQL(request, store.schema).keys().text.contains("t0.ZID = "))
      #expect(try store.keys(request) == [2])
    }
  }

  @Test func partsOfDatesSumsAndArchivesAreAskedInTheStore() throws {
    let store = try app.open()
    #expect(try store.keys("Recipe", "month(createdAt) == '2024-05'") == [3])
    #expect(try store.keys("Recipe", "cost > 3.5") == [3, 4])
    #expect(try store.keys("Recipe", "ANY tags == 'quick'") == [1, 2, 5])
    #expect(try store.keys("Recipe", "steps.@sum.minutes == 50") == [1])
    #expect(try store.keys("Recipe", "photo == nil") == [3, 4, 5])
  }

  // MARK: The file

  @Test func readingLeavesEveryByteAsItWas() throws {
    let before = try app.contents()
    do {
      let store = try app.open()
      _ = try store.values("title", of: "Recipe")
      store.close()
    }
    #expect(try app.contents() == before)
    #expect(!FileManager.default.fileExists(atPath: app.path + "-shm"))
  }

  @Test func whatIsOnlyInTheWriteAheadLogIsReadAndStaysThere() throws {
    let other = try OtherProcess(
      app.path, "PRAGMA wal_autocheckpoint = 0; INSERT INTO ZCUISINE VALUES (4, 1, 1, 'Thai');")
    defer { try? other.end() }
    let log = FileManager.default.contents(atPath: app.path + "-wal")
    let store = try app.open()
    #expect(try store.values("name", of: "Cuisine").last == "Thai".value)
    store.close()
    #expect(log?.isEmpty == false && FileManager.default.contents(atPath: app.path + "-wal") == log)
  }

  @Test func inAFolderThatIsNotOursACopyIsReadAndNothingIsMade() throws {
    let other = try OtherProcess(
      app.path, "PRAGMA wal_autocheckpoint = 0; INSERT INTO ZCUISINE VALUES (4, 1, 1, 'Thai');")
    let log = try #require(FileManager.default.contents(atPath: app.path + "-wal"))
    let main = try #require(FileManager.default.contents(atPath: app.path))
    try other.end()
    try log.write(to: URL(fileURLWithPath: app.path + "-wal"))
    try main.write(to: URL(fileURLWithPath: app.path))
    let before = try app.contents()
    chmod(app.folder.path, 0o555)
    defer { chmod(app.folder.path, 0o755) }
    let store = try app.open()
    #expect(try store.values("name", of: "Cuisine").last == "Thai".value)
    #expect(store.isReadOnly && store.notes.contains { $0.contains("a copy of the file") })
    store.close()
    #expect(try app.contents() == before)
  }

  // MARK: Bad input

  @Test(arguments: [
    ("x''", "keeps no model"), ("NULL", "keeps no model"), ("x'0102030405'", "is damaged"),
    ("substr(Z_CONTENT, 1, 400)", "is damaged"), ("zeroblob(100000)", "is damaged"),
    // A property list, {}, that is no archive.
    ("x'4b2ac8c92c2e3130b8c0c100068c8c0c5006032ae00400'", "is damaged"),
  ])
  func withoutTheModelNamesAreReadOffTheTables(cache: String, told: String) throws {
    _ = try sqlite3(app.path, "UPDATE Z_MODELCACHE SET Z_CONTENT = \(cache)")
    let store = try app.open()
    #expect(store.notes.contains { $0.contains(told) }, "\(store.notes)")
    #expect(try store.values("title", of: "Recipe").first == "Crêpes".value)
    #expect(try store.values("createdat", of: "Recipe").first == .date(Timestamp(1_706_832_000)))
    #expect(try store.keys("Step", "recipe.title == 'Tacos'").count == 2)
    #expect(try store.keys("Recipe", "ANY steps.minutes == 30") == [1])
    #expect(try store.keys("Recipe", "cuisine.name == 'Mexican'") == [3, 4])
  }

  @Test func whatTheFileDoesNotHaveIsNamedAndTheRestStandsToUse() throws {
    _ = try sqlite3(app.path, "DROP INDEX ZRECIPE_ZCUISINE_INDEX; ALTER TABLE ZRECIPE DROP COLUMN ZCUISINE;")
    _ = try sqlite3(app.path, "ALTER TABLE ZRECIPE DROP COLUMN ZRATING; DROP TABLE Z_2RECIPES; DROP TABLE ZINGREDIENT;")
    let store = try app.open()
    #expect(
      store.notes.contains { $0.contains("Recipe.cuisine") } && store.notes.contains { $0.contains("Ingredient") })
    #expect(store.notes.contains { $0.contains("Recipe.rating") })
    #expect(store.model.entity(named: "Ingredient") == nil)
    #expect(store.model.entity(named: "Recipe")?.index(of: "rating") == nil)
    #expect(try store.values("title", of: "Recipe").count == 5)
  }

  @Test(arguments: [
    "UPDATE Z_METADATA SET Z_PLIST = NULL", "UPDATE Z_METADATA SET Z_PLIST = x'62706C697374'", "DELETE FROM Z_METADATA",
    "UPDATE ZRECIPE SET ZCUISINE = 999", "UPDATE ZRECIPE SET Z_ENT = 77", "UPDATE ZSTEP SET Z_FOK_RECIPE = NULL",
    "UPDATE ZRECIPE SET ZTAGS = x'62706C69737430303030', ZID = x'01', ZCREATEDAT = 'soon'",
  ])
  func whatIsWrongInTheFileLosesNothingElse(damage: String) throws {
    _ = try sqlite3(app.path, damage)
    let store = try app.open()
    #expect(try store.values("title", of: "Recipe").count == 5)
    for name in ["tags", "id", "createdAt", "photo", "cost"] { _ = try store.values(name, of: "Recipe") }
    _ = try store.keys("Recipe", "cuisine.name == 'French' OR ANY steps.minutes > 3 OR tags CONTAINS 'quick'")
  }

  @Test func aFileWithoutZTablesIsNoCoreDataStore() throws {
    for (name, sql) in [
      ("a", "CREATE TABLE Z_METADATA (a)"), ("b", "CREATE TABLE Z_METADATA (a); CREATE TABLE Z_PRIMARYKEY (a)"),
    ] {
      let path = try app.folder.database(name + ".sqlite", sql)
      #expect(try SQLiteStore(StoreOptions(path: path)).kind == .sqlite)
    }
  }

  @Test func bookkeepingWithoutTablesIsRefusedInWords() throws {
    let path = try app.folder.database(
      "bare.sqlite",
      """
      CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR, Z_PLIST BLOB);
      CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
      INSERT INTO Z_PRIMARYKEY VALUES (1, 'Gone', 0, 3), (2, 'Loop', 2, 0), (3, 'Orphan', 9, 0);
      """)
    let store = try SQLiteStore(StoreOptions(path: path))
    #expect(store.model.entities.isEmpty)
  }
}
