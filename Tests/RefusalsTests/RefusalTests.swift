import Modeling
import Queries
import TestSupport
import Testing

@testable import Refusals

@Suite(.seeded)
struct RefusalTests {
  /// A text that breaks a rule and a near one that does not.
  struct Case: Sendable {
    var id: String
    var breaks: String
    var keeps: String
  }

  static let cases: [Case] = [
    Case(id: "to-many-without-any", breaks: "ratings.score > 3", keeps: "ANY ratings.score > 3"),
    Case(id: "all-over-to-many", breaks: "ALL ratings.score > 3", keeps: "ANY ratings.score > 3"),
    Case(id: "all-over-to-many", breaks: "stock > 1 OR NOT ALL ratings.text != nil", keeps: "NONE ratings.text == nil"),
    Case(id: "two-to-many-hops", breaks: "ANY maker.articles.ratings.score > 3", keeps: "ANY maker.articles.stock > 3"),
    Case(id: "two-to-many-hops", breaks: "ALL shelves.articles.price > 1", keeps: "ALL shelves.label == 'a'"),
    Case(
      id: "several-quantifiers", breaks: "ANY ratings.score > 3 AND NONE shelves.label == 'a'",
      keeps: "ANY ratings.score IN {3, 4} AND stock IN {1, 2} AND name IN {'lamp', 'x'}"),
    Case(
      id: "several-quantifiers", breaks: "ANY ratings.score > 3 OR NONE shelves.label == 'a' OR name IN[c] {'LAMP'}",
      keeps:
        "SUBQUERY(ratings, $r, $r.score IN {1, 2}).@count > 0 AND SUBQUERY(shelves, $s, $s.label IN {'a'}).@count > 0"),
    Case(id: "any-without-collection", breaks: "ANY maker.name == 'Ann'", keeps: "maker.name == 'Ann'"),
    Case(id: "unknown-key-path", breaks: "maker.nam == 'Ann'", keeps: "maker.name == 'Ann'"),
    Case(
      id: "unknown-key-path", breaks: "SUBQUERY(ratings, $r, $r.stars > 3).@count > 0",
      keeps: "SUBQUERY(ratings, $r, $r.score > 3).@count > 0"),
    Case(
      id: "ternary-left-of-in", breaks: "TERNARY(name != nil, name, '') IN {'lamp', 'x'}",
      keeps: "TERNARY(stock != nil, stock, 0) >= 1"),
    Case(id: "text-operator-on-other-type", breaks: "stock CONTAINS '1'", keeps: "name CONTAINS '1'"),
    Case(id: "text-operator-on-other-type", breaks: "maker BEGINSWITH 'A'", keeps: "maker.name BEGINSWITH 'A'"),
    Case(id: "constant-left-of-text-operator", breaks: "'lamp' IN name", keeps: "name CONTAINS 'lamp'"),
    Case(id: "constant-left-of-text-operator", breaks: "'lamp' BEGINSWITH name", keeps: "name BEGINSWITH 'lamp'"),
    Case(id: "not-equal-and-nil", breaks: "price != 1", keeps: "code != 'a1'"),
    Case(id: "not-equal-and-nil", breaks: "stock > 1 AND NOT (maker.name == 'Ann')", keeps: "NOT (code == 'a1')"),
    Case(id: "not-equal-and-nil", breaks: "price != 1 OR stock == 2", keeps: "price != 1 OR price == nil"),
    Case(
      id: "not-equal-and-nil", breaks: "NOT (stock > 2 AND (price != 1 OR maker.name == 'Ann'))",
      keeps: "price != nil AND (price != 1 OR stock == 2)"),
    Case(id: "not-equal-and-nil", breaks: "NOT (NOT (price != 1 OR stock == 3))", keeps: "NOT (price != 1)"),
    Case(id: "not-equal-and-nil", breaks: "NOT (stock IN {1, 2})", keeps: "NOT (stock == 1 OR stock == nil)"),
    Case(id: "transient-in-fetch", breaks: "note == 'x'", keeps: "name == 'x'"),
    Case(id: "transformable-content", breaks: "tags.first == 'x'", keeps: "tags == nil"),
    Case(id: "composite-outside-sqlite", breaks: "extent.width > 1", keeps: "stock > 1"),
    Case(id: "element-of-collection", breaks: "ratings[SIZE] > 1", keeps: "ratings.@count > 1"),
    Case(id: "element-of-collection", breaks: "ratings[FIRST].score > 1", keeps: "ratings.@max.score > 1"),
    Case(id: "list-operator", breaks: "3 IN ratings.@distinctUnionOfObjects.score", keeps: "3 IN ratings.score"),
    Case(id: "statistics-function", breaks: "median(ratings.score) > 1", keeps: "max(ratings.score) > 1"),
    Case(id: "own-function", breaks: "year(added) == 2024", keeps: "added > CAST(0, 'NSDate')"),
    Case(
      id: "own-function", breaks: "month(added) != '2024-12' AND day(added) < '2025-03-01'", keeps: "abs(price) > 1"),
    Case(id: "own-function", breaks: "year(added) > 2023 AND trim(name) == 'x'", keeps: "lowercase(name) == 'x'"),
    Case(id: "date-arithmetic", breaks: "added + 86400 > now()", keeps: "price + 1 > stock"),
    Case(id: "own-cast", breaks: "CAST(price, 'Integer') == 1", keeps: "CAST(price, 'NSNumber') == 1"),
    Case(id: "quoted-key", breaks: "#\"strange name\" == 'x'", keeps: "#name == 'x'"),
    Case(id: "cast-to-entity", breaks: "CAST(maker, 'SmallMaker').staff == 1", keeps: "maker.name == 'x'"),
    Case(
      id: "cast-to-entity",
      breaks: "SUBQUERY(shelves, $s, ANY CAST($s.articles.maker, 'SmallMaker').staff == 1).@count > 0",
      keeps: "entityName(maker) == 'SmallMaker'"),
    Case(
      id: "own-literal", breaks: "uuid == CAST('E621E1F8-C36C-495A-93FC-0C247A3E6E5F', 'NSUUID')", keeps: "uuid != nil"),
    Case(id: "fetch-source", breaks: "stock > $FETCH_SOURCE.stock", keeps: "stock > $least"),
    Case(id: "placeholder-in-quotes", breaks: "name == '%@'", keeps: "name == '100%'"),
    Case(id: "placeholder-in-quotes", breaks: "name IN {'lamp', '%K'}", keeps: "name IN {'lamp', 'K'}"),
    Case(id: "placeholder-in-quotes", breaks: "name LIKE '*%@*'", keeps: "name LIKE '*@*'"),
    Case(id: "sql-wildcards", breaks: "name LIKE '%lamp%'", keeps: "name LIKE '*lamp*'"),
    Case(id: "sql-wildcards", breaks: "NOT name LIKE[c] 'l%'", keeps: "name LIKE '*100%'"),
    Case(id: "sql-wildcards", breaks: "name LIKE '%p'", keeps: "name LIKE '100% wool'"),
    Case(id: "swiftdata-string-array-contains", breaks: "tags CONTAINS 'fade'", keeps: "ANY shelves.label == 'fade'"),
    Case(id: "swiftdata-string-array-contains", breaks: "tags.@count == 0", keeps: "shelves.@count == 0"),
    Case(id: "swiftdata-string-array-contains", breaks: "'fade' IN tags", keeps: "'fade' IN shelves.label"),
    Case(id: "swiftdata-optional-relationship-nil", breaks: "maker == nil", keeps: "maker.name == nil"),
    Case(id: "swiftdata-optional-relationship-nil", breaks: "nil != maker", keeps: "nil != name"),
    Case(id: "swiftdata-two-optional-hops", breaks: "maker.owner.name == 'x'", keeps: "maker.name == 'x'"),
    Case(
      id: "swiftdata-isempty-equals-false", breaks: "TERNARY(ratings.@count == 0, YES, NO) == NO",
      keeps: "NOT ratings.@count == 0"),
    Case(id: "swiftdata-enum", breaks: "nature.nature == 'wood'", keeps: "extent.width == 1"),
    Case(id: "macro-text-operator", breaks: "name ENDSWITH 'p'", keeps: "name BEGINSWITH 'p'"),
    Case(id: "macro-text-operator", breaks: "name LIKE '*p'", keeps: "name CONTAINS 'p'"),
    Case(id: "macro-text-options", breaks: "name CONTAINS[cd] 'LAMP'", keeps: "name CONTAINS[cdl] 'LAMP'"),
    Case(id: "macro-text-options", breaks: "name BEGINSWITH[c] 'L'", keeps: "name ==[c] 'L'"),
    Case(id: "macro-text-function", breaks: "lowercase(name) == 'x'", keeps: "length(name) == 1"),
    Case(id: "macro-function", breaks: "abs(price) > 1", keeps: "price * 2 > 1"),
    Case(id: "macro-aggregate", breaks: "ratings.@sum.score > 3", keeps: "ratings.@count > 3"),
    Case(id: "macro-element", breaks: "ratings[0].score > 1", keeps: "ratings[SIZE] > 1"),
    Case(id: "matches-scan", breaks: "name MATCHES 'l.*'", keeps: "name BEGINSWITH 'l'"),
    Case(id: "text-search-scan", breaks: "name CONTAINS 'l'", keeps: "name BEGINSWITH 'l'"),
    Case(id: "text-search-scan", breaks: "name ==[c] 'l'", keeps: "name == 'l'"),
  ]

