import Modeling
import Queries
import Testing

@testable import Storage

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
    #expect(try target.checkOrderKeys().isEmpty)
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
    #expect(throws: StoreError.self) { try StoreCopy(from: try app.open(), to: source) }
  }
}
