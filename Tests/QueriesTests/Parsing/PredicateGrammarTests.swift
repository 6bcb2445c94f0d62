import Modeling
import Queries
import Testing

/// Every production of the grammar, by an example and its canonical spelling.
@Suite struct PredicateGrammarTests {
  private static func expect(_ text: String, _ canonical: String) throws {
    let predicate = try Predicate.parse(text)
    #expect(predicate.format == canonical)
    #expect(try Predicate.parse(predicate.format) == predicate)
  }

  @Test(arguments: [
    // or := and ((OR | ||) and)*
    ("a == 1 OR b == 2 || c == 3", "a == 1 OR b == 2 OR c == 3"),
    // and := not ((AND | &&) not)*
    ("a == 1 AND b == 2 && c == 3", "a == 1 AND b == 2 AND c == 3"),
    ("a == 1 OR b == 2 AND c == 3 OR d == 4", "a == 1 OR b == 2 AND c == 3 OR d == 4"),
    // not := (NOT | !) not | primary
    ("NOT !a == 1", "NOT NOT a == 1"), ("!(a == 1 && b == 2)", "NOT (a == 1 AND b == 2)"),
    ("not not not a == 1 and b == 2", "NOT NOT NOT a == 1 AND b == 2"),
    // primary := TRUEPREDICATE | FALSEPREDICATE | (predicate) | comparison
    ("truePredicate || falsePredicate", "TRUEPREDICATE OR FALSEPREDICATE"), ("((a == 1))", "a == 1"),
    // comparison := [ANY | SOME | ALL | NONE] expression operator [options] expression
    ("ANY r.s == 1 OR some r.s == 1", "ANY r.s == 1 OR ANY r.s == 1"),
    ("ALL r.s > 1 AND NONE r.s > 1", "ALL r.s > 1 AND NONE r.s > 1"),
    ("ANY r.s IN {1, 2} AND ANY r.s BETWEEN {1, 2}", "ANY r.s IN {1, 2} AND ANY r.s BETWEEN {1, 2}"),
    ("ANY r.t BEGINSWITH[cd] 'x' AND NONE r.t LIKE 'x*'", "ANY r.t BEGINSWITH[cd] \"x\" AND NONE r.t LIKE \"x*\""),
    ("ANY a.b.c.d == 1 AND NOT ANY a.b == 1", "ANY a.b.c.d == 1 AND NOT ANY a.b == 1"),
    // operator
    ("a = 1 and a == 1", "a == 1 AND a == 1"), ("a != 1 and a <> 1", "a != 1 AND a != 1"),
    ("a < 1 and a > 1", "a < 1 AND a > 1"), ("a <= 1 and a =< 1", "a <= 1 AND a <= 1"),
    ("a >= 1 and a => 1", "a >= 1 AND a >= 1"), ("a between {1, b}", "a BETWEEN {1, b}"),
    ("a in {1, b} and 'x' in b", "a IN {1, b} AND \"x\" IN b"), ("a contains 'x'", "a CONTAINS \"x\""),
    ("a beginswith 'x' and a endswith 'y'", "a BEGINSWITH \"x\" AND a ENDSWITH \"y\""),
    ("a like 'x?*' and a matches '.+'", "a LIKE \"x?*\" AND a MATCHES \".+\""),
    ("kind UTI-EQUALS 'public.text'", "kind ==[c] \"public.text\""),
    // options
    ("a ==[c] 'x' and a !=[d] 'x' and a <[cd] 'x'", "a ==[c] \"x\" AND a !=[d] \"x\" AND a <[cd] \"x\""),
    ("a CONTAINS[CD] 'x' and a LIKE[n] 'x'", "a CONTAINS[cd] \"x\" AND a LIKE[n] \"x\""),
    ("a CONTAINS[dclnn] 'x' and a IN[c] {'x'}", "a CONTAINS[cdnl] \"x\" AND a IN[c] {\"x\"}"),
    ("a MATCHES CASEINSENSITIVE 'x'", "a MATCHES[c] \"x\""),
  ])
  func conditions(_ text: String, _ canonical: String) throws { try Self.expect(text, canonical) }

