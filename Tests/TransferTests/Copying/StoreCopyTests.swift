import Foundation
import Modeling
import Queries
import SQLiteStorage
import Stores
import TestSupport
import Testing
import Transfer

@Suite struct StoreCopyTests {
  @Test func anAppsStoreBecomesOneOfOurOwn() throws {
    let app = try AppStore()
    let source = try app.open()
    var options = StoreOptions(path: app.folder.file("own.sqlite"))
    (options.create, options.model) = (true, source.model)
    let target = try SQLiteStore(options)
    let report = try StoreCopy(from: source, to: target).run()
    #expect(report.leftOut.isEmpty, "\(report.leftOut)")
    #expect(report.counts == ["Cuisine": 3, "Ingredient": 7, "Recipe": 4, "PartyRecipe": 1, "Step": 10])
    for name in ["title", "createdAt", "cost", "id", "tags", "photo", "isFavorite", "rating"] {
      let format = "TRUEPREDICATE"
      func texts(_ store: SQLiteStore) throws -> [String] {
        try store.values(name, of: "Recipe", where: format).map { "\($0)" }.sorted()
      }
      #expect(try texts(source) == texts(target), "\(name)")
    }
    for format in [
      "cuisine.name == 'Mexican'", "ANY ingredients.name == 'egg'", "ANY steps.text == 'Shape'", "steps.@count == 3",
      "ingredients.@count == 3",
    ] {
      #expect(try source.keys("Recipe", format).count == target.keys("Recipe", format).count, "\(format)")
    }
    let recipe = try #require(target.model.entity(named: "Recipe"))
    let owner = try #require(try target.keys("Recipe", "title == 'Crêpes'").first)
    let steps = try target.members(of: try #require(recipe.index(of: "steps")), in: recipe, owners: [owner]).map(
      \.member)
    #expect(
      try steps
        == [1, 2, 3].map { number in
          try target.keys(
            "Step",
            ["text == 'Stir flour, eggs and milk'", "text == 'Let it rest'", "text == 'Fry thin ones in butter'"][
              number - 1])[0]
        })
    #expect(try target.checkInvariants().isEmpty)
  }

  @Test func whatTheTargetHasNoPlaceForIsNamed() throws {
    let app = try AppStore()
    let source = try app.open()
    var options = StoreOptions(path: app.folder.file("own.sqlite"))
    options.create = true
    options.model = try Model([
      EntityDescription("Recipe", properties: [.attribute(Attribute("title", .string))])
    ])
    let report = try StoreCopy(from: source, to: SQLiteStore(options)).run()
    #expect(report.counts["Recipe"] == 4)
    #expect(report.leftOut.contains("Cuisine") && report.leftOut.contains("Recipe.cost"))
  }

  @Test func aStoreIsNotCopiedIntoItselfNorIntoOneThatIsOnlyRead() throws {
    let app = try AppStore()
    let source = try app.open()
    #expect(throws: StoreError(.sameStore, path: app.path)) { try StoreCopy(from: source, to: source) }
    #expect(
      caseName(#expect(throws: StoreError.self) { try StoreCopy(from: source, to: try AppStore().open()) }?.fact)
        == "coreDataReadOnly")
  }

  @Test func aStoreIsNotCopiedIntoItselfUnderAnotherName() throws {
    let app = try AppStore()
    try FileManager.default.createSymbolicLink(
      atPath: app.folder.file("link.sqlite"), withDestinationPath: app.path)
    for path in [app.folder.file("link.sqlite"), app.folder.path + "/./Recipes.sqlite"] {
      var options = StoreOptions(path: path)
      options.writesCoreData = true
      let target = try SQLiteStore(options)
      #expect(fact { try StoreCopy(from: try app.open(), to: target) } == .sameStore)
    }
    var options = StoreOptions(path: ":memory:")
    (options.create, options.model) = (true, try app.open().model)
    let (first, second) = (try SQLiteStore(options), try SQLiteStore(options))
    #expect(fact { try StoreCopy(from: first, to: second) } == nil)
  }

  @Test func valuesWhoseFilesAreMissingAreLeftOutByName() throws {
    let app = try AppStore()
    try FileManager.default.removeItem(atPath: app.folder.file(".Recipes_SUPPORT"))
    let source = try app.open()
    #expect(source.notes.contains { $0.contains("ZRECIPE.ZPHOTO") && $0.contains("_EXTERNAL_DATA") })
    var options = StoreOptions(path: ":memory:")
    (options.create, options.model) = (true, source.model)
    let target = try SQLiteStore(options)
    let report = try StoreCopy(from: source, to: target).run()
    #expect(report.leftOut == ["Recipe.photo: 1 value, whose file is missing"])
    #expect(try target.values("photo", of: "Recipe", where: "title == 'Crêpes'") == [.null])
  }
}
