import Modeling
import Queries
import Testing

/// What a predicate may say of a model.
@Suite struct PredicateCheckingTests {
  @Test(arguments: [
    "magnitude > 5 AND place CONTAINS[cd] 'chile' AND station.name == nil AND cause.cause.station.name LIKE 'x*'",
    "felt == YES AND felt == 1 AND magnitude == TRUE AND count == 5.5 AND price > 1.10",
    "link == 'http://x' AND link BEGINSWITH 'http'",
    "uuid == '3F2504E0-4F89-11D3-9A0C-0305E82C3301'",
    "time > CAST('2024-01-01T00:00:00Z', 'NSDate') AND time + 3600 > now() AND now() - time < 60",
    "time BETWEEN {now() - 60, now()} AND magnitude BETWEEN {1, 2.5}",
    "magnitude IN {1, 2.5, nil} AND place IN {'a', 'b'} AND place IN $places AND 'x' IN place",
    "ANY reports.score > 3 AND ALL reports.text CONTAINS 'x' AND NONE reports.author.age IN {1, 2}",
    "reports.@count > 3 AND reports.@sum.score > 3 AND reports.author.@max.age > 3 AND reports.@min.text < 'x'",
    "SUBQUERY(reports, $r, $r.score > 3 AND $r.author.name == place AND SELF.magnitude > 2).@count > 0",
    "SUBQUERY(reports, $r, SUBQUERY($r.author.reports, $q, $q.score > $r.score).@count > 0).@count > 0",
    "SELF == $o AND station == $s AND station == nil AND SELF IN $list AND reports CONTAINS $r",
    "5 IN reports.score AND station IN $list AND ANY reports == $r",
    "year(time) == 2024 AND month(time) == '2024-01' AND length(place) > 3 AND lowercase(place) == 'x'",
    "parts.richter > 4.5 AND parts.scale == 'x' AND info.a.b == 5 AND anything == 'x' AND anything > 5",
    "info == nil AND parts != nil AND bytes == nil",
    "TERNARY(felt == YES, magnitude, 0) > 3 AND max({magnitude, depth}) > 3 AND sum(reports.score) > 2",
    "#size > 3 AND #\"strange name\" == 'x' AND reports[0].score > 3 AND reports[SIZE] > 1",
    "magnitude > nil AND place CONTAINS nil AND magnitude + nil > 3",
    "count & 3 == 1 AND modulus:by:(count, 2) == 0 AND CAST(count, 'NSString') == '5'",
    "ANY effects.reports.score > 3 AND ALL effects.reports.author.name != nil AND effects.reports.@count > 2",
    "effects.@unionOfArrays.reports.@count > 1 AND effects.@max.reports.score > 1",
    "{1, magnitude}.@max.self > 2 AND {1, 2}[0] == 1 AND TERNARY(felt == YES, station, cause.station).name == 'x'",
    "code ==[c] 'x' AND code IN[c] {'x'} AND code MATCHES '[a-z]+'",
  ])
  func accepts(_ text: String) {
    #expect(mistakes { try Predicate.parse(text).check(in: Sample.quake) } == [])
  }

