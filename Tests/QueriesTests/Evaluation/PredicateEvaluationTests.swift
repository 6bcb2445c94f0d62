import Modeling
import Queries
import Testing

/// What predicates answer for one object, rule by rule.
@Suite struct PredicateEvaluationTests {
  private func answer(
    _ text: String, _ object: SampleObject = Sample.fullQuake(), _ semantics: EvaluationSemantics = .store,
    _ variables: [String: Value] = [:]
  ) throws -> Bool? {
    try Predicate.parse(text).evaluate(object, semantics: semantics, variables: variables)
  }

  @Test(arguments: [
    "magnitude == 5.5", "magnitude > 5 AND magnitude <= 5.5", "count == 7.0", "count < 7.5 AND count > 6.5",
    "felt == YES AND felt == 1 AND felt > 0 AND felt != NO", "price == 1.1 AND price < 1.11 AND price == 1.10",
    "small == -3 AND small BETWEEN {-3, 0} AND NOT small BETWEEN {-2, 0}",
    "place CONTAINS 'coast' AND place BEGINSWITH 'Off' AND place ENDSWITH 'Chilé'",
    "place CONTAINS[c] 'COAST' AND place ENDSWITH[cd] 'CHILE' AND NOT place ENDSWITH[c] 'CHILE'",
    "place LIKE '*' AND NOT (place CONTAINS '' OR place BEGINSWITH '' OR place ENDSWITH '' OR '' IN place)",
    "CAST(10.0, 'NSString') == '10' AND CAST(magnitude, 'NSString') == '5.5' AND CAST(1e20, 'NSString') == '1e+20'",
    "CAST(0.1 + 0.2, 'NSString') == '0.3' AND CAST(count, 'NSString') == '7' AND CAST(-0.5, 'NSString') == '-0.5'",
    "place LIKE '*coast*' AND place LIKE[cd] 'off the coast of chil?' AND NOT place LIKE 'coast'",
    "code LIKE '?s1' AND NOT code LIKE '?' AND code LIKE '???' AND code LIKE 'us*1'",
    "code MATCHES 'us[0-9]+' AND NOT code MATCHES 's[0-9]' AND code MATCHES[c] 'US1' AND code MATCHES 'x|us1'",
    "code IN {'us1', 'x'} AND code IN[c] {'US1'} AND NOT code IN {'US1'} AND 's1' IN code AND NOT 'S1' IN code",
    "magnitude IN {1, 5.5} AND count IN {7.0} AND NOT count IN {} AND count IN {1,2,3,4,5,6,7,8,9,10}",
    "time > CAST('2024-01-22T16:26:12Z', 'NSDate') AND time < CAST('2024-01-22T16:26:13Z', 'NSDate')",
    "year(time) == 2024 AND month(time) == '2024-01' AND day(time) == '2024-01-22' AND weekday(time) == 2",
    "hour(time) == 16 AND minute(time) == 26 AND second(time) == 12",
    "time + 60 > time AND time - time == 0 AND (time + 90) - time == 90",
    "count / 2 == 3 AND count / 2.0 == 3.5 AND count * 2 - 1 == 13 AND 2 ** 3 == 8 AND -count == -7",
    "modulus:by:(count, 4) == 3 AND count & 3 == 3 AND count | 8 == 15 AND count ^ 1 == 6",
    "price * 2 == 2.2 AND price + 0.1 == 1.2 AND price * price == 1.21",
    "abs(small) == 3 AND floor(magnitude) == 5 AND ceiling(magnitude) == 6 AND round(magnitude) == 6 AND sqrt(16) == 4",
    "lowercase(code) == 'us1' AND uppercase(code) == 'US1' AND canonical(place) == 'off the coast of chile'",
    "length(code) == 3 AND trim('  x ') == 'x' AND length('😀') == 1",
    "station.name == 'Álamo' AND station.name ==[d] 'Alamo' AND station.name <[cd] 'b'",
    "link == 'http://example.org/a' AND link BEGINSWITH 'http'",
    "parts.richter == 4.5 AND parts.scale == 'mb' AND info.a.b == 5 AND info.a.c == nil AND info.list[1] == 'x'",
    "ANY reports.score > 5 AND NOT ALL reports.score > 2 AND NONE reports.score > 8",
    "ANY reports.text == 'felt it' AND ALL reports.text != 'x' AND ANY reports.author.name == 'Ann'",
    "reports.@count == 3 AND reports.@sum.score == 11 AND reports.@avg.score == 5.5 AND reports.@max.score == 8",
    "reports.@min.text == 'felt it' AND reports.@distinctUnionOfObjects.text.@count == 2",
    "reports.@unionOfObjects.text.@count == 3 AND reports.author.@max.age == 40 AND reports.@avg.author.age == 40",
    "SUBQUERY(reports, $r, $r.score > 2 AND $r.text CONTAINS 'e').@count == 1",
    "SUBQUERY(reports, $r, $r.author == nil).@count == 1 AND SUBQUERY(reports, $r, $r.quake == SELF).@count == 3",
    "SUBQUERY(reports, $r, SUBQUERY($r.author.reports, $q, $q.score == $r.score).@count > 0).@count == 2",
    "SUBQUERY(reports, $r, YES == YES).@unionOfObjects.author.reports.@count == 2",
    "SUBQUERY(reports, $r, $r.score > magnitude).@count == 1 AND SUBQUERY(reports, $r, YES == YES).@max.score == 8",
    "reports[FIRST].text == 'felt it' AND reports[1].score == 8 AND reports[LAST].score == nil AND reports[SIZE] == 3",
    "8 IN reports.score AND NOT 9 IN reports.score AND reports.score CONTAINS 8",
    "TERNARY(magnitude > 5, 'big', 'small') == 'big' AND max({magnitude, count}) == 7 AND sum(reports.score) == 11",
    "min({3, nil, 2}) == 2 AND average({1, 2}) == 1.5 AND count({1, nil}) == 2 AND median({1, 9, 2}) == 2",
    "CAST(count, 'NSString') == '7' AND CAST('7', 'NSNumber') == count AND CAST(anything, 'NSNumber') == 7",
    "SELF == SELF AND station == station AND reports CONTAINS SELF.reports[0] AND cause == nil",
    "#size == 4 AND #\"strange name\" == 'x'", "noindex(magnitude) == 5.5", "now() > time",
    "ANY {1, 2, 3} == 2 AND ALL {1, 2} < 3 AND NONE {1, 2} > 3", "bytes == CAST('0102ff', 'NSData')",
  ])
  func holdsForAFullObject(_ text: String) throws {
    #expect(try answer(text) == true)
    #expect(try answer("NOT (\(text))") == false)
    #expect(try answer(text, Sample.fullQuake(), .memory) == true)
  }

