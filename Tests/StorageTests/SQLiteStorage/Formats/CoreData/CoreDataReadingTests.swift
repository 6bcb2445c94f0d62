import Foundation
import Modeling
import Queries
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

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

  @Test func dataWhoseFileIsGoneIsNilAndTold() throws {
    let files = app.folder.file(".Recipes_SUPPORT/_EXTERNAL_DATA")
    for name in try FileManager.default.contentsOfDirectory(atPath: files) {
      try FileManager.default.removeItem(atPath: files + "/" + name)
    }
    for _ in 0..<2 {
      let store = try app.open()
      #expect(try store.values("photo", of: "Recipe")[0] == .null)
      #expect(store.notes.contains { $0.contains("ZRECIPE.ZPHOTO") && $0.contains("read as nil") })
      let opened = try store.connection.first(
        "SELECT external_data(ZPHOTO) FROM ZRECIPE WHERE substr(ZPHOTO, 1, 1) = x'02'")
      #expect(opened == .null)
      store.close()
      // The folder may be missing as a whole, too.
      try? FileManager.default.removeItem(atPath: app.folder.file(".Recipes_SUPPORT"))
    }
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
}
