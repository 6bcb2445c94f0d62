import Modeling
import Queries
import Testing

/// What the parser says of texts that are wrong.
@Suite struct PredicateMistakeTests {
  @Test(arguments: [
    ("", ["unexpected(found: \"the end\", expected: \"a value\") at <>"]),
    ("magnitude", ["unexpected(found: \"the end\", expected: \"an operator such as ==\") at <>"]),
    ("magnitude >", ["unexpected(found: \"the end\", expected: \"a value\") at <>"]),
    ("> 5", ["unexpected(found: \">\", expected: \"a value\") at <>>"]),
    ("a == 1 b == 2", ["unexpected(found: \"b\", expected: \"AND, OR or the end\") at <b>"]),
    ("a == 1] && b == 2", ["unexpected(found: \"]\", expected: \"AND, OR or the end\") at <]>"]),
    ("a == 1] || b == 2", ["unexpected(found: \"]\", expected: \"AND, OR or the end\") at <]>"]),
    ("a == 1] AND b == 2", ["unexpected(found: \"]\", expected: \"AND, OR or the end\") at <]>"]),
    ("a == 1] OR b == 2", ["unexpected(found: \"]\", expected: \"AND, OR or the end\") at <]>"]),
    ("1 < a < 5", ["unexpected(found: \"<\", expected: \"AND, OR or the end\") at <<>"]),
    ("(a == 1", ["unexpected(found: \"the end\", expected: \")\") at <>"]),
    ("a == 1)", ["unexpected(found: \")\", expected: \"AND, OR or the end\") at <)>"]),
    ("a == 'x", ["unterminatedString at <'x>"]),
    (#"a == '\d'"#, [#"invalidEscape("\\d") at <\d>"#]),
    ("a == 5abc", ["invalidNumber(\"5abc\") at <5abc>"]),
    ("a == 1.2.3", ["invalidNumber(\"1.2.3\") at <1.2.3>"]),
    ("a == 0x", ["invalidNumber(\"0x\") at <0x>"]),
    ("size > 3", ["unexpected(found: \"size\", expected: \"a value; the key size is written #size\") at <size>"]),
    ("a == ?", ["unexpected(found: \"?\", expected: \"%@ for an argument\") at <?>"]),
    ("a == “x”", ["unexpected(found: \"“\", expected: \"\\\" or \\'\") at <“>"]),
    ("a == b == c", ["unexpected(found: \"==\", expected: \"AND, OR or the end\") at <==>"]),
    ("a == (b == c)", ["unexpected(found: \"a condition\", expected: \"a value\") at <(b == c)>"]),
    ("yeer(time) == 1", ["unknownFunction(\"yeer\", nearest: Optional(\"year\")) at <yeer>"]),
    ("lower(a) == 1", ["unknownFunction(\"lower\", nearest: Optional(\"lowercase\")) at <lower>"]),
    ("year() == 1", ["wrongArgumentCount(function: \"year\", expected: \"1\", given: 0) at <year>"]),
    ("a.@average.b == 1", ["unknownFunction(\"@average\", nearest: Optional(\"@avg\")) at <@average>"]),
    ("a.@max == 1", ["unexpected(found: \"==\", expected: \"a key after @max, or .self\") at <==>"]),
    ("a CONTAINS[cx] 'x'", ["unknownOption(\"x\", comparator: \"CONTAINS\") at <x>"]),
    ("a == %y", ["unknownPlaceholder(\"%y\") at <%y>"]),
    ("CAST(a, 'NSFoo') == 1", ["unknownFunction(\"CAST to NSFoo\", nearest: nil) at <'NSFoo'>"]),
    ("a == $", ["unexpected(found: \"$\", expected: \"a variable such as $name\") at <$>"]),
    ("a IN (1, 2)", ["unexpected(found: \",\", expected: \"); lists are written { }\") at <,>"]),
    ("a IN [1, 2]", ["unexpected(found: \"[\", expected: \"a value; lists are written { }\") at <[>"]),
    ("$x := 5", ["noMeaning(\":=\", Queries.PredicateError.Remedy.bindVariables) at <:=>"]),
  ])
  func tells(_ text: String, _ expected: [String]) {
    #expect(mistakes { _ = try Predicate.parse(text) } == expected)
  }

  @Test(arguments: [
    ("HASPREFIX", "BEGINSWITH"), ("startswith", "BEGINSWITH"), ("hasSuffix", "ENDSWITH"), ("includes", "CONTAINS"),
    ("CONTAIN", "CONTAINS"), ("BEGINWITH", "BEGINSWITH"), ("ILIKE", "LIKE[c]"), ("REGEXP", "MATCHES"),
    ("===", "=="), ("=~", "MATCHES"), ("IS", "=="), ("IS NOT", "!="), ("equals", "=="), ("!==", "!="),
    ("NOT IN", "NOT (… IN …)"), ("NOT LIKE", "NOT (… LIKE …)"),
  ])
  func namesTheOperatorThatWasMeant(_ word: String, _ nearest: String) {
    let expected = ["unknownOperator(\"\(word)\", nearest: Optional(\"\(nearest)\")) at <\(word)>"]
    #expect(mistakes { _ = try Predicate.parse("name \(word) 'x'") } == expected)
  }

  @Test func postfixOperatorsOfSQLNeedNoRightSide() {
    let expected = ["unknownOperator(\"ISNULL\", nearest: Optional(\"== nil\")) at <ISNULL>"]
    #expect(mistakes { _ = try Predicate.parse("name ISNULL AND a == 1") } == expected)
    #expect(
      mistakes { _ = try Predicate.parse("name IS NOT NULL AND a IS NULL") } == [
        "unknownOperator(\"IS NOT\", nearest: Optional(\"!=\")) at <IS NOT>",
        "unknownOperator(\"IS\", nearest: Optional(\"==\")) at <IS>",
      ])
  }

