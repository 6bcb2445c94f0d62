import LuaBindings
import Modeling
import Testing

@Suite struct ModelSourceTests {
  /// Everything that a model may declare.
  private static let model = """
    Model {
      Base = Entity {
        code = String { optional = false, unique = true, maxLength = 8, minLength = 1, regex = "[a-z]*", default = "ab" },
        big = Int { min = 1, max = 9, default = 3, validation = { "SELF != 5", { "SELF != 7", warning = "not 7" } } },
        price = Decimal { default = Decimal "1.50" }, rate = Double { max = 1e300, default = 0.25 },
        time = Date { default = Date "2024-01-22T16:26:12Z", indexed = true, versionHashModifier = "2" },
        odd = Date { default = Date(0.1) }, link = URL { default = URL "https://a.org" },
        image = Data { externalBinaryData = true, preserveAfterDeletion = true },
        tags = Transformable { valueClass = "Tags", valueTransformer = "T", default = { a = { 1, 2.5, "x", true } } },
        place = Composite {
          order = { "zip", "city" }, zip = Integer32 { min = 1 }, city = String, compositeName = "Place",
        },
        held = Bool { transient = true }, ["strange name"] = Float { renamingIdentifier = "old" },
        size = Derived { type = Int, "parts.@count" },
        parts = ToMany "Part" { inverse = "whole", ordered = true, minCount = 1, maxCount = 5, deleteRule = "cascade" },
        alone = ToOne "Part" { unidirectional = true, userInfo = { ["a b"] = "c\\n" } },
        passing = ToMany "Part" { unidirectional = true, transient = true },
        near = FetchedProperty { entity = "Base", predicate = "big > $FETCH_SOURCE.big", fetchLimit = 3 },
        _ = {
          order = { "time", "code" }, unique = { { "big", "price" } }, className = "CDBase", userInfo = { a = "b" },
          indexes = { { "big", "code" }, { "price", name = "byPrice", descending = { "price" }, predicate = "price > 1" } },
        },
      },
      Part = Entity { whole = ToOne "Base" { inverse = "parts", optional = false } },
      Special = Entity { _ = { parent = "Base", abstract = true, renamingIdentifier = "Old" } },
      _ = {
        order = { "Special", "Base" }, version = "1.2", configurations = { Cloud = { "Part" } },
        usedWithCloudKit = { "Cloud", "Default" },
        templates = { some = { entity = "Base", predicate = "big > $n", resultType = "dictionaries", fetchBatchSize = 9 } },
      },
    }
    """

  /// The model of a store that is opened with what a chunk makes.
  private func stored(_ chunk: String) throws -> String {
    let script = try Script()
    try script.run("use(open(':memory:', { model = \(chunk) }))")
    return try #require(script.engine.mainContext).store.model.encoded()
  }

  @Test func theLuaOfAModelMakesAnEqualModel() throws {
    let script = try Script()
    try script.run("model = " + Self.model)
    let source = try script.value("(model:source())")
    #expect(try stored(source) == stored(Self.model))
    #expect(try script.value("#select(2, model:source())") == "0")
    try script.run("again = " + source)
    #expect(try script.value("(again:source())") == source)
  }

  @Test func aModelIsWrittenForAppsWithWhatCannotBeSaidThere() throws {
    let script = try Script()
    try script.run("model = " + Self.model)
    #expect(try script.value("(model:source('swiftData')):find('@Model', 1, true) ~= nil") == "true")
    #expect(
      try script.value("(model:source('coreData')):find('@NSManaged public var code: String?', 1, true) ~= nil")
        == "true")
    #expect(try script.value(#"(model:source('xcdatamodel')):find('name="Base"', 1, true) ~= nil"#) == "true")
    #expect(
      try script.value("select(2, model:source('xcdatamodel'))[1]") == "Base.big: the condition SELF != 5 is left out")
    #expect(script.error("model:source('swift')")?.contains("there is no form 'swift'") == true)
  }

  @Test func mistakesInListsAreToldByTheirOption() throws {
    let script = try Script()
    #expect(
      script.error("Entity { x = Int, _ = { indexes = { { 'x', descending = { 'y' } } } } }")
        == "Entity: indexes: the index has no 'y'; did you mean 'x'?"
        || script.error("Entity { x = Int, _ = { indexes = { { 'x', descending = { 'y' } } } } }")?
          .contains("the index has no 'y'") == true
    )
    #expect(script.error("Int { validation = 5 }") == "Int: validation: expected a list of predicates, got number")
    #expect(
      script.error("Model { A = Entity {}, _ = { usedWithCloudKit = { 'Defalt' } } }")
        == "the model has no 'Defalt'; did you mean 'Default'?")
    #expect(
      try script.value("(Model { A = Entity {}, _ = { usedWithCloudKit = true } }):source():match('usedWith%a+ = %a+')")
        == "usedWithCloudKit = true")
    #expect(
      script.error("Model { A = Entity {}, _ = { configurations = { C = 5 } } }")
        == "Model: configurations: expected a table of lists of names, got number")
  }
}