  @Test(arguments: [
    // additive, multiplicative, power, sign, bitwise
    ("a+b-c*d/e**f == 1", "a + b - c * d / e ** f == 1"), ("(a-b)-(c-d) == 1", "a - b - (c - d) == 1"),
    ("a ** b ** c == (a ** (b ** c))", "a ** b ** c == a ** (b ** c)"),
    ("-a ** 2 == -(a ** 2)", "-a ** 2 == -(a ** 2)"),
    ("a & 1 | b ^ 2 == 3", "a & 1 | b ^ 2 == 3"), ("+a == - -a", "a == --a"),
    // numbers
    ("a == 1. and a == .5 and a == 1.5e3", "a == 1.0 AND a == 0.5 AND a == 1500.0"),
    ("a IN {1., 2.}", "a IN {1.0, 2.0}"), ("a == 1.+2.", "a == 1.0 + 2.0"),
    ("a == 1e3 and a == 1E-3", "a == 1000.0 AND a == 0.001"),
    ("a == 0xff and a == 0XFF and a == -0x10", "a == 255 AND a == 255 AND a == -16"),
    ("a == 0o17 and a == 0b11", "a == 15 AND a == 3"),
    ("a == 18446744073709551615", "a == CAST(\"18446744073709551615\", \"NSDecimalNumber\")"),
    (
      "a == 1e308 and a == 123456789012345678901234567890123456789012345", "a == 1e+308 AND a == 1.2345678901234567e+44"
    ),
    // strings
    (#"a == 'x' and a == "x""#, #"a == "x" AND a == "x""#), (#"a == 'it\'s "so"'"#, #"a == "it's \"so\"""#),
    (#"a == "\n\t\\\x41\101\u00e9""#, "a == \"\\n\\t\\\\AAé\""), ("a == '%@ %K $x'", "a == \"%@ %K $x\""),
    ("a == ''", "a == \"\""),
    // words that are values
    ("a == NULL and a == nil", "a == nil AND a == nil"), ("a == TRUE and a == yes", "a == YES AND a == YES"),
    ("a == FALSE and a == no", "a == NO AND a == NO"), ("SELF == $o and self IN $l", "SELF == $o AND SELF IN $l"),
    // variables
    ("$a == $b.c and d == $e", "$a == $b.c AND d == $e"),
    ("a IN $list and a BETWEEN $range", "a IN $list AND a BETWEEN $range"),
    ("$x.items.@sum.price > 1", "$x.items.@sum.price > 1"), ("ANY $x.items.price > 1", "ANY $x.items.price > 1"),
    // keys
    ("a.b.c == 1 and SELF.a == 1 and a.self == 1", "a.b.c == 1 AND a == 1 AND a == 1"),
    ("#size == 1 and a.#first == 1 and a.size == 1", "#size == 1 AND a.#first == 1 AND a.#size == 1"),
    ("#self == 1 and #nil == #TRUE", "#self == 1 AND #nil == #TRUE"), ("SELF.#self == 1", "#self == 1"),
    ("$x.#in == 1 and #any.#all == 1", "$x.#in == 1 AND #any.#all == 1"),
    ("r.@max.#size > 1 and r.#last.@count > 1", "r.@max.#size > 1 AND r.#last.@count > 1"),
    // lists
    ("a IN {}", "a IN {}"), ("a IN {1, 'x', nil, b, -c, {2}}", "a IN {1, \"x\", nil, b, -c, {2}}"),
    ("a IN {b + 1, year(c)}", "a IN {b + 1, year(c)}"), ("{a, b} CONTAINS 1", "{a, b} CONTAINS 1"),
    ("ALL {1, 2} < a", "ALL {1, 2} < a"),
    // subscripts
    ("a[FIRST] == a[last] and a[Size] == 1", "a[FIRST] == a[LAST] AND a[SIZE] == 1"),
    ("a[0] == a[b + 1]", "a[0] == a[b + 1]"), ("a[a[SIZE] - 1] == 1", "a[a[SIZE] - 1] == 1"),
    ("{1, 2}[0] == 1", "{1, 2}[0] == 1"),
    ("SUBQUERY(r, $x, $x.s > 1)[FIRST] == nil", "SUBQUERY(r, $x, $x.s > 1)[FIRST] == nil"),
    ("objectFrom:withIndex:(r, 0) == nil and objectFrom:withIndex:(r, SIZE) > 1", "r[0] == nil AND r[SIZE] > 1"),
  ])
  func values(_ text: String, _ canonical: String) throws { try Self.expect(text, canonical) }

  @Test(arguments: [
    ("r.@count > 1 and r.@COUNT > 1", "r.@count > 1 AND r.@count > 1"),
    ("r.@sum.s > r.@avg.s", "r.@sum.s > r.@avg.s"), ("r.@min.s > r.@max.s", "r.@min.s > r.@max.s"),
    ("r.@sum.a.s > 1 and @avg.r.s > 1", "r.@sum.a.s > 1 AND r.@avg.s > 1"), ("@count.r > 1", "r.@count > 1"),
    ("1 IN r.@unionOfObjects.s", "1 IN r.@unionOfObjects.s"),
    ("r.@distinctUnionOfObjects.s.@count > 1", "r.@distinctUnionOfObjects.s.@count > 1"),
    ("r.@unionOfArrays.q.@count > 1", "r.@unionOfArrays.q.@count > 1"),
    ("r.@distinctUnionOfArrays.q.@count > 1", "r.@distinctUnionOfArrays.q.@count > 1"),
    ("r.@unionOfSets.q.@count > 1", "r.@unionOfSets.q.@count > 1"),
    ("r.@distinctUnionOfSets.q.@count > 1", "r.@distinctUnionOfSets.q.@count > 1"),
    ("{1, a}.@max.self > 1", "{1, a}.@max.self > 1"),
    ("SUBQUERY(r, $x, $x.s > 1).@count > 0", "SUBQUERY(r, $x, $x.s > 1).@count > 0"),
    ("SUBQUERY(r, $x, $x.s > 1).t CONTAINS 'x'", "SUBQUERY(r, $x, $x.s > 1).@unionOfObjects.t CONTAINS \"x\""),
    ("SUBQUERY(r, $x, $x.s > 1).@max.t > 0", "SUBQUERY(r, $x, $x.s > 1).@max.t > 0"),
    (
      "TERNARY(a > 1, b, c) + 1 > TERNARY(a == 1 OR b == 2, 1, 2)",
      "TERNARY(a > 1, b, c) + 1 > TERNARY(a == 1 OR b == 2, 1, 2)"
    ),
    ("TERNARY(a > 1, b, c).name == 'x'", "TERNARY(a > 1, b.name, c.name) == \"x\""),
    ("TERNARY(a > 1, b, nil).name == 'x'", "TERNARY(a > 1, b.name, nil) == \"x\""),
    (
      "noindex:(b).name == 'x' and {b, c}.name CONTAINS 'x'",
      "noindex(b.name) == \"x\" AND {b.name, c.name} CONTAINS \"x\""
    ),
    (
      "CAST(a, 'NSDate') > now() and cast(a, NSString) == 'x'",
      "CAST(a, \"NSDate\") > now() AND CAST(a, \"NSString\") == \"x\""
    ),
    ("castObject:toType:(a, 'NSNumber') == 1", "CAST(a, \"NSNumber\") == 1"),
    ("(a) == (b) and ((a).b) == 1", "a == b AND a.b == 1"), ("(a + b) * 2 == 1", "(a + b) * 2 == 1"),
  ])
  func collectionsAndCalls(_ text: String, _ canonical: String) throws { try Self.expect(text, canonical) }

  @Test(arguments: [
    ("add:to:(a, b)", "a + b"), ("from:subtract:(a, b)", "a - b"), ("multiply:by:(a, b)", "a * b"),
    ("divide:by:(a, b)", "a / b"), ("modulus:by:(a, b)", "modulus:by:(a, b)"), ("raise:toPower:(a, b)", "a ** b"),
    ("bitwiseAnd:with:(a, b)", "a & b"), ("bitwiseOr:with:(a, b)", "a | b"), ("bitwiseXor:with:(a, b)", "a ^ b"),
    ("leftshift:by:(a, b)", "leftshift:by:(a, b)"), ("rightshift:by:(a, b)", "rightshift:by:(a, b)"),
    ("onesComplement:(a)", "onescomplement:(a)"), ("average:({a, b})", "average({a, b})"),
    ("sum:({a, b})", "sum({a, b})"),
    ("count:(r)", "count(r)"), ("min:({a, b})", "min({a, b})"), ("max:({a, b})", "max({a, b})"),
    ("median:({a, b})", "median({a, b})"), ("mode:({a, b})", "mode({a, b})"), ("stddev:({a, b})", "stddev({a, b})"),
    ("sqrt:(a)", "sqrt(a)"), ("log:(a)", "log(a)"), ("ln:(a)", "ln(a)"), ("exp:(a)", "exp(a)"), ("abs:(a)", "abs(a)"),
    ("floor:(a)", "floor(a)"), ("ceiling:(a)", "ceiling(a)"), ("trunc:(a)", "trunc(a)"), ("now()", "now()"),
    ("lowercase:(a)", "lowercase(a)"), ("uppercase:(a)", "uppercase(a)"), ("canonical:(a)", "canonical(a)"),
    ("length:(a)", "length(a)"), ("noindex:(a)", "noindex(a)"),
    ("FUNCTION(a, 'uppercaseString')", "uppercase(a)"), ("FUNCTION(a, 'lowercase:')", "lowercase(a)"),
    ("FUNCTION(a, 'length')", "length(a)"), ("FUNCTION(a, 'timeIntervalSinceDate:', b)", "a - b"),
    ("FUNCTION(a, 'dateByAddingTimeInterval:', -60)", "a + -60"),
    ("FUNCTION(a, 'timeIntervalSinceReferenceDate')", "CAST(a, \"NSNumber\")"),
    ("FUNCTION(a, 'timeIntervalSince1970')", "CAST(a, \"NSNumber\") + 978307200.0"),
    ("FUNCTION(a, 'timeIntervalSinceNow')", "a - now()"), ("FUNCTION(a, 'laterDate:', b)", "max({a, b})"),
    ("FUNCTION(a, 'hasPrefix:', 'x')", "TERNARY(a BEGINSWITH \"x\", YES, NO)"),
    ("FUNCTION(a, 'isEqual:', b)", "TERNARY(a == b, YES, NO)"), ("FUNCTION(a, 'intValue')", "CAST(a, \"Integer\")"),
    ("FUNCTION(a, 'stringValue')", "CAST(a, \"NSString\")"), ("FUNCTION(r, 'objectAtIndex:', 1)", "r[1]"),
    ("FUNCTION(r, 'lastObject')", "r[LAST]"), ("FUNCTION(a, 'valueForKeyPath:', 'b.c')", "a.b.c"),
    ("FUNCTION(r, 'valueForKeyPath:', '@max.s')", "r.@max.s"), ("FUNCTION($x, 'valueForKey:', 'b')", "$x.b"),
  ])
  func everyDocumentedFunction(_ text: String, _ canonical: String) throws {
    try Self.expect("\(text) == z", "\(canonical) == z")
  }

  @Test(arguments: [
    ("distanceToLocation:fromLocation:(a, b) < 5", "distanceToLocation:fromLocation:", "compareCoordinates"),
    ("random() > 1", "random", "giveNumber"), ("randomn:(5) > 1", "randomn:", "giveNumber"),
    ("FUNCTION(a, 'distanceFromLocation:', b) < 5", "distanceFromLocation:", "compareCoordinates"),
    ("FETCH(a, b, NO).@count > 1", "FETCH", "useSubquery"),
    ("a UTI-CONFORMS-TO 'public.image'", "UTI-CONFORMS-TO", "listTypes"),
    ("ANYKEY == 'x'", "ANYKEY", "nameTheKey"), ("$x := 5 AND a == 1", ":=", "bindVariables"),
  ])
  func whatHasNoMeaningIsRefusedByName(_ text: String, _ name: String, _ remedy: String) {
    let facts = mistakes { _ = try Predicate.parse(text) }
    #expect(facts.count == 1)
    #expect(
      facts.first?.hasPrefix("noMeaning(\"\(name)\", Queries.PredicateError.Remedy.\(remedy))") == true, "\(facts)")
  }

  @Test(arguments: [
    ("%@", PredicateArgument.value(.string("x")), "\"x\""), ("%d", 5, "5"), ("%i", 5, "5"), ("%u", 5, "5"),
    ("%ld", 5, "5"), ("%lld", 5, "5"), ("%lu", 5, "5"), ("%llu", 5, "5"), ("%qd", 5, "5"), ("%hd", 5, "5"),
    ("%hhd", 5, "5"), ("%zd", 5, "5"), ("%x", 255, "255"), ("%X", 255, "255"), ("%o", 8, "8"), ("%c", "x", "\"x\""),
    ("%C", 65, "65"), ("%s", "x", "\"x\""), ("%S", "x", "\"x\""), ("%f", 1, "1.0"), ("%lf", 1.5, "1.5"),
    ("%e", 1.5, "1.5"), ("%g", 1.5, "1.5"), ("%a", 1.5, "1.5"), ("%.2f", 1.5, "1.5"), ("%05d", 5, "5"), ("%+d", 5, "5"),
    ("%-5d", 5, "5"), ("%d", true, "1"),
  ])
  func everyPlaceholder(_ placeholder: String, _ argument: PredicateArgument, _ canonical: String) throws {
    #expect(try Predicate.parse("a == \(placeholder)", arguments: [argument]).format == "a == \(canonical)")
  }

  @Test(arguments: [
    ("a.%K == 1", "b.c", "a.b.c == 1"), ("$x.%K == 1", "b", "$x.b == 1"), ("ANY %K > 1", "r.s", "ANY r.s > 1"),
    ("%K > 1", "r.@count", "r.@count > 1"), ("%K > 1", "r.@max.s", "r.@max.s > 1"),
    ("%K > 1", "@sum.r.s", "r.@sum.s > 1"),
    ("%K > 1", "#size", "#size > 1"), ("%K > 1", "size", "#size > 1"), ("year(%K) == 1", "time", "year(time) == 1"),
    ("SUBQUERY(%K, $x, $x.s > 1).@count > 1", "r", "SUBQUERY(r, $x, $x.s > 1).@count > 1"),
    ("1 IN %K", "r.s", "1 IN r.s"),
    ("r.@max.%K > 1", "a.s", "r.@max.a.s > 1"), ("%K == 1", "SELF.a", "a == 1"), ("%K[0] == 1", "r", "r[0] == 1"),
    ("a BETWEEN {%K, 5}", "b", "a BETWEEN {b, 5}"), ("-%K == 1", "b", "-b == 1"),
  ])
  func keyPathArgumentsStandAnywhere(_ text: String, _ keyPath: String, _ canonical: String) throws {
    #expect(try Predicate.parse(text, arguments: [.value(.string(keyPath))]).format == canonical)
  }

  @Test func listsAreArgumentsOfMembershipAndRange() throws {
    let list = PredicateArgument.value(.list([.int(1), .int(5)]))
    let predicate = try Predicate.parse("count IN %@ AND count BETWEEN %@", arguments: [list, list])
    #expect(predicate.format == "count IN {1, 5} AND count BETWEEN {1, 5}")
    let later = try Predicate.parse("count IN $l AND count BETWEEN $l").bind(["l": .list([.int(1), .int(5)])])
    #expect(later == predicate)
    #expect(try later.evaluate(Sample.fullQuake()) == false)
    #expect(try Predicate.parse("small IN $l").bind(["l": .list([.int(-3)])]).evaluate(Sample.fullQuake()) == true)
  }

  @Test(arguments: ["AND", "or", "In", "LIKE", "first", "NULL", "self", "any", "between", "subquery", "fetch", "ci"])
  func reservedWordsAreKeysOnlyWithASign(_ word: String) throws {
    let plain = Predicate.diagnose("\(word) == 1")
    #expect(plain.predicate?.paths.isEmpty != false)
    #expect(try Predicate.parse("#\(word) == 1").paths == [PropertyPath([word])])
  }

  @Test func thereAreNoComments() {
    #expect(!mistakes { _ = try Predicate.parse("a == 1 // one") }.isEmpty)
    #expect(!mistakes { _ = try Predicate.parse("/* one */ a == 1") }.isEmpty)
  }
}
