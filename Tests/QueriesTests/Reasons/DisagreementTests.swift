import Modeling
import Queries
import TestSupport
import Testing

@Suite(.seeded)
struct DisagreementTests {
  private func cause(_ text: String, _ object: SampleObject = Sample.emptyQuake()) throws -> Disagreement.Cause? {
    try Predicate.parse(text).disagreement(for: object)?.cause
  }

  private func path(_ text: String) -> Queries::Expression { .path(PropertyPath(dotted: text)) }

  @Test func thereIsADisagreementExactlyWhereTheAnswersDiffer() throws {
    var conditions = RandomConditions(seed: 77)
    for _ in 0..<Effort.rounds(300) {
      let text = conditions.aboutAnything(3)
      let predicate = try Predicate.parse(text)
      for object in [Sample.fullQuake(), Sample.emptyQuake()] {
        let memory = try predicate.evaluate(object, semantics: .memory)
        let store = try predicate.evaluate(object, semantics: .store)
        let disagreement = try predicate.disagreement(for: object)
        #expect((disagreement != nil) == (memory != store), "\(text)")
        guard let disagreement else { continue }
        #expect(try disagreement.clause.evaluate(object, semantics: .memory) == disagreement.inMemory, "\(text)")
        #expect(try disagreement.clause.evaluate(object, semantics: .store) == disagreement.inStore, "\(text)")
      }
    }
  }

  @Test func aNilThatIsComparedIsToldByItsSide() throws {
    #expect(try cause("place != 'x'") == .nilCompared(path("place")))
    #expect(try cause("felt == YES AND station.name != 'x'") == .nilCompared(path("felt")))
    #expect(try cause("place == code") == .nilsCompared)
    #expect(try cause("count IN {1, nil}") == .nilInList)
    #expect(try cause("place == nil") == nil)
  }

  @Test func aNOTAroundTheClauseIsNoted() throws {
    let disagreement = try #require(try Predicate.parse("NOT (depth > 5)").disagreement(for: Sample.emptyQuake()))
    #expect(disagreement.isNegated && disagreement.inMemory == false && disagreement.inStore == nil)
  }

  @Test func anElementThatIsNilIsToldByItsCollection() throws {
    #expect(
      try cause("ANY reports.score != 3 AND ALL reports.score != 4", Sample.fullQuake())
        == .nilElement(path("reports.score")))
  }
}
