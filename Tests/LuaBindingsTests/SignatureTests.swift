import Testing

@testable import LuaBindings

/// What help shows of a function is what it takes: an argument that it has no use for is refused, never dropped.
@Suite struct SignatureTests {
  @Test(
    arguments: [
      ("request:count() -> number", 0), ("request:page(number, size) -> results", 2),
      ("request:with { fetchLimit = 10, ... } -> request", 1), ("Entity:find(key) -> object or nil", 1),
      ("request:groupBy(keyPath, { name = aggregate, ... } [, { having = , sort = }]) -> rows", 3),
      ("withAnimation([name,] function) -> results", 2), ("context:newChild([options]) -> context", 1),
      ("after(seconds, function() ... end) -> token", 2),
      ("Entity:on(\"insert\" | \"update\", function(object, change) ... end) -> token", 2),
    ])
  func aLineOfHelpTellsTheMostArguments(text: String, limit: Int) {
    #expect(Signature(text).limit == Int32(limit))
  }

  @Test(
    arguments: [
      "Entity:where(predicate, ...) -> request", "Entity:count([predicate, ...]) -> number",
      "Entity:batchDelete(predicate, ... [, { resultType = }]) -> number", "ToOne \"Entity\" { inverse = ... }",
      "UUID() | UUID \"...\"",
    ])
  func aLineWithAnyNumberOrSeveralFormsSetsNoLimit(text: String) {
    #expect(Signature(text).limit == nil)
  }

  /// How the tests come by a thing of a kind.
  static let things = [
    "Entity": "Quake", "Request": "Quake:all()", "Context": "context", "Store": "store", "Object": "Quake {}",
    "Collection": "Quake({}).reports", "Predicate": "Predicate 'felt > 1'", "Result": "Quake:all():fetch()",
    "FetchedResults": "Quake:all():live()", "State": "State(1)", "Model": "store.model", "Namespace": "Namespace()",
  ]

  @Test func everyFunctionRefusesASurplusArgument() throws {
    let script = try Script.sample()
    var tried = 0
    for entry in script.engine.catalog.entries {
      guard let limit = Signature(entry.signature).limit else { continue }
      var call: String
      switch entry.kind {
      case .function where entry.name != "Binding": call = "\(entry.name)("
      case .method:
        guard let thing = Self.things[entry.owner] else { continue }
        call = "(\(thing)):\(entry.name)("
      default: continue
      }
      tried += 1
      call += Array(repeating: "1", count: Int(limit) + 1).joined(separator: ", ") + ")"
      let message = script.error("return " + call)
      #expect(message?.contains("got \(limit + 1)") == true, "\(call) says \(message ?? "nothing")")
    }
    #expect(tried > 120)
  }

  @Test func nilsAtTheEndAreNoSurplusArguments() throws {
    #expect(try Script.sample().value("return Quake:find('x', nil), Quake:all():count(nil)") == "nil 0")
  }

  @Test func requestsCountAndFindWithAFurtherCondition() throws {
    let script = try Script.sample()
    try script.run("for felt = 1, 5 do Quake { code = 'q' .. felt, felt = felt } end save()")
    #expect(try script.value("return Quake:where('felt > 1'):count('felt < %@', 4)") == "2")
    #expect(try script.value("return Quake:all():sorted('-felt'):first('felt < %@', 4).felt") == "3")
    #expect(
      try script.value("return Quake:where('felt > 3'):exists('felt < 3'), Quake:all():exists { 'felt == %@', 5 }")
        == "false true")
    #expect(script.error("return Quake:all():count('mag > 1')")?.contains("Quake has no property 'mag'") == true)
  }
}
