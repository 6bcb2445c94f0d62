import Modeling
import Queries
import TestSupport
import Testing

@Suite(.seeded) struct DecidedPredicateTests {
  @Test(arguments: [
    ("NOT (depth > 100)", "depth <= 100"), ("depth > 100", "depth > 100"),
    ("place != 'x'", "place != nil AND place != \"x\""), ("NOT (place == 'x')", "place != nil AND place != \"x\""),
    ("NOT (depth > 5 AND place == nil)", "depth <= 5 OR NOT place == nil"),
    ("NOT place CONTAINS 'x'", "place != nil AND NOT place CONTAINS \"x\""),
    ("NOT (NOT (count < 3))", "count < 3"), ("ANY reports.score > 3", "ANY reports.score > 3"),
    ("station.name == place", "station.name != nil AND place != nil AND station.name == place"),
  ])
  func nilIsWrittenOut(text: String, decided: String) throws {
    #expect(try Predicate.parse(text).decided(in: Sample.quake)?.description == decided)
  }

  @Test(arguments: [
    "ANY reports.score != 3", "NOT lowercase(place) == 'x'", "count IN {1, nil} OR NOT count IN {nil}",
    "SUBQUERY(reports, $r, $r.score != 3).@count == 1", "TERNARY(depth != 3, 1, 2) == 1",
  ])
  func whatNoPathTellsIsNotSaid(text: String) throws {
    #expect(try Predicate.parse(text).decided(in: Sample.quake) == nil)
  }

  @Test(arguments: [AttributeType.any, .transformable, .string])
  func valuesOfAnyTypeAreNotCompared(type: AttributeType) throws {
    let model = try Model([EntityDescription("Thing", properties: [.attribute(Attribute("extra", type))])])
    let thing = try #require(model.entity(named: "Thing"))
    let decided = try Predicate.parse("NOT (extra == 'x')").decided(in: thing)
    #expect(decided?.description == (type == .string ? "extra != nil AND extra != \"x\"" : nil))
  }

  /// The plain reference: the store's answer in memory.
  @Test func memorySelectsWhatTheStoreSelects() throws {
    var conditions = RandomConditions(seed: 91)
    var count = 0
    for round in 0..<Effort.rounds(600) {
      let text = round % 2 == 0 ? conditions.aboutAttributes(3) : conditions.aboutAnything(3)
      let predicate = try Predicate.parse(text)
      guard let decided = predicate.decided(in: Sample.quake) else { continue }
      count += 1
      for object in [Sample.fullQuake(), Sample.emptyQuake()] {
        let store = try predicate.evaluate(object, semantics: .store) == true
        #expect(try decided.evaluate(object, semantics: .memory) == store, "\(text) as \(decided)")
        #expect(try decided.evaluate(object, semantics: .store) == true || !store, "\(text) as \(decided)")
      }
    }
    #expect(count > 200)
  }
}
