import Testing

@Suite struct RefusalTests {
  @Test func aRefusalTellsTheRuleTheSpotApplesWordsAndTheWayRound() throws {
    let script = try Script.sample()
    #expect(
      try script.value(#"Predicate("felt > 1 AND ALL reports.score > 3"):check(Quake, "sqlite")"#) == """
        refused  all-over-to-many (Core Data SQLite)
          felt > 1 AND ALL reports.score > 3
                       ^^^^^^^^^^^^^^^^^^^^^
          ALL over a to-many relationship is not made into SQL.
          Apple: the text is not known
          instead: felt > 1 AND SUBQUERY(reports, $x, NOT $x.score > 3 OR $x.score == nil).@count == 0
        """)
    #expect(try script.value(#"Predicate("felt > 1"):check(Quake)"#) == "nothing that Apple's stores would refuse")
    #expect(
      try script.value(#"Predicate("ALL reports.score > 3"):check(Quake, "memory")"#)
        == "nothing that Core Data in memory would refuse")
  }

  @Test func scriptsReadRefusalsAsAList() throws {
    let script = try Script.sample()
    try script.run(#"local found = Predicate("reports.score > 3"):check(Quake)"#)
    #expect(
      try script.value("#found, found[1].id, found[1].severity, found[1].apple")
        == "1 to-many-without-any refused to-many key not allowed here")
    #expect(
      try script.value("found[1].wayRound.format, found[1].frameworks[1], found[1].part")
        == "ANY reports.score > 3 Core Data SQLite reports.score > 3")
    #expect(try script.value("Quake:count(found[1].wayRound)") == "0")
  }

  @Test func aRequestIsCheckedWithItsOrderAndItsLimit() throws {
    let script = try Script.sample()
    #expect(
      try script.value(
        #"local ids = {} for i, refusal in ipairs(Quake:where("ANY reports.score > 3"):sorted("year(time)"):check()) do ids[i] = refusal.id end return table.concat(ids, " ")"#
      ) == "sort-by-expression")
    #expect(try script.value("Quake:all():limit(3):check()[1].id") == "limit-without-order")
  }

  @Test func whatNoRuleKnowsIsAnErrorAsAnywhere() throws {
    let script = try Script.sample()
    #expect(script.error(#"Predicate("felt > 'x'"):check(Quake)"#)?.contains("cannot compare") == true)
    #expect(script.error(#"Predicate("felt > 1"):check(5)"#) == "Predicate:check: expected an entity, got number")
    #expect(
      script.error(#"Predicate("felt > 1"):check(Quake, "oracle")"#)?.contains(
        "\"sqlite\", \"memory\" or \"swiftData\"") == true)
  }
}