  @Test(arguments: [
    "magnitude == 5", "magnitude != 5", "magnitude > 5", "magnitude <= 5", "place CONTAINS 'x'", "place LIKE '*'",
    "place MATCHES '.*'", "magnitude BETWEEN {1, 2}", "magnitude IN {1, 2}", "magnitude IN {nil, 2}",
    "magnitude == depth", "magnitude != depth", "magnitude + 1 == 2", "year(time) == 2024", "length(place) == 0",
    "station.name == 'x'", "reports.@max.score > 1", "reports.@avg.score > 1", "place ==[c] 'x'", "'x' IN place",
    "magnitude IN {1,2,3,4,5,6,7,8,9,10}", "NOT magnitude == 5", "magnitude > 5 AND depth > 5",
    "magnitude > 5 OR depth > 5", "station == SELF.cause.station", "5 / count == 1",
    "TERNARY(felt == YES, 1, nil) == 1",
  ])
  func nothingComparedIsNeither(_ text: String) throws {
    let empty = Sample.emptyQuake()
    #expect(try answer(text, empty) == nil)
    #expect(try answer(text, empty, .memory) != nil)
  }

  @Test(arguments: [
    ("magnitude == nil", true), ("magnitude != nil", false), ("nil == magnitude", true), ("station == nil", true),
    ("station.name == nil", true), ("magnitude > 5 AND 1 == 2", false), ("magnitude > 5 OR 1 == 1", true),
    ("reports.@count == 0", true), ("reports.@sum.score == 0", true), ("reports.@max.score == nil", true),
    ("ANY reports.score > 1", false), ("ALL reports.score > 1", true), ("NONE reports.score > 1", true),
    ("magnitude IN {}", false), ("5 IN reports.score", false), ("ANY station.quakes.magnitude > 1", false),
    ("SUBQUERY(reports, $r, $r.score > 1).@count == 0", true), ("reports[FIRST].score == nil", true),
    ("TERNARY(magnitude > 5, 1, 2) == 2", true), ("magnitude == $none", true), ("magnitude != $none", false),
  ])
  func emptinessIsCertain(_ text: String, _ expected: Bool) throws {
    let variables: [String: Value] = text.contains("$none") ? ["none": .null] : [:]
    #expect(try answer(text, Sample.emptyQuake(), .store, variables) == expected)
    #expect(try answer(text, Sample.emptyQuake(), .memory, variables) == expected)
  }