  @Test(arguments: [
    (
      "magnitud > 5",
      ["unknownProperty(\"magnitud\", entity: \"Quake\", nearest: Optional(\"magnitude\")) at <magnitud>"]
    ),
    ("station.nmae == 'x'", ["unknownProperty(\"nmae\", entity: \"Station\", nearest: Optional(\"name\")) at <nmae>"]),
    (
      "place.x == 'x'",
      ["notARelationship(\"place\", entity: \"Quake\", type: Modeling.AttributeType.string, instead: nil) at <place>"]
    ),
    ("reports.score > 3", ["toManyWithoutQuantifier(\"reports.score\") at <reports.score>"]),
    ("reports == nil", ["toManyWithoutQuantifier(\"reports\") at <reports>"]),
    ("magnitude == reports.score", ["toManyWithoutQuantifier(\"reports.score\") at <reports.score>"]),
    (
      "ANY station.name == 'x'",
      ["quantifierNeedsToMany(Queries.ComparisonModifier.any, \"station.name\") at <station.name>"]
    ),
    ("effects.reports.score > 3", ["toManyWithoutQuantifier(\"effects.reports.score\") at <effects.reports.score>"]),
    (
      "reports.@unionOfArrays.text.@count > 1",
      [
        "wrongOperand(function: \"@unionOfArrays\", expected: \"a key that leads to many\", found: \"text (String)\", instead: nil) at <text>"
      ]
    ),
    (
      "magnitude == '5'",
      [
        "typeMismatch(comparator: \"==\", left: \"magnitude (Double)\", right: \"\\\"5\\\" (String)\", instead: Optional(\"5\")) at <magnitude == '5'>"
      ]
    ),
    (
      "place > 5",
      [
        "typeMismatch(comparator: \">\", left: \"place (String)\", right: \"5 (Integer64)\", instead: Optional(\"\\\"5\\\"\")) at <place > 5>"
      ]
    ),
    (
      "time > '2024-01-01'",
      [
        "typeMismatch(comparator: \">\", left: \"time (Date)\", right: \"\\\"2024-01-01\\\" (String)\", instead: Optional(\"CAST(\\\"2024-01-01T00:00:00Z\\\", \\\"NSDate\\\")\")) at <time > '2024-01-01'>"
      ]
    ),
    (
      "time > 5",
      ["typeMismatch(comparator: \">\", left: \"time (Date)\", right: \"5 (Integer64)\", instead: nil) at <time > 5>"]
    ),
    (
      "felt == 'yes'",
      [
        "typeMismatch(comparator: \"==\", left: \"felt (Bool)\", right: \"\\\"yes\\\" (String)\", instead: Optional(\"YES\")) at <felt == 'yes'>"
      ]
    ),
    (
      "magnitude CONTAINS '5'",
      [
        "typeMismatch(comparator: \"CONTAINS\", left: \"magnitude (Double)\", right: \"\\\"5\\\" (String)\", instead: Optional(\"CAST(magnitude, \\\"NSString\\\")\")) at <magnitude CONTAINS '5'>"
      ]
    ),
    (
      "magnitude IN {1, 'x'}",
      [
        "typeMismatch(comparator: \"IN\", left: \"magnitude (Double)\", right: \"\\\"x\\\" (String)\", instead: nil) at <magnitude IN {1, 'x'}>"
      ]
    ),
    (
      "magnitude BETWEEN {1}",
      [
        "typeMismatch(comparator: \"BETWEEN\", left: \"magnitude (Double)\", right: \"{1} (list of Integer64)\", instead: nil) at <magnitude BETWEEN {1}>"
      ]
    ),
    (
      "uuid == 'x'",
      [
        "typeMismatch(comparator: \"==\", left: \"uuid (UUID)\", right: \"\\\"x\\\" (String)\", instead: nil) at <uuid == 'x'>"
      ]
    ),
    (
      "station == 5",
      [
        "typeMismatch(comparator: \"==\", left: \"station (Station)\", right: \"5 (Integer64)\", instead: nil) at <station == 5>"
      ]
    ),
    (
      "station == SELF",
      [
        "typeMismatch(comparator: \"==\", left: \"station (Station)\", right: \"SELF (Quake)\", instead: nil) at <station == SELF>"
      ]
    ),
    (
      "magnitude ==[c] 5",
      [
        "typeMismatch(comparator: \"==[c]\", left: \"magnitude (Double)\", right: \"5 (Integer64)\", instead: nil) at <magnitude ==[c] 5>"
      ]
    ),
    (
      "place == Japan",
      [
        "unquotedText(\"Japan\", entity: \"Quake\", nearest: nil, instead: \"place == \\\"Japan\\\"\") at <Japan>"
      ]
    ),
    (
      "magnitude == Xylophone",
      ["unknownProperty(\"Xylophone\", entity: \"Quake\", nearest: nil) at <Xylophone>"]
    ),
    (
      "info < 'x'",
      [
        "typeMismatch(comparator: \"<\", left: \"info (Transformable)\", right: \"\\\"x\\\" (String)\", instead: nil) at <info < 'x'>"
      ]
    ),
    (
      "parts.richtr > 4",
      ["unknownProperty(\"richtr\", entity: \"Quake.parts\", nearest: Optional(\"richter\")) at <richtr>"]
    ),
    (
      "place > now()",
      [
        "typeMismatch(comparator: \">\", left: \"place (String)\", right: \"now() (Date)\", instead: Optional(\"CAST(place, \\\"NSDate\\\")\")) at <place > now()>"
      ]
    ),
    (
      "year(place) == 1",
      [
        "wrongOperand(function: \"year\", expected: \"a date\", found: \"place (String)\", instead: Optional(\"CAST(place, \\\"NSDate\\\")\")) at <place>"
      ]
    ),
    (
      "place + 1 > 2",
      [
        "wrongOperand(function: \"+\", expected: \"a number\", found: \"place (String)\", instead: Optional(\"CAST(place, \\\"NSNumber\\\")\")) at <place>"
      ]
    ),
    (
      "length(magnitude) > 2",
      [
        "wrongOperand(function: \"length\", expected: \"a text\", found: \"magnitude (Double)\", instead: nil) at <magnitude>"
      ]
    ),
    (
      "max(magnitude) > 2",
      [
        "wrongOperand(function: \"max\", expected: \"a collection or several values\", found: \"magnitude (Double)\", instead: nil) at <magnitude>"
      ]
    ),
    (
      "station.@count > 1",
      [
        "wrongOperand(function: \"@count\", expected: \"a to-many relationship\", found: \"station (Station)\", instead: nil) at <station>"
      ]
    ),
    (
      "reports.@sum.text > 1",
      ["wrongOperand(function: \"@sum\", expected: \"numbers\", found: \"text (String)\", instead: nil) at <text>"]
    ),
    ("lowercase(reports.text) == 'x'", ["toManyWithoutQuantifier(\"reports.text\") at <reports.text>"]),
    (
      "SUBQUERY(station, $s, $s.name == 'x').@count > 0",
      [
        "wrongOperand(function: \"SUBQUERY\", expected: \"a to-many relationship\", found: \"station (Station)\", instead: nil) at <station>"
      ]
    ),
    (
      "SUBQUERY(reports, $r, $r.scor > 1).@count > 0",
      ["unknownProperty(\"scor\", entity: \"Report\", nearest: Optional(\"score\")) at <scor>"]
    ),
    (
      "note == 'x'",
      ["unsupported(Queries.PredicateError.Unsupported.transient(\"note\", isRelationship: false)) at <note>"]
    ),
  ])
  func refuses(_ text: String, _ expected: [String]) {
    #expect(mistakes { try Predicate.parse(text).check(in: Sample.quake) } == expected)
  }