  @Test func everyMistakeIsToldAtOnce() {
    let text = "name HASPREFIX 'x' AND yeer(time) = 3 AND (a === 2 OR b CONTAINS[q] 'y') AND c =="
    #expect(
      mistakes { _ = try Predicate.parse(text) } == [
        "unknownOperator(\"HASPREFIX\", nearest: Optional(\"BEGINSWITH\")) at <HASPREFIX>",
        "unknownFunction(\"yeer\", nearest: Optional(\"year\")) at <yeer>",
        "unknownOperator(\"===\", nearest: Optional(\"==\")) at <===>",
        "unknownOption(\"q\", comparator: \"CONTAINS\") at <q>",
        "unexpected(found: \"the end\", expected: \"a value\") at <>",
      ])
  }

  @Test func argumentsMustFitTheirPlaceholders() {
    #expect(
      mistakes { _ = try Predicate.parse("a == %@ AND b == %d", arguments: [1]) } == [
        "tooFewArguments(expected: 2, given: 1) at <%d>"
      ])
    #expect(
      mistakes { _ = try Predicate.parse("a CONTAINS '%@'", arguments: ["x"]) } == [
        "placeholderInQuotes(\"%@\") at <'%@'>"
      ])
    #expect(
      mistakes { _ = try Predicate.parse("a CONTAINS 'x'", arguments: ["x"]) } == [
        "tooManyArguments(expected: 0, given: 1) at <>"
      ])
    #expect(
      mistakes { _ = try Predicate.parse("a == %d AND %K == 1 AND c == %f", arguments: ["x", 5, true]) } == [
        "wrongArgument(placeholder: \"%d\", found: \"String\") at <%d>",
        "wrongArgument(placeholder: \"%K\", found: \"Integer\") at <%K>",
        "wrongArgument(placeholder: \"%f\", found: \"Bool\") at <%f>",
      ])
  }

  @Test(arguments: ["(", "NOT ", "-", "{", "abs(", "a[", "a.b + ", "a[0] + ", "SUBQUERY(a, $x, ", "TERNARY("])
  func nestingHasALimit(_ opening: String) {
    let text = String(repeating: opening, count: 20_000)
    let facts = mistakes { _ = try Predicate.parse(text) }
    #expect(facts.contains { $0.hasPrefix("tooDeep") })
    #expect(facts.count <= 25)
  }

  @Test func manyTermsAreNotDeep() throws {
    let text = (0..<5000).map { "a == \($0)" }.joined(separator: " OR ")
    guard case .or(let terms) = try Predicate.parse(text) else {
      Issue.record("not a disjunction")
      return
    }
    #expect(terms.count == 5000)
  }
}
