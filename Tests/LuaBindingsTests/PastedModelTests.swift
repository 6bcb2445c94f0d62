import Modeling
import Testing

@testable import LuaBindings

/// Models that are pasted as Swift classes, or as the XML of Xcode.
@Suite struct PastedModelTests {
  private static let swift = """
    [[
      @Model final class Quake {
        #Index<Quake>([\\.time])
        @Attribute(.unique) var code: String
        var magnitude: Double = 0
        var time: Date?
        var place: Place?
        @Relationship(deleteRule: .cascade, inverse: \\Report.quake) var reports: [Report] = []
      }
      @Model final class Report { var text: String = ""; var quake: Quake? }
      struct Place: Codable { var city: String; var zip: Int? }
    ]]
    """

  @Test func classesOfSwiftAreAModel() throws {
    let script = try Script()
    try script.run("use(open(':memory:', { model = Model \(Self.swift) }))")
    try script.run(
      "q = Quake { code = 'a', place = { city = 'Rome' } } Report { text = 'x', quake = q } save()")
    #expect(try script.value("Quake:where('place.city == %@', 'Rome'):first().reports:count()") == "1")
    #expect(script.error("Quake { code = 'a' } save()") != nil)
    try script.run("rollback() q:delete() save()")
    #expect(try script.value("Report:count()") == "0")
  }

  @Test func everyFormOfAModelMakesTheSameModel() throws {
    let script = try Script()
    try script.run("model = Model \(Self.swift)")
    let source = try script.value("(model:source())")
    try script.run("again = Model((model:source 'swiftData'))")
    #expect(try script.value("(again:source())") == source)
    // Xcode's documents have properties in the order of their names, and the classes of objects.
    try script.run("document = model:source 'xcdatamodel' xml = Model(document)")
    #expect(try script.value("(xml:source 'xcdatamodel') == document") == "true")
    try script.run("document = '\\n  ' .. document")
    #expect(try script.value("(Model(document):source 'xcdatamodel')") == script.value("(xml:source 'xcdatamodel')"))
  }

  @Test func whatIsLeftOutIsAWarning() throws {
    let script = try Script()
    var warnings: [String] = []
    script.engine.host.onWarning = { warnings.append($0) }
    try script.run("Model [[@Model class A {\n var b: Bool { true } }]]")
    #expect(warnings == ["line 2: A.b is computed, which a model does not keep"])
    warnings = []
    try script.run(
      "Model [[<?xml version='1.0'?><model><entity name='A' parentEntity='B'/><strange/></model>]]")
    #expect(warnings == ["line 1: <strange> is left out", "A inherits from B, which is not there"])
  }

  @Test func mistakesAreOfTheModelAndHaveTheirPlace() throws {
    let script = try Script()
    let values = try script.values(
      """
      local ok, problem = pcall(Model, "@Model class A { var b: Strng; @Attribute(.uniqe) var c: Int }")
      return ok, problem.kind, #problem.details, problem.details[1].column, problem.details[2].message
      """)
    #expect(
      values == ["false", "model", "2", "25", "@Attribute cannot be read with '.uniqe'; did you mean '.unique'?"])
    #expect(script.error("Model '<modl/>'")?.contains("expected <model>, found <modl>") == true)
    #expect(script.error("Model 'class A {}'") == "expected classes with @Model")
    #expect(script.error("Model(5)") == "Model: expected a table of entities, Swift source or XML, got number")
    #expect(script.error("Model('@Model class A {}', 5)") != nil)
  }

  @Test func classesEnteredAtThePromptAreRead() throws {
    let text = "import SwiftData\n@Model final class A {\n var b: Int?\n}"
    let block = try #require(SwiftBlock(text))
    #expect(block.lua == "Model [[\n\(text)\n]]" && block.isComplete)
    for part in ["import SwiftData", "@Model", "@Model final class A {"] {
      #expect(SwiftBlock(part)?.isComplete == false, "\(part)")
    }
    #expect(SwiftBlock("@Models") == nil && SwiftBlock("import 'x.csv'") == nil)
  }
}
