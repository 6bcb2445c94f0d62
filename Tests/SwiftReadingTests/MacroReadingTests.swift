import Modeling
import Queries
import Testing

/// The closure of `#Predicate` means what Foundation makes of it.
@Suite struct MacroReadingTests {
  /// The body of a macro about quakes, and the format of what it means.
  static let bodies: [(String, String)] = [
    // Comparisons and literals
    ("$0.magnitude >= 5 && $0.place.contains(\"Chile\")", #"magnitude >= 5 AND place CONTAINS "Chile""#),
    ("$0.magnitude > -1_000.5e1", "magnitude > -10005.0"),
    ("$0.felt == 0xFF || $0.felt == 0b11 || $0.felt == 0o17", "felt == 255 OR felt == 3 OR felt == 15"),
    ("$0.place == nil", "place == nil"), ("nil != $0.place", "nil != place"),
    ("5 < $0.magnitude", "5 < magnitude"),
    ("$0.felt == -9223372036854775808", "felt == -9223372036854775808"),
    ("$0.place == \"a\\tb\\u{e9}\\\"\"", "place == \"a\\tbé\\\"\""),
    ("$0.place == #\"a\\b\"#", #"place == "a\\b""#),
    ("$0.place == \"\"\"\n    one\n      two\n    \"\"\"", #"place == "one\n  two""#),
    // Conditions
    ("$0.isReviewed", "isReviewed == YES"), ("!$0.isReviewed", "NOT isReviewed == YES"),
    ("$0.isReviewed == false", "isReviewed == NO"), ("true", "TRUEPREDICATE"),
    ("$0.isReviewed && ($0.felt > 1 || $0.felt < 0)", "isReviewed == YES AND (felt > 1 OR felt < 0)"),
    ("!($0.felt == 1) && !($0.felt == 2)", "NOT felt == 1 AND NOT felt == 2"),
    // Text
    ("$0.place.starts(with: \"Off\")", #"place BEGINSWITH "Off""#),
    ("$0.place.localizedStandardContains(\"chile\")", #"place CONTAINS[cdl] "chile""#),
    ("$0.place.caseInsensitiveCompare(\"chile\") == ComparisonResult.orderedSame", #"place ==[c] "chile""#),
    ("$0.place.localizedCompare(\"m\") == ComparisonResult.orderedAscending", #"place <[l] "m""#),
    ("$0.place.caseInsensitiveCompare(\"m\") != ComparisonResult.orderedDescending", #"NOT place >[c] "m""#),
    ("$0.place.isEmpty", "length(place) == 0"), ("$0.place.count > 3", "length(place) > 3"),
    ("$0.place.contains(/c.?t/)", #"place MATCHES ".*c.?t.*""#),
    ("$0.place.contains(/^(?:a|b)$/)", #"place MATCHES "a|b""#),
    ("$0.place.contains(/^a\\/b/)", #"place MATCHES "a/b.*""#),
    (#"$0.place.contains(#/\A(?:a\/|b.*)\z/#)"#, #"place MATCHES "a\\/|b.*""#),
    ("$0.place.contains(/a|b/)", #"place MATCHES ".*(?:a|b).*""#),
    ("$0.place == \"a\" + \"b\"", #"place == "ab""#),
    // Collections
    ("$0.reports.count > 3", "reports.@count > 3"), ("$0.reports.isEmpty", "reports.@count == 0"),
    ("!$0.reports.isEmpty", "NOT reports.@count == 0"),
    ("$0.reports.contains { $0.score > 3 }", "ANY reports.score > 3"),
    ("$0.reports.contains(where: { report in report.score > 3 })", "ANY reports.score > 3"),
    (
      "$0.reports.contains { $0.score > 3 && $0.text == \"x\" }",
      #"SUBQUERY(reports, $x, $x.score > 3 AND $x.text == "x").@count != 0"#
    ),
    ("!$0.reports.contains { $0.score > 3 }", "NOT SUBQUERY(reports, $x, $x.score > 3).@count != 0"),
    ("$0.reports.allSatisfy { r in r.score > 3 }", "SUBQUERY(reports, $r, NOT $r.score > 3).@count == 0"),
    ("$0.reports.filter { $0.score > 3 }.count >= 2", "SUBQUERY(reports, $x, $x.score > 3).@count >= 2"),
    ("$0.reports.filter({ $0.score > 3 }).isEmpty", "SUBQUERY(reports, $x, $x.score > 3).@count == 0"),
    ("[1, 2, 3].contains($0.felt)", "felt IN {1, 2, 3}"), ("ids.contains($0.code)", "code IN $ids"),
    ("$0.reports.first?.text == \"x\"", #"reports.@unionOfObjects.text[FIRST] == "x""#),
    ("$0.reports[0].score == 1", "reports.@unionOfObjects.score[0] == 1"),
    ("[$0.magnitude, 5.5].max() == 5.5", "max(magnitude, 5.5) == 5.5"),
    (
      "$0.station?.quakes.contains { $0.magnitude > 6 } ?? false", "ANY station.quakes.magnitude > 6"
    ),
    ("($0.reports ?? []).contains { $0.score == nil }", "ANY reports.score == nil"),
    // Ranges
    ("(1...5).contains($0.magnitude)", "magnitude BETWEEN {1, 5}"),
    ("(1..<5).contains($0.magnitude)", "magnitude >= 1 AND magnitude < 5"),
    ("(low...high).contains($0.felt)", "felt BETWEEN {$low, $high}"),
    // Optionals and choices
    ("$0.station?.name == \"A\"", #"station.name == "A""#), ("$0.station!.name == \"A\"", #"station.name == "A""#),
    ("$0.place?.contains(\"x\") == true", #"place CONTAINS "x""#),
    ("$0.place?.contains(\"x\") ?? false", #"place CONTAINS "x""#),
    ("!($0.place?.contains(\"x\") ?? false)", #"NOT (place != nil AND place CONTAINS "x")"#),
    ("$0.place?.contains(\"x\") ?? true", #"place == nil OR place CONTAINS "x""#),
    ("($0.felt ?? 0) > 3", "TERNARY(felt != nil, felt, 0) > 3"),
    ("$0.isReviewed ?? false", "isReviewed == YES"),
    ("!($0.isReviewed ?? false)", "NOT (isReviewed != nil AND isReviewed == YES)"),
    ("$0.magnitude.flatMap { $0 > 5 } ?? false", "magnitude > 5"),
    ("if let m = $0.magnitude { m > 5 } else { false }", "magnitude != nil AND magnitude > 5"),
    (
      "if let m = $0.magnitude { if m > 5 { return true } else { return false } } else { false }",
      "magnitude != nil AND magnitude > 5"
    ),
    (
      "if let m = $0.magnitude { m > 5 } else if $0.felt == nil { true } else { false }",
      "magnitude != nil AND magnitude > 5 OR magnitude == nil AND felt == nil"
    ),
    ("($0.felt > 3 ? $0.felt : 0) == 5", "TERNARY(felt > 3, felt, 0) == 5"),
    ("$0.felt == nil ? $0.isReviewed : true", "felt != nil OR isReviewed == YES"),
    // Arithmetic
    ("$0.felt * 2 + 1 > 7", "felt * 2 + 1 > 7"), ("-$0.magnitude < 1", "-magnitude < 1"),
    ("$0.felt % 2 == 0", "modulus:by:(felt, 2) == 0"), ("($0.felt - 1) / 2 > 0", "(felt - 1) / 2 > 0"),
    ("$0.time > since", "time > $since"),
    // Objects
    ("$0.persistentModelID == id", "SELF == $id"), ("$0.id == id", "SELF == $id"),
    ("$0.station?.persistentModelID == stationID", "station == $stationID"), ("$0.station == nil", "station == nil"),
    ("ids.contains($0.persistentModelID)", "SELF IN $ids"),
    ("$0.location.latitude > 3", "location.latitude > 3"),
    // Names from outside
    (
      "search.isEmpty || $0.place.localizedStandardContains(search)",
      "length($search) == 0 OR place CONTAINS[cdl] $search"
    ),
    ("ids.isEmpty || ids.contains($0.code)", "count($ids) == 0 OR code IN $ids"),
  ]

  @Test(arguments: bodies)
  func aBodyMeans(_ body: String, _ format: String) {
    #expect(ReadingSample.format("#Predicate<Quake> { \(body) }") == format)
  }

  @Test(arguments: [
    "#Predicate<Quake> { $0.magnitude > 5 }", "#Predicate<Quake> { quake in quake.magnitude > 5 }",
    "#Predicate { (quake: Quake) in quake.magnitude > 5 }",
    "#Predicate { (quake: Quake) -> Bool in return quake.magnitude > 5 }",
    "#Predicate<Quake>({ $0.magnitude > 5 })",
    "  #Predicate<Quake> {\n  // strong\n  $0.magnitude\n    > 5 /* a /* b */ */\n}",
    "let strong = #Predicate<Quake> { $0.magnitude > 5 }",
    "private static let p: Predicate<Quake> = #Predicate { $0.magnitude > 5 }",
    "func strong() -> Predicate<Quake> { #Predicate { $0.magnitude > 5 } }",
    "func strong(minimum: Double) throws -> Predicate<Quake> {\n  return #Predicate<Quake> { $0.magnitude > 5 }\n}",
    "extension Quake {\n  static var strong: Predicate<Quake> { #Predicate<Quake> { $0.magnitude > 5 } }\n}",
    "let a = #Predicate<Quake> { $0.magnitude > 5 }\n#Predicate<Quake> { a.evaluate($0) }",
    "NSPredicate(format: \"magnitude > %@\", 5 as NSNumber)", "NSPredicate(format: \"magnitude > 5\")",
  ])
  func everySpellingIsRead(_ text: String) {
    #expect(ReadingSample.format(text) == "magnitude > 5")
  }

  @Test func constantsBeforeItAreItsValues() throws {
    let text = """
      import Foundation
      let minimum: Double = 5
      let since = Date(timeIntervalSince1970: 86_400), range = 1...3
      let codes = ["a", "b"]
      let p = #Predicate<Quake> {
        $0.magnitude > minimum && $0.time > since && range.contains($0.felt) && codes.contains($0.code)
      }
      """
    let predicate = try Predicate(swift: text, in: ReadingSample.model)
    #expect(
      predicate.description
        == #"magnitude > 5 AND time > CAST("1970-01-02T00:00:00Z", "NSDate") AND felt BETWEEN {1, 3} AND code IN {"a", "b"}"#
    )
    guard case .and(let terms) = predicate, case .comparison(let first) = terms[0] else {
      Issue.record("no conjunction")
      return
    }
    // The name is kept, so that Swift is printed with it.
    guard case .argument(.int(5), name: "minimum") = first.right else {
      Issue.record("no argument: \(first.right)")
      return
    }
  }

  @Test func capturedNamesAreVariables() throws {
    let predicate = try Predicate(swift: "#Predicate<Quake> { $0.magnitude > minimum && $0.code == code }")
    #expect(predicate.variables == ["code", "minimum"])
    #expect(try predicate.bind(["minimum": .int(5), "code": .string("x")]).format == #"magnitude > 5 AND code == "x""#)
  }

  @Test(arguments: [
    ("$0.name.count > 3 && $0.name == \"x\"", #"length(name) > 3 AND name == "x""#),
    ("$0.reports.count > 3", "reports.@count > 3"), ("$0.tags.contains(\"x\")", #"tags CONTAINS "x""#),
    ("$0.reports.isEmpty || $0.reports.contains { $0.a == 1 }", "reports.@count == 0 OR ANY reports.a == 1"),
    ("$0.name.isEmpty || $0.name.starts(with: \"x\")", #"length(name) == 0 OR name BEGINSWITH "x""#),
  ])
  func withoutAModelTheUseDecides(_ body: String, _ format: String) {
    #expect(ReadingSample.format("#Predicate { \(body) }", knowsModel: false) == format)
  }

  @Test func whatIsReadIsPrintedAndReadAgain() throws {
    for (body, _) in Self.bodies {
      let predicate = try Predicate(swift: "#Predicate<Quake> { \(body) }", in: ReadingSample.model)
      #expect(try Predicate.parse(predicate.format) == predicate.inlined, "\(body)")
    }
  }
}
