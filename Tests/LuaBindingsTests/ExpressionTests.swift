import Testing

@Suite struct ExpressionTests {
  private func quakes() throws -> Script {
    let script = try Script()
    try script.run(
      """
      use(open(":memory:", { model = Model [[
        @Model class Quake { @Attribute(.unique) var code: String; var magnitude: Double; var depth: Double? }
      ]] }))
      for i, m in ipairs { 3, 5, 4 } do Quake { code = "q" .. i, magnitude = m, depth = i > 1 and i * 10 or nil } end
      save()
      double = Expression [[#Expression<Quake, Double> { $0.magnitude * 2 }]]
      function codes(request)
        local found = {}
        for _, quake in ipairs(request:fetch()) do found[#found + 1] = quake.code end
        return table.concat(found, " ")
      end
      """)
    return script
  }

  @Test func anExpressionIsReadEvaluatedAndPrinted() throws {
    let script = try quakes()
    #expect(
      try script.value("double.format, tostring(double), double == Expression 'magnitude * 2'")
        == "magnitude * 2 magnitude * 2 true")
    #expect(
      try script.value("double:evaluate(Quake:find 'q2'), Expression 'depth':evaluate(Quake:find 'q1')") == "10.0 nil")
    #expect(
      try script.value("double:swift { entity = Quake }") == "#Expression<Quake, Double> { $0.magnitude * 2 }")
    #expect(try script.value("double:swift()") == #"NSExpression(format: "magnitude * 2")"#)
    #expect(
      try script.value(
        "Expression [[#Expression<Quake, Double> { $0.magnitude * factor }]]:bind { factor = 3 }:evaluate(Quake:find 'q1')"
      )
        == "9.0")
  }

  @Test(arguments: ["double", "[[#Expression<Quake, Double> { $0.magnitude * 2 }]]", "'magnitude * 2'"])
  func anExpressionStandsWhereTextsOfExpressionsDo(_ expression: String) throws {
    let script = try quakes()
    try script.run("e = \(expression)")
    let uses = [
      ("codes(Quake:sorted(e))", "q1 q3 q2"), ("codes(Quake:sorted(SortDescriptor(e, 'reverse')))", "q2 q3 q1"),
      ("Quake:groupBy(e, { n = 'count' })[3].n", "1"),
      ("Quake:groupBy({ twice = e }, { n = 'count' })[3].twice", "10.0"),
      ("#SectionedFetchRequest { entity = Quake, sectionIdentifier = e }:fetch()", "3"),
      (
        "FetchRequest { entity = Quake, propertiesToFetch = { twice = e }, resultType = 'dictionaries', sortDescriptors = e }:fetch()[3].twice",
        "10.0"
      ),
      ("Quake:sum(e)", "24.0"), ("Quake:find('q1'):value(e)", "6.0"), ("#Quake:facets(e)", "3"),
      ("Quake:summary(e)[1].max", "10.0"),
    ]
    for (use, expected) in uses { #expect(try script.value(use) == expected, "\(use)") }
  }

  @Test func mistakesOfAnExpressionNameThePlace() throws {
    let script = try quakes()
    #expect(
      script.error("Quake:sorted [[#Expression<Quake, Double> { $0.magnitud * 2 }]]")
        == "Quake has no property 'magnitud'; did you mean 'magnitude'?")
    #expect(
      script.error("Expression [[#Expression<Quake, Int> { $0.magnitude * 2 }]]")
        == "the expression is a Double, not an Int")
    #expect(script.error("Expression [[#Predicate<Quake> { $0.magnitude > 2 }]]") != nil)
    #expect(script.error("double:evaluate(5)") == "Expression:evaluate: expected an object, got number")
    #expect(script.error("Expression(5)") != nil)
  }
}
