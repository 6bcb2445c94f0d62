import AppleModels
import Modeling
import Queries
import TestSupport
import Testing

@Suite struct ArchivedPredicateTests {
  /// The text that the predicate of a request template is read as, and the notes.
  private func read(
    _ build: (ArchiveBuilder) -> ArchiveBuilder.Reference
  ) throws -> (text: String?, notes: [String]) {
    let builder = ArchiveBuilder()
    let read = try AppleModel(compiled: builder.model(predicate: build(builder)))
    return (read.model.fetchRequestTemplates["some"]?.predicate, read.notes)
  }

  private func expect(
    _ text: String, _ build: (ArchiveBuilder) -> ArchiveBuilder.Reference,
    at place: SourceLocation = #_sourceLocation
  ) throws {
    let read = try read(build)
    #expect(read.text == text, sourceLocation: place)
    #expect(read.notes == [], sourceLocation: place)
    // The text of a document becomes the same.
    #expect(try Predicate.parse(text).format == text, sourceLocation: place)
  }

  @Test func everyOperatorIsRead() throws {
    let signs: [(Int, String)] = [
      (0, "<"), (1, "<="), (2, ">"), (3, ">="), (4, "=="), (5, "!="), (6, "MATCHES"), (7, "LIKE"), (8, "BEGINSWITH"),
      (9, "ENDSWITH"), (99, "CONTAINS"),
    ]
    for (type, sign) in signs {
      try expect("name \(sign) \"x\"") { $0.comparison($0.path("name"), type, $0.constant(text: "x")) }
    }
    try expect("cost IN {1, 2}") {
      $0.comparison($0.path("cost"), 10, $0.aggregate([$0.constant(.int(1)), $0.constant(.int(2))]))
    }
    try expect("cost BETWEEN {1, 2}") {
      $0.comparison($0.path("cost"), 100, $0.aggregate([$0.constant(.int(1)), $0.constant(.int(2))]))
    }
  }

  @Test func optionsAndModifiersAreRead() throws {
    try expect("name CONTAINS[cd] \"x\"") { $0.comparison($0.path("name"), 99, $0.constant(text: "x"), options: 3) }
    try expect("name ==[n] \"x\"") { $0.comparison($0.path("name"), 4, $0.constant(text: "x"), options: 4) }
    try expect("ANY parts.cost > 3") { $0.comparison($0.path("parts.cost"), 2, $0.constant(.int(3)), modifier: 2) }
    try expect("ALL parts.cost > 3") { $0.comparison($0.path("parts.cost"), 2, $0.constant(.int(3)), modifier: 1) }
  }

  @Test func compoundsKeepTheirBracketsWhereTheyAreNeeded() throws {
    func term(_ builder: ArchiveBuilder, _ name: String) -> ArchiveBuilder.Reference {
      builder.comparison(builder.path(name), 4, builder.constant(.int(1)))
    }
    try expect("(a == 1 OR b == 1) AND NOT c == 1") {
      $0.compound(1, [$0.compound(2, [term($0, "a"), term($0, "b")]), $0.compound(0, [term($0, "c")])])
    }
    try expect("TRUEPREDICATE") { $0.object("NSTruePredicate", [:]) }
    try expect("FALSEPREDICATE") { $0.object("NSFalsePredicate", [:]) }
    try expect("TRUEPREDICATE") { $0.compound(1, []) }
  }

  @Test func constantsKeepTheirType() throws {
    try expect("flag == YES") { $0.comparison($0.path("flag"), 4, $0.constant(.bool(true))) }
    try expect("cost == 2.5") { $0.comparison($0.path("cost"), 4, $0.constant(.real(2.5))) }
    try expect("name == nil") { $0.comparison($0.path("name"), 4, $0.constant(.null)) }
    try expect("time > CAST(86400.0, \"NSDate\")") {
      let date = $0.object("NSDate", ["NS.time": .real(86_400)])
      let constant = $0.object(
        "NSConstantValueExpression", ["NSExpressionType": .int(0), "NSConstantValue": .object(date)])
      return $0.comparison($0.path("time"), 2, constant)
    }
    try expect("#size == 1") { $0.comparison($0.path("size"), 4, $0.constant(.int(1))) }
  }

