import Foundation
import LuaBindings
import Modeling
import Queries
import TestSupport
import Testing

@testable import Session
@testable import Shell

/// Every page of help ends with an example, and every example runs.
@Suite struct HelpExampleTests {
  /// Opens a new store for each example, so that none sees what another has done, and prints those that fail.
  private static let harness = """
    local print_ = print
    function print() end
    for _, example in ipairs(examples) do
      local s = open(":memory:", { model = model, history = true })
      fill(s.entities)
      s.context:save { author = "test" }
      use(s)
      local chunk, problem = load("return " .. example[2], "=" .. example[1])
      if not chunk then chunk, problem = load(example[2], "=" .. example[1]) end
      local ok, result = false, problem
      if chunk then ok, result = pcall(chunk) end
      if ok and result ~= nil then ok, result = pcall(tostring, result) end
      if not ok then print_("FAILED " .. example[1] .. ": " .. example[2] .. "\\n    " .. tostring(result)) end
      for name in pairs { s = 1, o = 1, n = 1, b = 1, t = 1, ticks = 1 } do _G[name] = nil end
      s:close()
    end
    print_ "done"
    """

  /// The store of earthquakes that the examples are written for.
  private static let quakes = """
    model = Model {
      Quake = Entity {
        code = String { optional = false, unique = true }, magnitude = Double, place = String, time = Date,
        reports = ToMany "Report" { inverse = "quake", deleteRule = "cascade" },
        _ = { order = { "code", "magnitude", "place", "time", "reports" } },
      },
      Report = Entity { text = String, quake = ToOne "Quake" { inverse = "reports" } },
    }
    function fill(entities)
      for i, place in ipairs { "Namie, Japan", "Tokyo", "Kaikoura", "Lata", "Suva" } do
        entities.Quake { code = "us" .. i, magnitude = i + 0.5, place = place, time = Date(1700000000 + i) }
      end
      entities.Report { text = "felt it", quake = entities.Quake:find "us1" }
    end
    """

  /// A store of other things, in which some names are nothing for an example.
  private static let orders = """
    model = Model {
      Order = Entity {
        number = String { optional = false, unique = true }, customerID = Int, total = Double, status = String,
        ordered = Date, ["in"] = String, lines = ToMany "Line" { inverse = "order", deleteRule = "cascade" },
      },
      Line = Entity { title = String, order = ToOne "Order" { inverse = "lines" } },
    }
    function fill(entities)
      for i = 1, 5 do
        entities.Order { number = "us" .. i, total = i + 0.5, status = "open", ordered = Date(1700000000 + i) }
      end
      entities.Line { title = "a lamp", order = entities.Order:find "us1" }
    end
    """

