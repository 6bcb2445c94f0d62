import Modeling
import Queries
import SwiftParsing
import Testing

/// What Swift or SwiftData would refuse is refused, all at once, with its place.
@Suite struct ReadingRefusalTests {
  /// The body of a macro about quakes, and its mistake.
  static let bodies: [(String, String)] = [
    (#"$0.place.hasSuffix("x")"#, #"method("hasSuffix") at <hasSuffix>"#),
    (#"$0.place.hasPrefix("x")"#, #"method("hasPrefix") at <hasPrefix>"#),
    (#"$0.place.lowercased() == "x""#, #"method("lowercased") at <lowercased>"#),
    ("$0.reports.map { $0.score }.max() == 3", #"method("map") at <map>"#),
    ("$0.reports.reduce(0) { $0 + $1.score } > 3", #"method("reduce") at <reduce>"#),
    ("$0.reports.count(where: { $0.score > 3 }) > 1", #"method("count") at <count>"#),
    ("$0.reports.sorted().isEmpty", #"method("sorted") at <sorted>"#),
    ("$0.time > Date.now", #"computedInside("Date.now", constant: "now") at <Date.now>"#),
    ("$0.time > .now", #"computedInside(".now", constant: "now") at <.now>"#),
    ("$0.time > Date()", #"computedInside("Date()", constant: "date") at <Date()>"#),
    (
      "$0.time > Date.now.addingTimeInterval(-60)",
      #"computedInside("Date.now.addingTimeInterval(-60)", constant: "addingTimeInterval") at <Date.now.addingTimeInterval(-60)>"#
    ),
    ("$0.code == person.name", #"computedInside("person.name", constant: "name") at <person.name>"#),
    ("$0.code == self.name", #"computedInside("self.name", constant: "name") at <self.name>"#),
    (
      "$0.station?.persistentModelID == station.persistentModelID",
      #"computedInside("station.persistentModelID", constant: "stationID") at <station.persistentModelID>"#
    ),
    ("$0.code == code()", #"computedInside("code()", constant: "code") at <code()>"#),
    ("abs($0.magnitude) > 5", #"call("abs") at <abs($0.magnitude)>"#),
    ("Double($0.felt) > 5", #"call("Double") at <Double($0.felt)>"#),
    ("isBig($0)", #"call("isBig") at <isBig($0)>"#),
    ("$0.place == .chile", #"enumerationCase(".chile") at <.chile>"#),
    ("$0.place == Place.chile", #"enumerationCase("Place.chile") at <Place.chile>"#),
    ("$0.place.rawValue == \"x\"", #"enumerationCase("$0.place.rawValue") at <rawValue>"#),
    ("$0.station == station", #"objectComparison("$0.station") at <$0.station == station>"#),
    ("$0 == quake", #"objectComparison("$0") at <$0 == quake>"#),
    ("quakes.contains($0)", #"objectComparison("$0") at <$0>"#),
    (#"$0.place == "a\(b)""#, #"interpolation at <\(b)>"#),
    (
      "switch $0.felt { case 1: true default: false }",
      #"statement("switch") at <switch $0.felt { case 1: true default: false }>"#
    ),
    ("$0.felt == 1\n$0.felt == 2", "severalStatements at <$0.felt == 2>"),
    ("$0.felt = 1", "assignment at <$0.felt = 1>"),
    ("let m = $0.felt\nreturn m == 1", #"statement("let") at <let m = $0.felt>"#),
    (
      "$0[keyPath: \\.felt] == 1",
      #"unexpected(found: "$0[keyPath: \\.felt]", expected: "one position") at <$0[keyPath: \.felt]>"#
    ),
    ("\\Quake.felt == 1", #"keyPath("\\Quake.felt") at <\Quake.felt>"#),
    ("if $0.felt == 1 { true }", "missingElse at <if $0.felt == 1 { true }>"),
    ("$0 is Quak", #"unknownSubentity("Quak", of: "Quake", nearest: Optional("Quake")) at <Quak>"#),
    ("$0.place is Quake", #"typeTest("is Quake") at <$0.place is Quake>"#),
    ("($0 as? Big)?.size == 1", #"unknownSubentity("Big", of: "Quake", nearest: nil) at <Big>"#),
    ("($0.place as? Big)?.size == 1", #"typeTest("as? Big") at <$0.place as? Big>"#),
    ("$0.felt & 1 == 1", #"swiftOperator("&") at <$0.felt & 1>"#),
    ("$0.felt === 1", #"swiftOperator("===") at <$0.felt === 1>"#),
    (#"$0.place + "x" == "yx""#, #"joinedText at <$0.place + "x">"#),
    ("$0.reports.score > 1", #"memberOfCollection("score", collection: "$0.reports") at <score>"#),
    ("$0.place.capitalized == \"X\"", #"unknownMember("capitalized", of: "String") at <capitalized>"#),
    ("$0.felt", #"notACondition("{ $0.felt }") at <{ $0.felt }>"#),
    ("$0.felt && true", #"notACondition("$0.felt") at <$0.felt>"#),
    ("$0.magnitud > 1", #"unknownProperty("magnitud", entity: "Quake", nearest: Optional("magnitude")) at <magnitud>"#),
    ("$0.station?.nam == \"x\"", #"unknownProperty("nam", entity: "Station", nearest: Optional("name")) at <nam>"#),
    ("$0.location.lat > 1", #"unknownProperty("lat", entity: "location", nearest: Optional("latitude")) at <lat>"#),
    (
      "$0.reports.contains { $0.scor > 1 }",
      #"unknownProperty("scor", entity: "Report", nearest: Optional("score")) at <scor>"#
    ),
    ("$1.felt > 1", #"unexpected(found: "$1", expected: "$0, the object") at <$1>"#),
    ("$0.felt == 99999999999999999999", #"invalidNumber("99999999999999999999") at <99999999999999999999>"#),
    (#"$0.place == "a"#, #"unterminated("\"") at <"a }>"#),
    (#"$0.place == "\q""#, #"invalidEscape("\\q") at <\q>"#),
    ("$0.felt ==", #"unexpected(found: "}", expected: "a value") at <}>"#),
    ("", #"unexpected(found: "}", expected: "a condition") at <}>"#),
    (
      "!$0.magnitude",
      #"notACondition("$0.magnitude") at <$0.magnitude>"#
    ),
  ]

  @Test(arguments: bodies)
  func aBodyIsRefused(_ body: String, _ mistake: String) {
    let mistakes = ReadingSample.mistakes(ofPredicate: "#Predicate<Quake> { \(body) }")
    #expect(mistakes.first == mistake)
    #expect(mistakes.count == 1 || body.hasSuffix("\"a"), "\(mistakes)")
  }

  @Test func everyMistakeIsToldAtOnce() {
    let text = """
      #Predicate<Quake> {
        $0.magnitud > 5 && $0.place.hasSuffix("x") || $0.time < Date.now
          && $0.reports.contains { $0.txt == person.name } && $0.code == "\\(code)"
      }
      """
    #expect(
      ReadingSample.mistakes(ofPredicate: text) == [
        #"unknownProperty("magnitud", entity: "Quake", nearest: Optional("magnitude")) at <magnitud>"#,
        #"method("hasSuffix") at <hasSuffix>"#, #"computedInside("Date.now", constant: "now") at <Date.now>"#,
        #"unknownProperty("txt", entity: "Report", nearest: Optional("text")) at <txt>"#,
        #"computedInside("person.name", constant: "name") at <person.name>"#, #"interpolation at <\(code)>"#,
      ])
  }

  @Test func typesAreChecked() {
    let mistakes = ReadingSample.mistakes(ofPredicate: "#Predicate<Quake> { $0.place > 5 }")
    #expect(mistakes.count == 1)
    #expect(mistakes.first?.contains("typeMismatch") == true && mistakes.first?.hasSuffix("at <$0.place > 5>") == true)
  }

  @Test func anUnknownEntityIsToldWithTheNearest() {
    #expect(
      ReadingSample.mistakes(ofPredicate: "#Predicate<Quak> { $0.a > 1 }") == [
        #"unknownEntity("Quak", nearest: Optional("Quake")) at <#Predicate<Quak> >"#
      ])
    #expect(
      ReadingSample.mistakes(ofPredicate: "#Predicate { (q: Quakes) in q.a > 1 }") == [
        #"unknownEntity("Quakes", nearest: Optional("Quake")) at <Quakes>"#
      ])
  }

  @Test func aPredicateOfAnotherEntityIsRefused() throws {
    let quake = try #require(ReadingSample.model.entity(named: "Quake"))
    #expect(throws: SwiftReadingError.self) {
      try Predicate(swift: "#Predicate<Report> { $0.score > 1 }", in: ReadingSample.model, of: quake)
    }
    let text = "#Predicate { $0.place.isEmpty }"
    #expect(try Predicate(swift: text, of: quake).format == "length(place) == 0")
  }
}
