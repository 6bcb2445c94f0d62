import Testing

@Suite struct PredicateTests {
  @Test func aPredicateTakesArguments() throws {
    let script = try Script()
    #expect(
      try script.value(#"Predicate("magnitude >= %@ AND place CONTAINS[cd] %@", 5, "chile").format"#)
        == #"magnitude >= 5 AND place CONTAINS[cd] "chile""#)
    #expect(try script.value(#"Predicate { "a IN %@", { 1, 2, null } }"#) == "a IN {1, 2, nil}")
    #expect(try script.value(#"Predicate("place == %@", null)"#) == "place == nil")
    #expect(try script.value(#"Predicate("%K > %@", "magnitude", 5)"#) == "magnitude > 5")
  }

  @Test func predicatesCombine() throws {
    let script = try Script()
    try script.run(#"local a, b = Predicate "a > 1", Predicate "b > 2""#)
    #expect(
      try script.value("a & b, a | b, ~a, (a | b) & 'c > 3'")
        == "a > 1 AND b > 2 a > 1 OR b > 2 NOT a > 1 (a > 1 OR b > 2) AND c > 3")
    #expect(try script.value("a == Predicate 'a > 1', a == b") == "true false")
  }

  @Test func keysOfAVariableAreReadFromTheObjectThatIsBound() throws {
    let script = try Script.sample()
    try script.run(
      """
      local one = Quake { code = "a", magnitude = 5, place = "Suva" }
      local two = Quake { code = "b", magnitude = 6, place = "Suva" }
      store.context:save()
      function codes(request)
        local codes = {}
        for quake in request:sorted("code"):each() do codes[#codes + 1] = quake.code end
        return table.concat(codes, " ")
      end
      """)
    let stronger = #"Predicate("magnitude > $q.magnitude")"#
    #expect(try script.value("\(stronger):bind { q = one }") == "magnitude > 5.0")
    #expect(try script.value("codes(Quake:where(\(stronger):bind { q = one }))") == "b")
    #expect(try script.value("codes(Quake:where(\(stronger)):bind { q = one })") == "b")
    #expect(
      try script.value(#"codes(Quake:where("SELF != $q AND place == $q.place"):bind { q = two })"#) == "a")
    #expect(
      try script.value(#"codes(Quake:where("$q.reports.@count == 0 AND magnitude > 5"):bind { q = two })"#) == "b")
    #expect(script.error("\(stronger):bind { q = one, r = 1 }") == "there is no variable $r")
    #expect(
      script.error("\(stronger):bind { q = 5 }")?.contains("$q.magnitude, a key of a bound value") == true)
    #expect(script.error(#"Predicate("magnitude > $q.magnitud"):bind { q = one }"#)?.contains("magnitude") == true)
    #expect(try script.value(#"Predicate("ANY reports.text == $q.place"):bind { q = one }"#) != "")
  }

  @Test func combiningWithoutEndIsRefusedAndEverythingBeforeItWorks() throws {
    let script = try Script.sample()
    let refusals = [
      "(p & 'magnitude > 1') | 'magnitude > 2'": "the predicate is nested more than 100 levels deep",
      "~(p & 'magnitude > 1')": "the predicate is nested more than 100 levels deep",
      "p | p": "more than 100,000 comparisons",
    ]
    for (step, refusal) in refusals {
      let error = script.error("local p = Predicate 'magnitude > 5' while true do p = \(step) end")
      #expect(error?.contains(refusal) == true, "\(error ?? "no error")")
    }
    let chained = script.error(
      "local p = Predicate 'magnitude > 5' for _ = 1, 15 do p = p | p end local r = Quake:where(p) while true do r = r:where(p) end"
    )
    #expect(chained?.contains("more than 100,000 comparisons") == true, "\(chained ?? "no error")")
    try script.run(
      """
      local p, q = Predicate "magnitude > 5", Quake { code = "us1", magnitude = 6 }
      pcall(function() while true do p = ~(p & "magnitude > 1") end end)
      save()
      """)
    #expect(
      try script.value("p:evaluate(q), #p:why(q).clauses, Quake:count(p), Predicate(p.format) == p").hasSuffix("true"))
    #expect(try script.value("p:parity(Quake).count, p:counts(Quake).neither") == "0 0")
  }

  @Test func whatIsTooDeepForSQLiteIsToldInWords() throws {
    let script = try Script.sample()
    #expect(
      script.error("Quake:where('magnitude' .. (' + 1'):rep(300) .. ' > 5'):count()")
        == "the condition is nested deeper than SQLite can read; write it flatter, or in several steps")
  }