  private func failures(
    _ examples: [(title: String, code: String)], in store: String = Self.quakes
  ) throws -> String {
    let list = examples.map { "{ \($0.title.quotedForLua), \($0.code.quotedForLua) }" }.joined(separator: ",\n")
    let program = try BuiltProgram()
    try program.write("Recipes.xcdatamodeld", "")
    let result = try program.run(script: "examples = {\n\(list)\n}\n\(store)\n" + Self.harness)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.hasSuffix("done\n"))
    // Some examples show something.
    return result.output.split(separator: "\n").drop { !$0.hasPrefix("FAILED ") }.joined(separator: "\n")
  }

  @Test func everyPageOfTheCatalogHasAnExampleThatRuns() throws {
    let session = try EngineSession(RunOptions(), Surroundings(color: .auto))
    defer { session.close() }
    var examples: [(String, String)] = []
    for entry in session.engine.catalog.entries {
      guard let example = entry.example else {
        Issue.record("\(entry.title) has no example")
        continue
      }
      if entry.name == "loadModel" { continue }
      examples.append((entry.title, example))
    }
    let output = try failures(examples)
    #expect(output.isEmpty, "\(output)")
  }

  private static func ordersModel() throws -> Model {
    var number = Attribute("number", .string)
    number.isUnique = true
    let lines = Relationship(toMany: "lines", "Line", inverse: "order")
    let order = Relationship(toOne: "order", "Order", inverse: "lines")
    return try Model([
      EntityDescription(
        "Order",
        properties: [
          .attribute(number), .attribute(Attribute("customerID", .integer64)), .attribute(Attribute("total", .double)),
          .attribute(Attribute("status", .string)), .attribute(Attribute("ordered", .date)),
          .attribute(Attribute("in", .string)), .relationship(lines),
        ]),
      EntityDescription("Line", properties: [.attribute(Attribute("title", .string)), .relationship(order)]),
    ])
  }

  @Test func examplesAreInTheWordsOfTheStoreThatIsOpen() throws {
    let vocabulary = try #require(ExampleVocabulary(Self.ordersModel(), globals: []))
    #expect(
      vocabulary.translated(#"Quake:where("magnitude > 3"):sorted("-time") -- place code reports Report text"#)
        == #"Order:where("total > 3"):sorted("-ordered") -- status number lines Line title"#)
    let session = try EngineSession(RunOptions(), Surroundings(color: .auto))
    defer { session.close() }
    var examples: [(String, String)] = []
    for entry in session.engine.catalog.entries where entry.name != "loadModel" {
      guard let example = entry.example, let own = vocabulary.translated(example) else { continue }
      examples.append((entry.title, own))
    }
    examples += PredicateTopic.all.compactMap { topic in
      vocabulary.translated(topic.example).map { (topic.names[0], $0 + ":count()") }
    }
    #expect(examples.count > 300)
    let output = try failures(examples, in: Self.orders)
    #expect(output.isEmpty, "\(output)")
  }

  @Test func aStoreOfEarthquakesOrOfNothingAlikeKeepsTheExamples() throws {
    let quakes = try Model([EntityDescription("Quake", properties: [.attribute(Attribute("magnitude", .double))])])
    #expect(ExampleVocabulary(quakes, globals: []) == nil)
    let flags = try Model([EntityDescription("Flag", properties: [.attribute(Attribute("isSet", .boolean))])])
    #expect(ExampleVocabulary(flags, globals: []) == nil)
    let notes = try Model([EntityDescription("Note", properties: [.attribute(Attribute("body", .string))])])
    let vocabulary = try #require(ExampleVocabulary(notes, globals: []))
    #expect(vocabulary.translated("Quake:where \"place != nil\"") == "Note:where \"body != nil\"")
    #expect(vocabulary.translated("Quake:where \"magnitude > 3\"") == nil)
    #expect(ExampleVocabulary(notes, globals: ["Note"]) == nil)
  }

  @Test func everyWordOfThePredicateLanguageHasAPageWithAnExampleThatRuns() throws {
    let words =
      Comparator.allCases.map(\.rawValue) + ComparisonModifier.allCases.map(\.rawValue).filter { !$0.isEmpty }
      + CollectionOperator.allCases.map(\.rawValue)
      + [
        "AND", "OR", "NOT", "&&", "||", "!", "%@", "%K", "nil", "SUBQUERY", "SELF", "[cd]", "contains", "CONTAINS[cd]",
        "$x",
      ]
    for word in words { #expect(PredicateTopic.topic(word) != nil, "there is no page on \(word)") }
    let examples = PredicateTopic.all.map { ($0.names[0], $0.example + ":count()") }
    let output = try failures(examples)
    #expect(output.isEmpty, "\(output)")
  }

  @Test func pagesAreFoundByWordsSignsAndProperties() throws {
    let program = try BuiltProgram.withStore()
    for (name, part) in [
      ("?CONTAINS", "> Quake:where \"place CONTAINS[cd] 'japan'\""), ("?any", "also SOME"),
      ("?%@", "The place of an argument"),
      ("?magnitude", "Quake.magnitude  Double"), ("?quake", "Report.quake  → Quake"), ("?where", "> Quake:where("),
      ("?Quake", "> Quake:limit(5)"), ("help", "Lines are Lua"), ("?", "Lines are Lua"), ("?predicates", "BETWEEN"),
      ("?.mode", ".mode [NAME"), ("?tables", ".tables"), ("?uppercase", "capitals"), ("?FetchReq", "FetchRequest {"),
    ] {
      let result = try program.run(["quakes.sqlite", "-e", name])
      #expect(result.status == 0 && result.output.contains(part), "\(name): \(result.output)\(result.errors)")
    }
    #expect(try program.run(["quakes.sqlite", "-e", "?magnitud"]).errors.contains("there is no help on 'magnitud'"))
  }
}
