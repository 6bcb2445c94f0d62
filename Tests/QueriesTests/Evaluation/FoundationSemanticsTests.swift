import Modeling
import Queries
import TestSupport
import Testing

/// What Apple documents of NSPredicate in memory, line by line, held against `.memory`.
@Suite(.seeded) struct FoundationSemanticsTests {
  /// The quake has no magnitude, a count of 7, a text with an accent, and three reports, the last without a score.
  private static func quake() -> SampleObject {
    let quake = Sample.fullQuake()
    quake.values["magnitude"] = nil
    quake.values["place"] = .string("Chilé")
    return quake
  }

  @Test(arguments: [
    // Nil is equal to nil alone, and before or after nothing.
    ("magnitude == nil", true), ("magnitude != nil", false), ("magnitude == depth", true),
    ("magnitude != depth", false),
    ("magnitude == 5", false), ("magnitude != 5", true), ("magnitude < 5", false), ("magnitude >= 5", false),
    ("magnitude <= depth", false), ("magnitude BETWEEN {1, 9}", false), ("magnitude IN {1, nil}", true),
    ("magnitude IN {1, 2}", false), ("cause.place == nil", true), ("cause.place != 'x'", true),
    ("cause.place CONTAINS 'x'", false), ("cause.place BEGINSWITH ''", false),
    // Two values of logic: NOT turns every answer round.
    ("NOT magnitude < 5", true), ("NOT magnitude == 5", true), ("NOT (magnitude < 5 OR magnitude > 5)", true),
    ("magnitude < 5 OR count == 7", true), ("magnitude < 5 AND count == 7", false),
    // Values of classes that do not compare are unequal, and before or after nothing.
    ("anything == 7", false), ("anything != 7", true), ("anything < 8", false), ("anything == '7'", true),
    // Text is compared literally; options ignore what they name.
    ("place == 'Chile\\u0301'", false), ("place == 'chilé'", false), ("place ==[c] 'chilé'", true),
    ("place ==[d] 'Chile'", true), ("place ==[cd] 'CHILE'", true), ("place ==[l] 'Chile\\u0301'", true),
    ("place ==[n] 'chilé'", false), ("place ==[cdn] 'CHILE'", false), ("place LIKE 'C*é'", true),
    ("place LIKE '?'", false),
    ("place MATCHES 'Chil'", false), ("place MATCHES 'Chil.'", true), ("'Chi' IN place", true),
    // Quantifiers: of an empty list ANY is false, ALL and NONE are true.
    ("ANY cause.reports.score > 0", false), ("ALL cause.reports.score > 0", true),
    ("NONE cause.reports.score > 0", true), ("ANY reports.score > 5", true), ("ALL reports.score > 2", false),
    ("NONE reports.score > 8", true), ("ANY reports.score == nil", true), ("SOME reports.score == 3", true),
    // Numbers compare by value, Booleans as 0 and 1.
    ("count == 7.0", true), ("felt == 1", true), ("count / 2 == 3", true), ("reports.@count == 3", true),
    ("reports.@sum.score == 11", true), ("SUBQUERY(reports, $r, $r.score != 3).@count == 2", true),
  ])
  func memoryAnswersAsAppleDocuments(_ format: String, _ expected: Bool) throws {
    #expect(try Predicate.parse(format).evaluate(Self.quake(), semantics: .memory) == expected)
  }

  private static let pairs: [(String, String, ComparisonOptions, Int)] = [
    ("Äpfel", "Birne", [], 1), ("Äpfel", "Birne", .localeSensitive, -1), ("é", "e\u{301}", [], 1),
    ("é", "e\u{301}", .localeSensitive, 0), ("a", "A", .localeSensitive, 1),
    ("a", "A", [.localeSensitive, .caseInsensitive], 0), ("a", "A", [.normalized, .caseInsensitive], 1),
    ("a", "á", .diacriticInsensitive, 0), ("ß", "SS", .caseInsensitive, 0), ("a", "B", .localeSensitive, -1),
  ]

  @Test(arguments: pairs)
  func optionsDecideTheOrderOfTexts(_ left: String, _ right: String, _ options: ComparisonOptions, _ order: Int) {
    #expect(compareText(left, right, options).signum() == order)
    #expect(compareText(right, left, options).signum() == -order)
  }

  @Test(arguments: [
    ("ANY info.list == 'x'", true), ("ANY info.list == 'y'", false), ("info.list CONTAINS 1", true),
    ("'x' IN info.list", true), ("info.list.@count == 2", true), ("ANY info == 1", false),
    ("ALL info.list != nil", true),
    ("SUBQUERY(info, $e, $e == 1).@count == 0", true),
  ])
  func arraysInJSONAreCollections(_ format: String, _ expected: Bool) throws {
    #expect(try Predicate.parse(format).evaluate(Sample.fullQuake()) == expected)
  }

  @Test func sumsDoNotDependOnTheOrder() {
    let numbers: [Value] = [
      .int(.max), .double(0.1), .int(1), .double(0.2), .int(-1), .double(0.3), .null, .bool(true),
    ]
    let total = ExpressionFunction.sum.aggregate(numbers)
    var random = SplitMix(seed: 1)
    for _ in 0..<20 { #expect(ExpressionFunction.sum.aggregate(numbers.shuffled(using: &random)) == total) }
    #expect(ExpressionFunction.sum.aggregate([.int(.max), .int(1), .int(-1)]) == .int(.max))
    #expect(ExpressionFunction.sum.aggregate([.int(.max), .int(1)]) == .double(0x1p63))
    #expect(ExpressionFunction.sum.aggregate([.int(.min), .int(-1)]) == .double(-0x1p63))
    #expect(ExpressionFunction.sum.aggregate([]) == .int(0))
  }
}
