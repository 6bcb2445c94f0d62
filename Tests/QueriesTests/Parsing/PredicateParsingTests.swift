import Modeling
import Queries
import Testing

/// Reading the format language: what every form means, shown by its canonical spelling.
@Suite struct PredicateParsingTests {
  @Test(arguments: [
    // Precedence: AND binds tighter than OR, NOT tightest.
    ("a == 1 or b == 2 and c == 3", "a == 1 OR b == 2 AND c == 3"),
    ("(a == 1 or b == 2) and c == 3", "(a == 1 OR b == 2) AND c == 3"),
    ("not a == 1 or b == 2", "NOT a == 1 OR b == 2"),
    ("not (a == 1 or b == 2)", "NOT (a == 1 OR b == 2)"),
    ("!a = 1 && !!b = 2", "NOT a == 1 AND NOT NOT b == 2"),
    ("a = 1 && b = 2 || c = 3", "a == 1 AND b == 2 OR c == 3"),
    ("(((a = 1)))", "a == 1"),
    ("(a = 1 AND b = 2) AND c = 3", "a == 1 AND b == 2 AND c == 3"),
    ("TRUEPREDICATE and falsepredicate", "TRUEPREDICATE AND FALSEPREDICATE"),
    // Operators and their synonyms.
    ("a=<1 AND a=>2 AND a<>3 AND a!=4", "a <= 1 AND a >= 2 AND a != 3 AND a != 4"),
    ("name beginswith[cd] 'x'", "name BEGINSWITH[cd] \"x\""),
    ("name like[cdnl] '*x?'", "name LIKE[cdnl] \"*x?\""),
    ("name MATCHES CI 'x'", "name MATCHES[c] \"x\""),
    ("name CONTAINS [ c ] \"x\"", "name CONTAINS[c] \"x\""),
    ("name == [c]'x'", "name ==[c] \"x\""),
    ("a BETWEEN {1, 10}", "a BETWEEN {1, 10}"),
    ("a IN { 1,2 , \"x\" }", "a IN {1, 2, \"x\"}"),
    ("a IN {}", "a IN {}"),
    ("a IN {1, b}", "a IN {1, b}"),
    ("'x' IN name", "\"x\" IN name"),
    ("SOME reports.score > 3", "ANY reports.score > 3"),
    ("all reports.score > 3 AND none reports.score = 1", "ALL reports.score > 3 AND NONE reports.score == 1"),
    // Literals.
    ("a = nil and b = NULL and c = YES and d = false", "a == nil AND b == nil AND c == YES AND d == NO"),
    ("a = 0x1F and b = 0o17 and c = 0b101 and d = 1e3", "a == 31 AND b == 15 AND c == 5 AND d == 1000.0"),
    ("a = -5 and b = - 5 and c = -.5 and d = +5", "a == -5 AND b == -5 AND c == -0.5 AND d == 5"),
    ("a = -9223372036854775808", "a == -9223372036854775808"),
    ("a = 9223372036854775808", "a == CAST(\"9223372036854775808\", \"NSDecimalNumber\")"),
    (#"a = 'it\'s' and b = "say \"x\"""#, #"a == "it's" AND b == "say \"x\"""#),
    (#"a = '\u0041\x42\103\n\uD83D\uDE00'"#, "a == \"ABC\\n😀\""),
    ("a = '%@ $x %K'", "a == \"%@ $x %K\""),
    // Keys.
    ("#size > 3 and #first = 1", "#size > 3 AND #first == 1"),
    ("a.size.first > 3", "a.#size.#first > 3"),
    ("SELF.name = 'x' and SELF = $o", "name == \"x\" AND SELF == $o"),
    ("#\"strange name\" = 1", "#\"strange name\" == 1"),
    ("größe > 3", "größe > 3"),
    // Arithmetic.
    ("a + b * c ** 2 > 1", "a + b * c ** 2 > 1"),
    ("(a + b) * c > 1", "(a + b) * c > 1"),
    ("a - (b - c) > a - b - c", "a - (b - c) > a - b - c"),
    ("-a * 2 > -(a * 2)", "-a * 2 > -(a * 2)"),
    ("(flags & 1) == 1 and flags | 2 ^ 4 = 6", "flags & 1 == 1 AND flags | 2 ^ 4 == 6"),
    ("a > (b) and (a) > b and ((a + 1)) > 2", "a > b AND a > b AND a + 1 > 2"),
    // Functions.
    ("year(time) = 2024", "year(time) == 2024"),
    ("LENGTH( name ) > 3 and length:(name) > 3", "length(name) > 3 AND length(name) > 3"),
    ("add:to:(a, 1) > bitwiseAnd:with:(a, 3)", "a + 1 > a & 3"),
    ("modulus:by:(a, 2) = mod(a, 2)", "modulus:by:(a, 2) == modulus:by:(a, 2)"),
    ("FUNCTION(name, 'uppercaseString') = 'X'", "uppercase(name) == \"X\""),
    ("FUNCTION(now(), 'timeIntervalSinceDate:', time) > 60", "now() - time > 60"),
    ("max({a, b}) > 3", "max({a, b}) > 3"),
    ("CAST(a, 'NSString') = '5'", "CAST(a, \"NSString\") == \"5\""),
    ("CAST('5.50', 'NSDecimalNumber') = a", "CAST(\"5.5\", \"NSDecimalNumber\") == a"),
    ("TERNARY(a > 1, b, c) = 3", "TERNARY(a > 1, b, c) == 3"),
    // Collections.
    ("reports.@count > 3", "reports.@count > 3"),
    ("reports.@avg.score > 3.5", "reports.@avg.score > 3.5"),
    ("@sum.reports.score > 3", "reports.@sum.score > 3"),
    ("reports.author.@max.age > 3", "reports.author.@max.age > 3"),
    ("reports.@max.self != nil", "reports.@max.self != nil"),
    ("reports.@distinctUnionOfObjects.text.@count > 1", "reports.@distinctUnionOfObjects.text.@count > 1"),
    (
      "SUBQUERY(reports, $r, $r.score > 3 AND $r.text != nil).@count > 0",
      "SUBQUERY(reports, $r, $r.score > 3 AND $r.text != nil).@count > 0"
    ),
    (
      "SUBQUERY(a, $x, SUBQUERY($x.b, $y, $y.c = $x.c).@count > 0).@count > 0",
      "SUBQUERY(a, $x, SUBQUERY($x.b, $y, $y.c == $x.c).@count > 0).@count > 0"
    ),
    (
      "reports[FIRST].text = 'x' and reports[SIZE] > 2 and reports[0].score = 1",
      "reports.@unionOfObjects.text[FIRST] == \"x\" AND reports[SIZE] > 2 AND reports.@unionOfObjects.score[0] == 1"
    ),
    // Variables.
    ("time > $since and $r.name = 'x'", "time > $since AND $r.name == \"x\""),
    ("  a\n=\t1\u{A0}", "a == 1"),
  ])
  func reads(_ text: String, as canonical: String) throws {
    let predicate = try Predicate.parse(text)
    #expect(predicate.format == canonical)
    #expect(try Predicate.parse(predicate.format) == predicate)
  }

  @Test func fillsPlaceholdersWithArguments() throws {
    let predicate = try Predicate.parse(
      "%K >= %@ AND %K.name IN %@ AND count == %d AND x = %f AND a.%K = %s",
      arguments: [
        "magnitude", 5, "station", .value(.list([.string("a"), .string("b")])), 7, 2, "b.c", "text",
      ])
    #expect(
      predicate.format
        == "magnitude >= 5 AND station.name IN {\"a\", \"b\"} AND count == 7 AND x == 2.0 AND a.b.c == \"text\"")
  }

  @Test func keyPathArgumentsMayHoldCollectionOperators() throws {
    let predicate = try Predicate.parse("%K > %ld", arguments: ["reports.@count", 3])
    #expect(predicate.format == "reports.@count > 3")
  }

  @Test func aNilArgumentIsNil() throws {
    #expect(try Predicate.parse("a == %@", arguments: [nil]) == Predicate.parse("a == nil"))
  }

  @Test func pathsKnowTheirPlace() throws {
    let text = "magnitude > 5 AND  station.name == 'x'"
    guard case .and(let terms) = try Predicate.parse(text), case .comparison(let second) = terms[1],
      case .path(let path) = second.left
    else {
      Issue.record("not a conjunction")
      return
    }
    #expect(path.origin?.range == 19..<31)
    #expect(second.origin?.range == 19..<38)
  }

  @Test(arguments: [
    "year(time)", "max(magnitude)", "reports.@count", "lowercase(name)", "size", "a.first.all", "1 + 2",
  ])
  func expressionsAreReadAlone(_ text: String) throws {
    let expression = try Expression.parse(text)
    #expect(try Expression.parse(expression.format) == expression)
  }

  @Test func countAloneCountsRows() throws {
    #expect(try FetchedColumn("n", parsing: "count").expression == Expression.parse("count()"))
  }
}