  @Test(arguments: [
    ("magnitude != 5", true), ("magnitude == 5", false), ("magnitude == depth", true), ("magnitude != depth", false),
    ("magnitude < 5", false), ("magnitude >= 5", false), ("place CONTAINS 'x'", false), ("magnitude IN {nil}", true),
    ("magnitude IN {1}", false), ("magnitude BETWEEN {1, 2}", false), ("NOT magnitude == 5", true),
    ("NOT magnitude < 5", true), ("anything == 5", false), ("anything != 5", true),
  ])
  func foundationTakesNilForAValue(_ text: String, _ expected: Bool) throws {
    #expect(try answer(text, Sample.emptyQuake(), .memory) == expected)
  }

  @Test func allIsTrueOnlyIfTrueOfEveryElement() throws {
    // The third report has no score: the comparison is neither, so not true.
    #expect(try answer("ALL reports.score > 0") == false)
    #expect(try answer("NONE reports.score > 100") == true)
    #expect(try answer("ANY reports.score == nil") == true)
    #expect(try answer("ALL reports.author.name != 'x'") == false)
  }

  @Test func aDanglingReferenceIsNotNilButItsKeysAre() throws {
    let quake = Sample.emptyQuake()
    quake.dangling["station"] = ObjectID(entity: Sample.station, key: 404)
    #expect(try answer("station == nil", quake) == false)
    #expect(try answer("station.name == nil", quake) == true)
  }

  @Test func objectsAreComparedByIdentity() throws {
    let quake = Sample.fullQuake()
    let station = ObjectID(entity: Sample.station, key: 9)
    #expect(try answer("station == $s", quake, .store, ["s": .object(station)]) == true)
    #expect(try answer("SELF IN $l", quake, .store, ["l": .list([.object(quake.objectID), .null])]) == true)
    #expect(
      try answer("reports CONTAINS $r", quake, .store, ["r": .object(ObjectID(entity: Sample.report, key: 2))]) == true)
    #expect(
      try answer("ANY reports == $r", quake, .store, ["r": .object(ObjectID(entity: Sample.report, key: 4))]) == false)
  }

  @Test func textIsComparedByItsBytes() throws {
    let quake = Sample.emptyQuake()
    quake.values["place"] = .string("e\u{301}")
    #expect(try answer("place == 'é'", quake) == false)
    #expect(try answer("place ==[d] 'é'", quake) == true)
    #expect(try answer("place LIKE '??'", quake) == true)
    #expect(try answer("place == 'e\\u0301'", quake) == true)
  }

  @Test func uuidsEqualTheirTextInEitherCase() throws {
    let quake = Sample.emptyQuake()
    let text = "3f2504e0-4f89-11d3-9a0c-0305e82c3301"
    quake.values["uuid"] = CastType.uuid.convert(.string(text))
    #expect(try answer("uuid == '\(text)' AND '\(text.uppercased())' == uuid", quake) == true)
    #expect(try answer("uuid IN {'\(text)'}", quake) == true)
    #expect(try answer("uuid == CAST('\(text)', 'NSUUID')", quake) == true)
  }

  @Test func backslashesInLikeTakeWildcardsLiterally() throws {
    let quake = Sample.emptyQuake()
    quake.values["place"] = .string("a*b?")
    #expect(try answer(#"place LIKE 'a\\*b\\?'"#, quake) == true)
    quake.values["place"] = .string("axbc")
    #expect(try answer(#"place LIKE 'a\\*b\\?'"#, quake) == false)
  }

  @Test func dividingByZeroIsNothing() throws {
    let quake = Sample.fullQuake()
    for text in ["count / 0", "magnitude / 0", "price / 0", "modulus:by:(count, 0)", "sqrt(-1)", "ln(0)"] {
      #expect(try Expression.parse(text).evaluate(quake) == .null)
    }
  }

  @Test func unboundVariablesAreMistakes() throws {
    #expect(mistakes { _ = try answer("magnitude > $x") } == ["unboundVariable(\"x\", nearest: nil) at <$x>"])
  }

  @Test func aLoopingRegularExpressionCanBeStopped() throws {
    let quake = Sample.emptyQuake()
    quake.values["place"] = .string(String(repeating: "a", count: 40) + "!")
    #expect(throws: EvaluationInterrupted.self) {
      try Interruption.asking({ true }) { try answer("place MATCHES '(a+)+b'", quake) }
    }
  }

  @Test func combinatorsFlatten() throws {
    let a = try Predicate.parse("magnitude > 1")
    let b = try Predicate.parse("count > 1")
    let c = try Predicate.parse("#size > 1")
    #expect((a & b & c).format == "magnitude > 1 AND count > 1 AND #size > 1")
    #expect((a | (b | c)).format == "magnitude > 1 OR count > 1 OR #size > 1")
    #expect((~(a & b)).format == "NOT (magnitude > 1 AND count > 1)")
    #expect(~(~a) == a)
  }
}