  private func request(_ text: String) throws -> FetchRequest {
    var request = FetchRequest(Shop.article)
    request.predicate = try Predicate.parse(text)
    return request
  }

  private func refusals(_ text: String, _ id: String) throws -> [Refusal] {
    try request(text).refusals().filter { $0.rule.id == id }
  }

  @Test(arguments: cases)
  func aRuleFindsWhatBreaksItAndNotWhatIsNear(_ example: Case) throws {
    #expect(try !refusals(example.breaks, example.id).isEmpty, "\(example.id) does not find \(example.breaks)")
    #expect(try refusals(example.keeps, example.id).isEmpty, "\(example.id) finds \(example.keeps)")
  }

  @Test func everyRuleHasAnExampleInTheseTests() {
    let tested = Set(Self.cases.map(\.id)).union(RefusedRequestTests.ids)
    #expect(RefusalRule.all.map(\.id).filter { !tested.contains($0) }.isEmpty)
    #expect(tested.isSubset(of: Set(RefusalRule.all.map(\.id))))
  }

  @Test func rulesHaveNamesOfTheirOwnAndSentences() {
    let ids = RefusalRule.all.map(\.id)
    #expect(Set(ids).count == ids.count)
    for rule in RefusalRule.all {
      #expect(rule.id.allSatisfy { $0.isLowercase || $0 == "-" }, "\(rule.id)")
      #expect(rule.summary.hasSuffix(".") && !rule.advice.hasSuffix("."), "\(rule.id)")
      #expect(!rule.stores.isEmpty)
    }
  }

