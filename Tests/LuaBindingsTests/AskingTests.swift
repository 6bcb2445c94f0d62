import LuaBindings
import LuaRuntime
import Modeling
import Queries
import Testing

/// What programs ask without a line of Lua.
@Suite struct AskingTests {
  private func text(_ value: LuaReference?, _ engine: Engine) throws -> String? {
    guard let value else { return nil }
    engine.lua.stack.push(value)
    defer { engine.lua.stack.pop() }
    return try engine.lua.stack.toDisplayString(at: -1)
  }

  @Test func methodsOfRequestsPredicatesAndObjectsAnswer() throws {
    let script = try Script.sample()
    try script.run("Quake { code = 'a', magnitude = 6 } Quake { code = 'b', magnitude = 2 } save()")
    let engine = script.engine
    let quake = try #require(engine.store?.model.entity(named: "Quake"))
    var request = FetchRequest(quake)
    let predicate = try Queries.Predicate.parse("magnitude > 5")
    request.predicate = predicate
    let bound = try #require(try engine.reference(to: request))
    #expect(try text(engine.call("count", of: "Request", on: bound), engine) == "1")
    let object = try #require(try engine.mainContext?.first(request))
    let arguments = [try #require(try engine.reference(to: object))]
    #expect(
      try text(engine.call("evaluate", of: "Predicate", on: engine.reference(to: predicate), arguments), engine)
        == "true")
    let path = engine.reference(to: "magnitude")
    #expect(try text(engine.call("max", of: "Request", on: bound, [path]), engine) == "6.0")
    let explanation = try engine.call(
      "explain", of: "Predicate", on: engine.reference(to: predicate), [try #require(engine.reference(to: quake))])
    #expect(try text(explanation, engine)?.contains("SELECT") == true)
  }

  @Test func aMethodThatIsNotThereGivesNothingAndLeavesNothing() throws {
    let script = try Script.sample()
    let engine = script.engine
    let count = engine.lua.stack.count
    #expect(try engine.call("prophesy", of: "Predicate", on: engine.reference(to: .constant(true))) == nil)
    #expect(throws: LuaError.self) {
      try engine.call("explain", of: "Predicate", on: engine.reference(to: .constant(true)))
    }
    #expect(engine.lua.stack.count == count)
  }

  @Test func aRequestWithAMistakeIsNoReference() throws {
    let script = try Script.sample()
    var request = FetchRequest(try #require(script.engine.store?.model.entity(named: "Quake")))
    request.predicate = try Queries.Predicate.parse("magnitud > 5")
    #expect(throws: PredicateError.self) { try script.engine.reference(to: request) }
  }

  @Test func variablesTakeTheFieldsThatATableHas() throws {
    let script = try Script.sample()
    let engine = script.engine
    let table = try #require(
      try script.run("{ least = 5, places = { 'a', 'b' }, other = print, nothing = null }").first)
    func bound(_ text: String) throws -> String {
      try engine.predicates.bind(try Queries.Predicate.parse(text), table).inlined.format
    }
    #expect(try bound("magnitude > $least AND place IN $places") == "magnitude > 5 AND place IN {\"a\", \"b\"}")
    #expect(try bound("magnitude > $most") == "magnitude > $most")
    #expect(try bound("place == $nothing") == "place == nil")
    #expect(throws: (any Error).self) { try bound("place == $other") }
    #expect(engine.lua.stack.count == 0)
  }

  @Test func withoutAStoreThereIsNothingToAsk() throws {
    let engine = try Engine()
    defer { engine.close() }
    #expect(engine.mainContext == nil)
  }
}
