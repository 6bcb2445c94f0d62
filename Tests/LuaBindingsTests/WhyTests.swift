import LuaBindings
import Testing

@Suite struct WhyTests {
  private func script(_ options: Engine.Options = Engine.Options()) throws -> Script {
    let script = try Script(options)
    try script.run(Script.model)
    try script.run(
      """
      q = Quake { code = "us1", magnitude = 4.9, place = "Iquique, Chile" }
      r = Report { text = "felt", score = 3, quake = q }
      Report { text = "strong", score = 7, quake = q }
      """)
    return script
  }

  @Test func eachClauseHasItsMarkItsValuesAndWhatWouldHaveToChange() throws {
    let script = try script()
    #expect(
      try script.value(#"Predicate("magnitude >= 5 AND place CONTAINS[c] 'chile' AND felt < 10"):why(q)"#) == """
        Quake us1: no match
          ✗ magnitude >= 5             4.9
          ✓ place CONTAINS[c] "chile"  "Iquique, Chile", compared as "iquique, chile"
          ? felt < 10                  felt is nil: neither
          would match if magnitude was at least 5 (is 4.9) and felt was less than 10 (is nil)
        """)
    #expect(
      try script.value(#"Predicate("ANY reports.score > 5"):why(q)"#) == """
        Quake us1: match
          ✓ ANY reports.score > 5  Report t3: 7, 1 of 2 match
        """)
    #expect(
      try script.value(#"Predicate("NONE reports.score > 5 OR NOT magnitude < 9"):why(q)"#) == """
        Quake us1: no match
          ✗ OR
            ✗ NONE reports.score > 5  Report t3: 7, 1 of 2 match
            ✗ NOT
              ✓ magnitude < 9         4.9
          would match if magnitude was at least 9 (is 4.9)
        """)
  }

  @Test func aSUBQUERYShowsTheElementThatCameNearest() throws {
    let script = try script()
    #expect(
      try script.value(
        #"Predicate("SUBQUERY(reports, $r, $r.score > 5 AND $r.text == 'weak').@count > 0"):why(q)"#) == """
          Quake us1: no match
            ✗ SUBQUERY(reports, $r, $r.score > 5 AND $r.text == "weak").@count > 0  0
              0 of 2 in reports, the nearest $r = Report t3:
                ✗ AND
                  ✓ $r.score > 5       7
                  ✗ $r.text == "weak"  "strong"
            would match if SUBQUERY(reports, $r, $r.score > 5 AND $r.text == "weak").@count was greater than 0 (is 0)
          """)
  }

  @Test func aPathThatEndsTooEarlyNamesTheRelationship() throws {
    let script = try script()
    #expect(
      try script.value(#"tostring(Predicate("quake.magnitude > 5"):why(Report { text = "x" })):match("%? [^\n]*")"#)
        == "? quake.magnitude > 5  quake is nil: neither")
  }

  @Test func asciiTerminalsGetASCIIMarks() throws {
    var options = Engine.Options()
    options.usesASCII = true
    let script = try script(options)
    #expect(
      try script.value(#"Predicate("magnitude >= 5 AND code == 'us1'"):why(q)"#) == """
        Quake us1: no match
          - magnitude >= 5  4.9
          + code == "us1"   "us1"
          would match if magnitude was at least 5 (is 4.9)
        """)
  }

  @Test func scriptsReadTheTreeAsATable() throws {
    let script = try script()
    try script.run(#"local w = Predicate("magnitude >= 5 AND (felt < 10 OR ANY reports.score > 5)"):why(q)"#)
    #expect(
      try script.value("w.value, #w.clauses, w.clauses[1].value, w.clauses[1].left, w.clauses[1].clause")
        == "false 2 false 4.9 magnitude >= 5")
    #expect(try script.value("w.clauses[2].value, w.clauses[2].clauses[1].value") == "true nil")
    #expect(try script.value("w.clauses[2].clauses[2].elements.deciding.object.text") == "strong")
    #expect(
      try script.value("w.object == q, #w.changes, w.changes[1].property, w.changes[1].value") == "true 1 magnitude 5.0"
    )
  }

  @Test func withTheValuesOfTheChangesTheObjectMatches() throws {
    let script = try script()
    try script.run(
      """
      local p = Predicate("magnitude > 6 AND felt == 3 AND NOT place BEGINSWITH 'I' AND code != 'us1' AND isReviewed == YES")
      for _, change in ipairs(p:why(q).changes) do q[change.property] = change.value end
      """)
    #expect(try script.value("p:evaluate(q), p:why(q).changes") == "true nil")
  }

  @Test func aRequestAsksAboutItsPredicate() throws {
    let script = try script()
    #expect(try script.value(#"Quake:where("magnitude > 3"):why(q).value, Quake:all():why(q).value"#) == "true true")
    #expect(script.error(#"Quake:where("magnitude > 3"):why(r)"#) == "request:why: expected a Quake, got a Report")
    #expect(script.error(#"Predicate("magnitude > 3"):why(5)"#) == "Predicate:why: expected an object, got number")
    #expect(
      script.error(#"Predicate("magnitud > 3"):why(q)"#)
        == "Quake has no property 'magnitud'; did you mean 'magnitude'?")
  }
}