  // MARK: Ways round

  @Test(arguments: cases)
  func aWayRoundCanBeReadAgainAndKeepsItsRule(_ example: Case) throws {
    for refusal in try refusals(example.breaks, example.id) {
      guard let wayRound = refusal.wayRound else { continue }
      #expect(try Predicate.parse(wayRound.format) == wayRound, "\(wayRound)")
      try wayRound.check(in: Shop.article)
      #expect(try refusals(wayRound.format, example.id).isEmpty, "\(wayRound)")
    }
  }

  @Test(arguments: cases)
  func aWayRoundSelectsTheSameObjects(_ example: Case) throws {
    let predicate = try Predicate.parse(example.breaks)
    // What is wrong here too has no answer that could be compared.
    guard (try? predicate.check(in: Shop.article, for: .evaluation)) != nil,
      let wayRound = try refusals(example.breaks, example.id).first?.wayRound
    else { return }
    var selected = 0
    for seed in 1...4 as ClosedRange<UInt64> {
      for article in Shop.articles(60, seed: seed) {
        let isSelected = try predicate.evaluate(article) == true
        #expect(try (wayRound.evaluate(article) == true) == isSelected, "\(predicate)\n\(wayRound)\n\(article.values)")
        if isSelected { selected += 1 }
      }
    }
    #expect(selected > 0, "\(predicate) selects nothing, so that nothing is compared")
  }

