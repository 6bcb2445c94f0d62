import Modeling
import Queries
import Testing

@testable import SwiftPrinting

@Suite struct MacroPrinterTests {
  private func macro(_ format: String, bound: [String: Value] = [:]) throws -> String {
    let predicate = try Queries.Predicate.parse(format).bind(bound)
    return try SwiftPrinter(entity: ProofModel.quake).source(of: predicate, as: .macro)
  }

  @Test(arguments: [
    ("magnitude >= 5 AND code CONTAINS 'Chile'", #"$0.magnitude >= 5 && $0.code.contains("Chile")"#),
    ("depth >= 5", "$0.depth.flatMap { $0 >= 5 } ?? false"),
    ("place CONTAINS 'Chile'", #"$0.place?.contains("Chile") == true"#),
    ("place CONTAINS[cd] 'chile'", #"$0.place?.localizedStandardContains("chile") == true"#),
    ("depth == 5", "$0.depth == 5"), ("depth != nil", "$0.depth != nil"),
    ("NOT confirmed == YES", "!$0.confirmed"), ("tsunami == NO", "$0.tsunami == false"),
    ("ANY reports.score > 3", "$0.reports.contains { $0.score > 3 }"),
    ("NONE reports.text == nil", "!$0.reports.contains { $0.text == nil }"),
    ("reports.@count > 2", "$0.reports.count > 2"), ("reports.@count == 0", "$0.reports.isEmpty"),
    ("SUBQUERY(reports, $r, $r.score > 3).@count == 2", "$0.reports.filter { $0.score > 3 }.count == 2"),
    ("reports.@max.score > 3", "$0.reports.contains { $0.score > 3 }"),
    ("code IN {'a', 'b'}", #"["a", "b"].contains($0.code)"#),
    ("count BETWEEN {1, 5}", "(1...5).contains($0.count)"),
    ("code BEGINSWITH 'us'", #"$0.code.starts(with: "us")"#), ("code LIKE 'us*'", #"$0.code.starts(with: "us")"#),
    ("code MATCHES 'us[0-9]'", #"$0.code.contains(#/\A(?:us[0-9])\z/#)"#),
    ("count > 2.5", "$0.count > 2"), ("station.name == 'x'", #"$0.station?.name == "x""#),
    ("#in == 2", "$0.`in` == 2"),
  ])
  func aClauseIsWrittenAsASwiftDeveloperDoes(format: String, body: String) throws {
    #expect(try macro(format) == "#Predicate<Quake> { \(body) }")
  }

  @Test func aNegativeNumberBesideAnOptionalIsAConstantOfItsType() throws {
    #expect(
      try macro("depth == -5") == """
        let depth: Double = -5
        let predicate = #Predicate<Quake> { $0.depth == depth }
        """)
    #expect(
      try macro("place CONTAINS code")
        == "#Predicate<Quake> { quake in quake.place.flatMap { $0.contains(quake.code) } ?? false }")
    #expect(try macro("magnitude == -5") == "#Predicate<Quake> { $0.magnitude == -5 }")
  }

  @Test func aParameterHasANameWhereAClosureWithinNeedsIt() throws {
    #expect(
      try macro("ALL reports.score > count")
        == "#Predicate<Quake> { quake in quake.reports.allSatisfy { $0.score > quake.count } }")
  }

  @Test func whatIsTheSameForEveryObjectIsKnown() throws {
    #expect(try macro("small > 100000") == "#Predicate<Quake> { _ in false }")
    #expect(try macro("code != nil") == "#Predicate<Quake> { _ in true }")
    #expect(try macro("count BETWEEN {5, 1}") == "#Predicate<Quake> { _ in false }")
  }

  @Test func variablesWithoutAValueAreParametersThoseWithOneAreConstants() throws {
    #expect(
      try macro("time > $since") == """
        func matchingQuakes(since: Date) -> Predicate<Quake> {
            #Predicate<Quake> { $0.time > since }
        }
        """)
    #expect(
      try macro("time > $since", bound: ["since": .date(Timestamp(1_704_067_200))]) == """
        let since = Date(timeIntervalSinceReferenceDate: 725760000)  // 2024-01-01T00:00:00Z
        let predicate = #Predicate<Quake> { $0.time > since }
        """)
  }

  @Test(
    arguments: [
      (
        "code ENDSWITH 'x.'", SwiftPrintingError.Fact.notInMacro("ENDSWITH", instead: .format(#"MATCHES "(?s).*x\\.""#))
      ),
      ("lowercase(code) == 'x'", .notInMacro("the function lowercase", instead: .storedAttribute)),
      ("code CONTAINS[c] 'x'", .notInMacro("CONTAINS[c]", instead: .format("CONTAINS[cd]"))),
      ("count == small", .differentTypes(left: "Int", right: "Int16")),
    ])
  func whatTheMacroDoesNotHaveIsRefusedWithAWayRound(format: String, fact: SwiftPrintingError.Fact) {
    #expect(#expect(throws: SwiftPrintingError.self) { try macro(format) }?.fact == fact)
  }
}
