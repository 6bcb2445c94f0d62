import Modeling
import Queries
import TestSupport
import Testing

@Suite(.seeded)
struct RemedyTests {
  private func remedy(_ text: String, _ object: SampleObject = Sample.fullQuake()) throws -> Remedy? {
    try Predicate.parse(text).remedy(for: object)
  }

  /// The object with the values of a remedy.
  private func mended(_ object: SampleObject, _ remedy: Remedy) throws -> SampleObject {
    let copy = SampleObject(object.entity, object.objectID.key, object.values)
    (copy.ones, copy.many, copy.dangling) = (object.ones, object.many, object.dangling)
    for change in remedy.changes {
      let attribute = try #require(change.attribute)
      let value = try #require(change.value)
      copy.values[attribute.name] = value
    }
    return copy
  }

  @Test func withTheValuesThatAreProposedThePredicateIsTrue() throws {
    var conditions = RandomConditions(seed: 5)
    var (tried, found) = (0, 0)
    for _ in 0..<Effort.rounds(600) {
      let text = conditions.aboutAttributes(3)
      let predicate = try Predicate.parse(text)
      for object in [Sample.fullQuake(), Sample.emptyQuake()] {
        for semantics in EvaluationSemantics.allCases where try predicate.evaluate(object, semantics: semantics) != true
        {
          tried += 1
          guard let remedy = try predicate.remedy(for: object, semantics: semantics) else { continue }
          found += 1
          #expect(!remedy.changes.isEmpty && remedy.isProven, "\(text)")
          #expect(try predicate.evaluate(mended(object, remedy), semantics: semantics) == true, "\(text)")
          for change in remedy.changes {
            let kept = try change.attribute?.coerce(change.value ?? .null)
            #expect(kept == change.value, "\(text): \(change)")
          }
        }
      }
    }
    // Some conditions contradict themselves; most can be fulfilled.
    #expect(found * 10 > tried * 7, "\(found) of \(tried)")
  }

  @Test func aChangeIsProposedForEachClauseOfANDThatIsNotTrueAndForOneOfOR() throws {
    #expect(
      try remedy("magnitude > 6 AND count == 7 AND depth < 3")?.changes.map(\.attribute?.name) == [
        "magnitude", "depth",
      ])
    #expect(try remedy("(magnitude > 6 AND depth < 3) OR count == 8")?.changes.map(\.attribute?.name) == ["count"])
    #expect(try remedy("magnitude > 5")?.changes.isEmpty == true)
  }

  @Test func withinNOTAClauseMustBecomeFalseWhichNeitherIsNot() throws {
    let change = try #require(try remedy("NOT (depth > 5)")?.changes.first)
    #expect(!change.wanted && change.current == .null)
    #expect(change.value.map { $0 == .null } == false)
    #expect(try remedy("NOT (magnitude > 2 OR count > 5)")?.changes.map(\.wanted) == [false, false])
  }

  @Test func clausesAboutOneAttributeGetOneValueThatDoesForAll() throws {
    let remedy = try #require(try remedy("magnitude > 6 AND magnitude < 7"))
    #expect(remedy.changes.count == 1 || Set(remedy.changes.map(\.value)).count == 1)
    #expect(remedy.isProven)
  }

  @Test func clausesThatPullAgainstOneAnotherAreTriedTogether() throws {
    // The shorter way through the OR spoils the other clause.
    let remedy = try #require(
      try remedy("(count == 9 OR (magnitude == 1 AND felt == NO)) AND (count == 7 OR count == 3)"))
    #expect(remedy.isProven)
  }

  @Test func whereNothingWouldDoNothingIsProposed() throws {
    #expect(try remedy("magnitude > 6 AND magnitude < 5") == nil)
    #expect(try remedy("FALSEPREDICATE") == nil)
    #expect(try remedy("1 == 2") == nil)
    #expect(try remedy("count > 1.2 AND count < 1.8") == nil)
  }

  @Test func aValueKeepsTheRulesOfItsAttribute() throws {
    var count = Attribute("count", .integer16)
    count.maximum = .int(10)
    count.isOptional = false
    let model = try Model([EntityDescription("Thing", properties: [.attribute(count)])])
    let thing = SampleObject(try #require(model.entity(named: "Thing")), 1, ["count": .int(3)])
    #expect(try remedy("count > 5.5", thing)?.changes.first?.value == .int(6))
    #expect(try remedy("count > 10", thing) == nil)
    #expect(try remedy("count == nil", thing) == nil)
  }

  @Test func clausesAboutOtherObjectsAreToldWithoutValues() throws {
    let remedy = try #require(try remedy("ANY reports.score > 20 AND magnitude > 6"))
    #expect(!remedy.isProven)
    #expect(remedy.changes.map { $0.value == nil } == [true, false])
  }
}
