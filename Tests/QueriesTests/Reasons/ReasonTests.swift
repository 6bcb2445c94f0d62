import Modeling
import Queries
import TestSupport
import Testing

@Suite(.seeded)
struct ReasonTests {
  private func reason(_ text: String, _ object: SampleObject = Sample.fullQuake()) throws -> Reason {
    try Predicate.parse(text).reason(for: object)
  }

  @Test func everyClauseHasTheAnswerThatEvaluatingItHas() throws {
    var conditions = RandomConditions(seed: 21)
    let objects = [Sample.fullQuake(), Sample.emptyQuake()]
    func check(_ reason: Reason, _ object: SampleObject, _ semantics: EvaluationSemantics) throws {
      #expect(try reason.clause.evaluate(object, semantics: semantics) == reason.answer, "\(reason.clause)")
      for clause in reason.clauses { try check(clause, object, semantics) }
    }
    for _ in 0..<Effort.rounds(300) {
      let predicate = try Predicate.parse(conditions.aboutAnything(3))
      for object in objects {
        for semantics in EvaluationSemantics.allCases {
          try check(try predicate.reason(for: object, semantics: semantics), object, semantics)
        }
      }
    }
  }

  @Test func andORAndNOTKeepTheShapeOfThePredicate() throws {
    let reason = try reason("magnitude > 5 AND NOT (depth < 3 OR count == 7)")
    #expect(reason.answer == false)
    #expect(reason.clauses.map(\.answer) == [true, false])
    #expect(reason.clauses[1].clauses[0].clauses.map(\.answer) == [nil, true])
    #expect(reason.leaves.map(\.answer) == [true, nil, true])
  }

  @Test func aSideTellsItsValueAndConstantsTellNone() throws {
    let reason = try reason("magnitude > count")
    #expect(reason.operands.map(\.value) == [.double(5.5), .int(7)])
    #expect(try self.reason("5 < magnitude").operands.map(\.value) == [.double(5.5)])
    #expect(try self.reason("count IN {1, 7}").operands.count == 1)
  }

  @Test func aPathThatEndsTooEarlyTellsWhere() throws {
    let nothing = try reason("cause.station.name == 'x'").operands[0]
    #expect(nothing.missing?.text == "cause")
    #expect(!nothing.isDangling)
    let quake = Sample.fullQuake()
    quake.ones["cause"] = SampleObject(Sample.quake, 3)
    #expect(try reason("cause.station.name == 'x'", quake).operands[0].missing?.text == "cause.station")
    #expect(try reason("cause.place == 'x'", quake).operands[0].missing == nil)
    let dangling = Sample.emptyQuake()
    dangling.dangling["station"] = ObjectID(entity: Sample.station, key: 77)
    let gone = try reason("station.name == 'x'", dangling).operands[0]
    #expect(gone.missing?.text == "station" && gone.isDangling)
  }

  @Test func anyIsDecidedByTheFirstMatchALLByTheFirstFailureNONEByTheFirstMatch() throws {
    let any = try #require(try reason("ANY reports.score > 2").elements)
    #expect(any.count == 3 && any.matchingCount == 2)
    #expect(any.deciding?.position == 1 && any.deciding?.value == .int(3))
    #expect(any.deciding?.object == ObjectID(entity: Sample.report, key: 1))
    let all = try #require(try reason("ALL reports.score > 2").elements)
    #expect(all.deciding?.position == 3 && all.deciding?.value == .null)
    let none = try #require(try reason("NONE reports.score == 8").elements)
    #expect(none.deciding?.position == 2)
  }

  @Test func whereNoElementMatchesTheNearestIsTold() throws {
    let any = try #require(try reason("ANY reports.score > 10").elements)
    #expect(any.deciding == nil && any.nearest?.value == .int(8))
    #expect(try reason("9 IN reports.score").elements?.nearest?.value == .int(8))
    #expect(try reason("ANY reports.score > 10", Sample.emptyQuake()).elements?.nearest == nil)
    #expect(try reason("ALL reports.score != 99").elements?.matchingCount == 2)
  }

  @Test func aSUBQUERYTellsHowManyItSelectedAndOfNoneTheOneThatCameNearest() throws {
    let some = try reason("SUBQUERY(reports, $r, $r.score > 2).@count == 1").operands[0].selections[0]
    #expect(some.count == 3 && some.selectedCount == 2 && some.example?.element.position == 1)
    let none = try reason("SUBQUERY(reports, $r, $r.score > 5 AND $r.text == 'felt it').@count > 0")
    let selection = none.operands[0].selections[0]
    #expect(selection.selectedCount == 0)
    #expect(selection.example?.element.position == 1)
    #expect(selection.example?.reason.clauses.map(\.answer) == [false, true])
  }

  @Test func aSUBQUERYInASUBQUERYIsToldLikeTheOuterOne() throws {
    let text = "SUBQUERY(reports, $r, SUBQUERY($r.author.reports, $s, $s.score > 5).@count > 0).@count > 0"
    let outer = try reason(text).operands[0].selections[0]
    #expect(outer.selectedCount == 1 && outer.example?.element.position == 2)
    let inner = try #require(outer.example?.reason.operands[0].selections[0])
    #expect(inner.selectedCount == 1 && inner.variable == "s")
  }

  @Test func aTERNARYTellsItsConditionAFunctionTheValuesOfItsPaths() throws {
    let ternary = try reason("TERNARY(felt == YES, magnitude, 0) > 5").operands[0]
    #expect(ternary.branches.map(\.answer) == [true])
    let function = try reason("lowercase(station.name) == 'x'").operands[0]
    #expect(function.value == .string("álamo"))
    #expect(function.parts.map(\.value) == [.string("Álamo")])
  }

  @Test func aFoldedTextIsToldWhereFoldingDecided() throws {
    #expect(try reason("place CONTAINS[cd] 'CHILE'").operands[0].foldedText == "off the coast of chile")
    #expect(try reason("place CONTAINS[cd] 'coast'").operands[0].foldedText == nil)
  }

  @Test func wrongNamesAreErrorsAsInEvaluating() {
    #expect(throws: PredicateError.self) { try reason("magnitud > 5") }
    #expect(throws: PredicateError.self) { try reason("magnitude > $least") }
  }
}