  @Test func functionsVariablesSubqueriesAndChoicesAreRead() throws {
    try expect("year(time) == $year") { $0.comparison($0.call("year:", [$0.path("time")]), 4, $0.variable("year")) }
    try expect("a + b * 2 > 0") {
      let product = $0.call("multiply:by:", [$0.path("b"), $0.constant(.int(2))])
      return $0.comparison($0.call("add:to:", [$0.path("a"), product]), 2, $0.constant(.int(0)))
    }
    try expect("time < now()") { $0.comparison($0.path("time"), 0, $0.call("now", [])) }
    try expect("parts.@count > 1") { $0.comparison($0.path("parts.@count"), 2, $0.constant(.int(1))) }
    try expect("parts.@sum.cost > 1") { $0.comparison($0.path("parts.@sum.cost"), 2, $0.constant(.int(1))) }
    try expect("name == $FETCH_SOURCE.owner.name") {
      $0.comparison($0.path("name"), 4, $0.path("owner.name", of: $0.variable("FETCH_SOURCE")))
    }
    try expect("SUBQUERY(parts, $p, $p.cost > 2).@count == 0") {
      let inner = $0.comparison($0.path("cost", of: $0.variable("p")), 2, $0.constant(.int(2)))
      return $0.comparison($0.path("@count", of: $0.subquery($0.path("parts"), "p", inner)), 4, $0.constant(.int(0)))
    }
    try expect("CAST(name, \"NSNumber\") > 2") {
      $0.comparison(
        $0.call("castObject:toType:", [$0.path("name"), $0.constant(text: "NSNumber")]), 2, $0.constant(.int(2)))
    }
    try expect("SELF == $it") { $0.comparison($0.itself, 4, $0.variable("it")) }
  }

  @Test func whatHasNoSpellingIsNotedAndTheRestIsThere() throws {
    let block = try read { $0.object("NSBlockPredicate", [:]) }
    #expect(block.text == nil)
    #expect(
      block.notes == [
        "The fetch request some: the predicate is left out: it uses NSBlockPredicate, which has no spelling"
      ])
    let custom = try read { $0.comparison($0.path("name"), 11, $0.constant(text: "x")) }
    #expect(custom.text == nil && custom.notes.count == 1)
  }

  /// Whether the predicate is left out, or the whole file is: one that was made to cost much need not be read.
  private func isGivenUp(_ make: (ArchiveBuilder) -> ArchiveBuilder.Reference) -> Bool {
    do {
      let found = try read(make)
      return found.text == nil && found.notes.count == 1
    } catch { return error is AppleModelError }
  }

  @Test func aPredicateThatRepeatsOrContainsItselfIsGivenUp() {
    let circle = isGivenUp {
      let itself = $0.reserve()
      let terms = $0.list([itself, itself])
      $0.fill(itself, "NSCompoundPredicate", ["NSCompoundPredicateType": .int(1), "NSSubpredicates": .object(terms)])
      return itself
    }
    #expect(circle)
    let doubling = isGivenUp {
      var last = $0.comparison($0.path("a"), 4, $0.constant(.int(1)))
      for _ in 0..<60 { last = $0.compound(1, [last, last]) }
      return last
    }
    #expect(doubling)
  }

  @Test func ofARequestMoreThanThePredicateIsRead() throws {
    let builder = ArchiveBuilder()
    let read = try AppleModel(compiled: builder.model(predicate: builder.object("NSTruePredicate", [:]), flags: 29))
    let template = try #require(read.model.fetchRequestTemplates["some"])
    #expect((template.entity, template.fetchLimit, template.fetchBatchSize) == ("Item", 5, 20))
    #expect(!template.includesSubentities && template.returnsDistinctResults && template.includesPropertyValues)
  }
}