  @Test func variablesAreBoundLater() throws {
    let script = try Script.sample()
    try script.run(#"local p = Predicate "time > $since""#)
    #expect(
      try script.value(#"p:bind { since = Date "2024-01-01" }"#) == #"time > CAST(725760000.0, "NSDate")"#)
    #expect(script.error("Quake:where(p):count()") == "$since has no value; give it one with :bind")
    #expect(script.error("p:bind { sinze = 1 }") == "there is no variable $sinze; did you mean 'since'?")
    #expect(try script.value(#"Quake:where(p):bind { since = Date "2024-01-01" }:count()"#) == "0")
  }

  @Test func evaluationHasThreeAnswers() throws {
    let script = try Script.sample()
    try script.run(#"local q = Quake { code = "us1", magnitude = 5 }"#)
    #expect(
      try script.value(
        #"Predicate("magnitude > 4"):evaluate(q), Predicate("magnitude > 6"):evaluate(q), Predicate("place != %@", "x"):evaluate(q)"#
      ) == "true false nil")
    #expect(try script.value(#"Predicate("place != %@", "x"):evaluate(q, "memory")"#) == "true")
    #expect(
      script.error(#"Predicate("magnitude > 4"):evaluate(q, "memroy")"#)
        == #"Predicate:evaluate: expected one of "store" or "memory", got "memroy""#)
    #expect(
      script.error(#"Predicate("magnitude > 4"):evaluate(5)"#) == "Predicate:evaluate: expected an object, got number")
  }

  @Test func objectsAndResultsAreArguments() throws {
    let script = try Script.sample()
    try script.run(#"local q = Quake { code = "us1" } local r = Report { text = "x", quake = q } save()"#)
    #expect(
      try script.value(
        #"Report:count("quake == %@", q), Report:count("quake IN %@", Quake:all():fetch()), Quake:count("ANY reports == %@", r), Quake:count("SELF == %@", q.objectID)"#
      ) == "1 1 1 1")
  }

  @Test func mistakesAreToldWithTheirPlace() throws {
    let script = try Script.sample()
    #expect(
      script.error(#"Quake:where "magnitud >= 5""#) == "Quake has no property 'magnitud'; did you mean 'magnitude'?")
    #expect(script.error(#"Quake:where("magnitude >= %@")"#) == "the format takes 1 argument, but 0 were given")
    #expect(script.error(#"Quake:where("magnitude >= %@", 5, 6)"#) == "the format takes 1 argument, but 2 were given")
    #expect(
      script.error(#"Quake:where("magnitude >= %@", nil)"#)
        == "Quake:where: argument 1 is nil; an explicit nil is written null")
    #expect(
      script.error("Quake:where(5)") == "Quake:where: expected a predicate (string, table or Predicate), got number")
    #expect(
      script.error("Quake:where()") == "Quake:where: expected a predicate (string, table or Predicate), got no value")
    #expect(
      script.error(#"Quake:where("magnitude > %@", print)"#)
        == "Quake:where: a function cannot be an argument of a predicate")
    #expect(script.error(#"Quake:all():sorted "tiem""#) == "Quake has no property 'tiem'; did you mean 'time'?")
    #expect(script.error(#"Predicate "a HASPREFIX 'x'""#)?.contains("'HASPREFIX' is not an operator") == true)
    #expect(
      script.error(#"Quake:where "reports.text == 'x'""#)?.hasPrefix("'reports.text' leads to many objects") == true)
    #expect(script.error(#"Quake:where "magnitude == 'x'""#)?.contains("cannot compare") == true)
  }

  @Test func everyMistakeIsToldAtOnceWhereTheEntityIsKnown() throws {
    let script = try Script.sample()
    let all = """
      Quake has no property 'plaec'; did you mean 'place'?
      'HASPREFIX' is not an operator; did you mean 'BEGINSWITH'?
      Quake has no property 'magnitud'; did you mean 'magnitude'?
      expected a value, found the end
      """
    let text = "plaec HASPREFIX 'x' AND (magnitud >"
    for call in [
      "Quake:where(p)", "Quake:count(p)", "Quake:first(p)", "Quake:exists(p)", "Quake:all():where(p)",
      "Quake:where { p }", "FetchRequest { entity = Quake, predicate = p }", "Quake:batchDelete(p)",
      "Quake:batchUpdate(p, { place = 'x' })",
    ] {
      #expect(script.error("local p = \"\(text)\" return \(call)") == all, "\(call)")
    }
    // Without an entity only the language is known.
    #expect(
      script.error("Predicate(\"\(text)\")")
        == "'HASPREFIX' is not an operator; did you mean 'BEGINSWITH'?\nexpected a value, found the end")
  }

  @Test(arguments: [
    ("place.length > 3", "nothing can follow it; write length(place)"),
    ("place.hasPrefix('x')", "'.hasPrefix(…)' is not part of the format language; write place BEGINSWITH …"),
    ("'x'.foo == 1", "'.foo' follows a value that is not an object"),
    ("magnitude == '5'", "(String); write 5"), ("$x := 5", ":= has no meaning here; write the variable in its place"),
    ("place UTI-CONFORMS-TO 'x'", "UTI-CONFORMS-TO has no meaning here"),
    ("ANYKEY == 1", "ANYKEY has no meaning here; name"),
    ("FETCH(a, b, NO) == 1", "FETCH has no meaning here; use SUBQUERY"),
    ("random() > 1", "random has no meaning here, as"),
    ("FUNCTION(place, 'compare:', 'x') == 1", "compare: has no meaning here; write <, == or >"),
    ("distanceToLocation:fromLocation:(a, b) == 1", "has no meaning here; compare the latitude"),
    ("FUNCTION(place, 'stringByAppendingString:', 'x') == 'x'", "stringByAppendingString: has no meaning here"),
  ])
  func theSentenceSaysWhatToWrite(_ text: String, _ part: String) throws {
    let script = try Script.sample()
    let error = script.error("Quake:where(\"\(text)\")")
    #expect(error?.contains(part) == true, "\(error ?? "no error")")
  }

  @Test func aPlaceholderInQuotesIsTold() throws {
    let script = try Script.sample()
    #expect(
      script.error("Quake:where(\"place == '%@'\", 'x')")
        == "%@ within quotes is text; without the quotes it takes the argument")
  }

  @Test func sortDescriptorsSayHow() throws {
    let script = try Script()
    #expect(
      try script.value(#"SortDescriptor("place", "reverse", { comparator = "standard" })"#)
        == #"SortDescriptor("place", "reverse", { comparator = "standard" })"#)
    #expect(
      try script.value(
        #"SortDescriptor("-time").order, SortDescriptor("time", { comparator = "localized" }).comparator"#)
        == "reverse localized")
    #expect(
      script.error(#"SortDescriptor("time", "backward")"#)
        == #"SortDescriptor: expected one of "forward" or "reverse", got "backward""#)
    #expect(
      script.error(#"SortDescriptor("time", { comparater = "binary" })"#)
        == "SortDescriptor: there is no option 'comparater'; did you mean 'comparator'?")
  }
}
