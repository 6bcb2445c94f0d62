import Modeling
import Queries
import Testing

/// All mistakes of one text at once: of the language, of names and of types, each with its place.
@Suite struct PredicateDiagnosisTests {
  private func diagnose(_ text: String, _ arguments: [PredicateArgument] = []) -> [String] {
    let (predicate, issues) = Predicate.diagnose(text, arguments: arguments, in: Sample.quake)
    let facts = mistakes { throw PredicateError(issues: issues) }
    #expect(predicate == (try? Predicate.parse(text, arguments: arguments)))
    return facts
  }

  @Test func namesAreCheckedInATextThatCannotBeRead() {
    #expect(
      diagnose("plaec HASPREFIX 'The' AND magnitud > 5 AND (cuont ==") == [
        "unknownProperty(\"plaec\", entity: \"Quake\", nearest: Optional(\"place\")) at <plaec>",
        "unknownOperator(\"HASPREFIX\", nearest: Optional(\"BEGINSWITH\")) at <HASPREFIX>",
        "unknownProperty(\"magnitud\", entity: \"Quake\", nearest: Optional(\"magnitude\")) at <magnitud>",
        "unknownProperty(\"cuont\", entity: \"Quake\", nearest: Optional(\"count\")) at <cuont>",
        "unexpected(found: \"the end\", expected: \"a value\") at <>",
      ])
  }

  @Test(arguments: [
    // Names are found wherever something else is wrong.
    ("yeer(tiem) == 3", ["unknownFunction yeer", "unknownProperty tiem"]),
    ("year(tiem, magnitud) == 3", ["wrongArgumentCount year", "unknownProperty tiem", "unknownProperty magnitud"]),
    ("tiem AND magnitud > 5", ["unknownProperty tiem", "unexpected AND", "unknownProperty magnitud"]),
    ("ANY reprots.score AND felt == YES", ["unknownProperty reprots", "unexpected AND"]),
    ("reprots.@averge.score > 3", ["unknownProperty reprots", "unknownFunction @averge"]),
    ("reports.@averge.scor > 3", ["unknownFunction @averge"]),
    ("CAST(tiem, 'NSFoo') == 1", ["unknownProperty tiem", "unknownFunction 'NSFoo'"]),
    ("SUBQUERY(reprots, x, score > 3).@count > 1", ["unknownProperty reprots", "unexpected x"]),
    (
      "SUBQUERY(reports, $r, $r.scor > 3 AND $r.txt ==).@count > 1",
      ["unknownProperty scor", "unknownProperty txt", "unexpected )"]
    ),
    ("TERNARY(tiem > 3, magnitud) > 5", ["unknownProperty tiem", "unknownProperty magnitud", "unexpected )"]),
    ("tiem == 5 magnitud == 6", ["unknownProperty tiem", "unexpected magnitud", "unknownProperty magnitud"]),
    ("tiem IN (1, magnitud)", ["unknownProperty tiem", "unexpected ,", "unknownProperty magnitud"]),
    ("magnitud == (tiem == 3)", ["unknownProperty magnitud", "unexpected (tiem == 3)", "unknownProperty tiem"]),
    ("plaec.contains(tiem)", ["unknownProperty plaec", "methodCall contains", "unknownProperty tiem"]),
    ("FUNCTION(plaec, 'hasPrefx:', 'x') == YES", ["unknownFunction FUNCTION", "unknownProperty plaec"]),
    ("plaec CONTIANS tiem", ["unknownProperty plaec", "unknownOperator CONTIANS", "unknownProperty tiem"]),
    ("magnitud BETWEEN 1 AND 5", ["unknownProperty magnitud", "unexpected 1 AND 5"]),
    // No mistake follows from another.
    ("magnitude > ? AND depth < ?", ["unexpected ?"]), ("place == ", ["unexpected "]),
    ("== 5", ["unexpected =="]), ("magnitude > 5x", ["invalidNumber 5x"]),
    ("yeer(time) == 'x'", ["unknownFunction yeer"]),
    ("place HASPREFIX (", ["unknownOperator HASPREFIX", "unexpected "]),
    ("reports INCLUDES $r", ["unknownOperator INCLUDES"]),
    ("magnitude == %y", ["unknownPlaceholder %y"]),
    ("magnitude > foo.bar('x') AND ", ["unknownProperty foo", "methodCall bar", "unexpected "]),
    ("place.hasPrefix('x')", ["methodCall hasPrefix"]),
    (
      "magnitude CONTAINS[caseInsensitive] 'x'",
      ["typeMismatch magnitude CONTAINS[caseInsensitive] 'x'", "unknownOption caseInsensitive"]
    ),
    ("magnitud > 1 AND magnitud > 2", ["unknownProperty magnitud", "unknownProperty magnitud"]),
    ("$r := 5", ["noMeaning :="]), ("(((magnitude > 1)", ["unexpected "]),
  ])
  func everyMistakeOnceInTheOrderOfTheText(_ text: String, _ expected: [String]) {
    let found = Predicate.diagnose(text, in: Sample.quake).issues.map { issue in
      let bytes = Array(text.utf8)[issue.origin?.range ?? 0..<0]
      return "\("\(issue.fact)".prefix { $0 != "(" }) \(String(decoding: bytes, as: UTF8.self))"
    }
    #expect(found == expected)
  }

  @Test func aReadableTextKeepsItsPredicateWhateverItsNames() throws {
    let (predicate, issues) = Predicate.diagnose("magnitud > 5", in: Sample.quake)
    #expect(predicate == (try Predicate.parse("magnitud > 5")))
    #expect(issues.count == 1)
    #expect(Predicate.diagnose("magnitud > 5").issues.isEmpty)
    #expect(Predicate.diagnose("magnitude > 5", in: Sample.quake).issues.isEmpty)
    #expect(Predicate.diagnose("magnitude > ", in: Sample.quake).predicate == nil)
  }

  @Test(arguments: [
    ("reports.count > 3", "reports.@count"), ("reports.first == nil", "reports[FIRST]"), ("objectID == $x", "SELF"),
    ("stationName == 'x'", "station.name"), ("station_name == 'x'", "station.name"), ("name == 'x'", "station.name"),
    ("station.nmae == 'x'", "name"), ("mag > 5", "magnitude"), ("score > 3", "reports.score"),
    ("Magnitude > 5", "magnitude"),
  ])
  func theNearestNameIsTheOneThatWasMeant(_ text: String, _ nearest: String) {
    let fact = Predicate.diagnose(text, in: Sample.quake).issues.first?.fact
    guard case .unknownProperty(_, _, let found) = fact else {
      Issue.record("\(String(describing: fact))")
      return
    }
    #expect(found == nearest)
  }

  @Test(arguments: [
    ("place.length > 3", "length(place)"), ("place.lowercased == 'x'", "lowercase(place)"),
    ("time.year == 2024", "year(time)"),
    ("cause.place.count > 3", "length(cause.place)"), ("magnitude.abs > 3", "abs(magnitude)"), ("place.year == 3", nil),
  ])
  func aKeyOfAnAttributeNamesItsFunction(_ text: String, _ instead: String?) {
    guard case .notARelationship(_, _, _, let found)? = Predicate.diagnose(text, in: Sample.quake).issues.first?.fact
    else {
      Issue.record("\(Predicate.diagnose(text, in: Sample.quake).issues)")
      return
    }
    #expect(found == instead)
  }

  @Test(arguments: [
    ("felt == 'true'", "YES"), ("magnitude > '5.5'", "5.5"), ("count IN {1, '2'}", "2"), ("place == 5", "\"5\""),
    ("time < '2024-01-02'", "CAST(\"2024-01-02T00:00:00Z\", \"NSDate\")"), ("time < 'soon'", nil),
    ("count CONTAINS '5'", "CAST(count, \"NSString\")"), ("magnitude == 'five'", nil),
  ])
  func sidesThatNeverCompareTellWhatToWrite(_ text: String, _ instead: String?) {
    guard case .typeMismatch(_, _, _, let found)? = Predicate.diagnose(text, in: Sample.quake).issues.first?.fact else {
      Issue.record("\(Predicate.diagnose(text, in: Sample.quake).issues)")
      return
    }
    #expect(found == instead)
  }

  @Test func mistakesWithinArgumentsStandAtTheWholeText() throws {
    let expression = try Expression.parse("magnitud + 1")
    let issues = Predicate.diagnose("%@ > 5", arguments: [.expression(expression)], in: Sample.quake).issues
    #expect(issues.map(\.origin?.text) == ["%@ > 5"])
    #expect(issues.map(\.origin?.range) == [0..<6])
  }

  @Test func noMoreThanTwentyFiveMistakesAreTold() {
    let text = (0..<100).map { "wrong\($0) FOO 1" }.joined(separator: " AND ")
    #expect(Predicate.diagnose(text, in: Sample.quake).issues.count == 25)
    let names = (0..<100).map { "wrong\($0) > 1" }.joined(separator: " AND ")
    #expect(Predicate.diagnose(names, in: Sample.quake).issues.count == 25)
  }

  @Test(arguments: ["AND", "OR", "&&", "||"]) func behindAMistakeTheNextConditionIsRead(word: String) {
    #expect(Predicate.diagnose("magnitude == 1 % \(word) count == 2", in: Sample.quake).issues.count == 1)
    #expect(Predicate.diagnose("magnitude == 1 % \(word) nothing == 2", in: Sample.quake).issues.count == 2)
  }
}