  @Test func twoToManyHopsBecomeASUBQUERYInASUBQUERYThatSelectsWhatTheHopsWould() throws {
    let wayRound = try #require(try refusals("ANY shelves.articles.price > 1", "two-to-many-hops").first?.wayRound)
    for article in Shop.articles(60, seed: 9) {
      let expected = article.many["shelves", default: []].contains { shelf in
        shelf.many["articles", default: []].contains { other in
          if case .double(let price)? = other.values["price"] { price > 1 } else { false }
        }
      }
      #expect(try (wayRound.evaluate(article) == true) == expected)
    }
  }

  @Test func theWaysRoundOfTheDocumentsAreThese() throws {
    func wayRound(_ text: String, _ id: String) throws -> String? {
      try refusals(text, id).first?.wayRound?.description
    }
    #expect(
      try wayRound("ALL ratings.score > 3", "all-over-to-many")
        == "SUBQUERY(ratings, $x, NOT $x.score > 3 OR $x.score == nil).@count == 0")
    #expect(
      try wayRound("ANY shelves.articles.price > 1", "two-to-many-hops")
        == "SUBQUERY(shelves, $x, SUBQUERY($x.articles, $y, $y.price > 1).@count > 0).@count > 0")
    #expect(try wayRound("price != 1", "not-equal-and-nil") == "price != 1 AND price != nil")
    #expect(try wayRound("'l' IN name", "constant-left-of-text-operator") == "name CONTAINS \"l\"")
  }

  @Test func insideASUBQUERYTheVariableStandsForItsElements() throws {
    let text = "SUBQUERY(maker.articles, $a, ALL $a.ratings.score > 3).@count > 0"
    let refusal = try #require(try refusals(text, "all-over-to-many").first)
    #expect(
      refusal.wayRound?.description
        == "SUBQUERY(maker.articles, $a, SUBQUERY($a.ratings, $x, NOT $x.score > 3 OR $x.score == nil).@count == 0).@count > 0"
    )
  }

  // MARK: Places

  @Test func aRefusalPointsAtThePartOfTheText() throws {
    let refusal = try #require(try refusals("stock > 1 AND ALL ratings.score > 3", "all-over-to-many").first)
    let origin = try #require(refusal.origin)
    #expect(String(decoding: Array(origin.text.utf8)[origin.range], as: UTF8.self) == "ALL ratings.score > 3")
  }

  @Test func applesWordsNameWhatTheyAreAbout() throws {
    #expect(
      try refusals("maker.nam == 'Ann'", "unknown-key-path").first?.appleText
        == "keypath maker.nam not found in entity <NSSQLEntity Article id=…>")
    #expect(
      try refusals("stock CONTAINS '1'", "text-operator-on-other-type").first?.appleText
        == "unimplemented SQL generation for predicate : (stock CONTAINS \"1\") (bad LHS)")
    #expect(try refusals("ALL ratings.score > 3", "all-over-to-many").first?.appleText == nil)
  }

  @Test func oneStoreIsAskedForAlone() throws {
    let request = try request("ALL ratings.score > 3 AND name ENDSWITH 'x'")
    #expect(request.refusals(of: .memory).isEmpty)
    #expect(request.refusals(of: .sqlite).map(\.rule.id) == ["all-over-to-many", "text-search-scan"])
    #expect(try self.request("stock > 1 AND code == 'a1'").refusals().isEmpty)
  }

  // MARK: Trees that no text gives

  /// It is captured by its `persistentModelID`.
  @Test func anObjectThatIsGivenIsRefusedByNoStore() throws {
    let maker = Value.object(ObjectID(entity: Shop.entity("Maker"), key: 1))
    var request = FetchRequest(Shop.article)
    request.predicate = try Predicate.parse("maker == %@", arguments: [.value(maker)])
    #expect(request.refusals().isEmpty)
    request.predicate = try Predicate.parse("maker.name == %@", arguments: ["Ann"])
    #expect(request.refusals().isEmpty)
  }

  @Test func aValueThatIsGivenApartIsNoLiteral() throws {
    var request = FetchRequest(Shop.article)
    request.predicate = try Predicate.parse(
      "uuid == %@",
      arguments: [.value(try #require(CastType.uuid.convert(.string("E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))))])
    #expect(request.refusals().isEmpty)
  }
}