  @Test func everyMistakeIsToldAtOnce() {
    let text = "magnitud > 5 AND reports.score > 3 AND place > 5 AND year(place) == 3"
    #expect(mistakes { try Predicate.parse(text).check(in: Sample.quake) }.count == 4)
  }

  @Test func invalidRegularExpressionsAreTold() {
    let found = mistakes { try Predicate.parse("place MATCHES '[a'").check(in: Sample.quake) }
    #expect(found.count == 1 && found[0].hasPrefix("invalidRegularExpression(\"[a\""))
  }

  @Test func variablesMustBeBoundWhenFetched() throws {
    let predicate = try Predicate.parse("magnitude > $least AND SUBQUERY(reports, $r, $r.score > 3).@count > 0")
    try predicate.check(in: Sample.quake)
    #expect(
      mistakes { try predicate.check(in: Sample.quake, for: .fetch) } == [
        "unboundVariable(\"least\", nearest: nil) at <$least>"
      ])
    try predicate.bind(["least": .int(5)]).check(in: Sample.quake, for: .fetch)
  }

  @Test func bindingAnUnknownNameTellsTheNearest() throws {
    let predicate = try Predicate.parse("magnitude > $least")
    #expect(
      mistakes { _ = try predicate.bind(["last": .int(5)]) } == [
        "unknownVariable(\"last\", nearest: Optional(\"least\"))"
      ])
  }

  @Test func transientAttributesCanBeEvaluated() throws {
    try Predicate.parse("note == 'x'").check(in: Sample.quake, for: .evaluation)
  }

  @Test(arguments: [
    ("year(time)", ExpressionType.value(.integer64)), ("magnitude * 2", .value(.double)),
    ("price + 1", .value(.decimal)),
    ("count / 2", .value(.integer64)), ("small", .value(.integer16)), ("reports.@count", .value(.integer64)),
    ("reports.@avg.score", .value(.double)), ("time - 60", .value(.date)), ("time - time", .value(.double)),
    ("time - $x", .unknown), ("$x + time", .unknown),
    ("lowercase(place)", .value(.string)), ("reports.text", .collection(.value(.string))), ("nil", .null),
    ("TERNARY(felt == YES, 1, 2.5)", .value(.double)), ("CAST(count, 'NSString')", .value(.string)),
  ])
  func expressionsHaveTypes(_ text: String, _ type: ExpressionType) throws {
    #expect(try Expression.parse(text).check(in: Sample.quake) == type)
  }

  @Test func pathsOfAPredicateAreSeenFromTheObject() throws {
    let predicate = try Predicate.parse(
      "magnitude > 5 AND ANY reports.score > 3 AND SUBQUERY(reports, $r, $r.author.age > magnitude).@count > 0 "
        + "AND reports.@max.score > $x.y")
    #expect(predicate.paths.map(\.text) == ["magnitude", "reports.score", "reports", "reports.author.age"])
    #expect(predicate.variables == ["x"])
  }

  @Test func anExpressionIsAConditionWhereItIsANumber() throws {
    for text in ["felt", "magnitude", "reports.@count"] {
      try Predicate.expression(Expression.parse(text)).check(in: Sample.quake)
    }
    #expect(
      mistakes { try Predicate.expression(Expression.parse("place")).check(in: Sample.quake) } == [
        "wrongOperand(function: \"condition\", expected: \"a Bool\", found: \"place (String)\", instead: nil) at <place>"
      ])
  }
}
