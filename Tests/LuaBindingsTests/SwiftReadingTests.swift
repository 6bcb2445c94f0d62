import Testing

@Suite struct SwiftReadingTests {
  @Test func aPredicateIsWrittenAsSwift() throws {
    let script = try Script.sample()
    #expect(
      try script.value(#"Predicate [[#Predicate<Quake> { $0.magnitude >= 5 && $0.place.contains("Chile") }]]"#)
        == #"magnitude >= 5 AND place CONTAINS "Chile""#)
    #expect(
      try script.value(#"Predicate [[NSPredicate(format: "magnitude > %@", 5 as NSNumber)]]"#) == "magnitude > 5")
  }

  @Test func everyPlaceOfAPredicateTakesSwift() throws {
    let script = try Script.sample()
    try script.run(#"Quake { code = "a", magnitude = 5, place = "Chile" } Quake { code = "b", place = "" } save()"#)
    #expect(try script.value("Quake:count [[#Predicate { $0.place.isEmpty }]]") == "1")
    #expect(try script.value(#"Quake:where [[#Predicate<Quake> { $0.magnitude > 4 }]]:first().code"#) == "a")
    #expect(
      try script.value("FetchRequest { entity = Quake, predicate = [[#Predicate { $0.place.isEmpty }]] }:count()")
        == "1")
    #expect(
      try script.value(#"(Predicate "felt > 1" & [[#Predicate<Quake> { $0.isReviewed }]]).format"#)
        == "felt > 1 AND isReviewed == YES")
    #expect(try script.value("Quake:count { [[#Predicate { $0.place.isEmpty }]] }") == "1")
  }

  @Test func capturedNamesAreBound() throws {
    let script = try Script.sample()
    try script.run(#"Quake { code = "a", place = "Chile" } Quake { code = "b", place = "Peru" } save()"#)
    try script.run(
      """
      search = Quake:where [[#Predicate { search.isEmpty || $0.place.localizedStandardContains(search) }]]
      codes = Quake:where [[#Predicate { codes.isEmpty || codes.contains($0.code) }]]
      """)
    #expect(
      try script.value(#"search:bind { search = "" }:count(), search:bind { search = "chile" }:count()"#) == "2 1")
    #expect(try script.value(#"codes:bind { codes = {} }:count(), codes:bind { codes = { "a" } }:count()"#) == "2 1")
    #expect(
      script.error("Quake:where([[#Predicate { $0.code == code }]], 5)")
        == "Quake:where: Swift source takes no arguments; give the names in it their values with :bind { name = value }"
    )
  }

  @Test func aPastedDeclarationIsARequest() throws {
    let script = try Script.sample()
    #expect(
      try script.value(
        #"""
        FetchRequest [[
          @FetchRequest(
            sortDescriptors: [NSSortDescriptor(keyPath: \Quake.time, ascending: false)],
            predicate: NSPredicate(format: "magnitude > %@", minimum as NSNumber))
          private var quakes: FetchedResults<Quake>
        ]]:bind { minimum = 5 }
        """#) == "Quake where magnitude > 5 sorted by -time")
    #expect(
      script.error(#"FetchRequest [[@Query var quakes: [Quak] ]]"#)
        == "there is no entity 'Quak'; did you mean 'Quake'?")
    #expect(try Script().error("FetchRequest [[@Query var quakes: [Quake] ]]")?.contains("no store is open") == true)
  }

  @Test func refusalsTellTheFormThatWorks() throws {
    let script = try Script.sample()
    #expect(
      script.error(#"Predicate [[#Predicate<Quake> { $0.place.hasPrefix("x") && $0.time > Date.now }]]"#)
        == """
        a predicate cannot call hasPrefix; use starts(with:)
        a predicate captures only constants; compute it first: let now = Date.now
        """)
    #expect(
      script.error(#"Report:where [[#Predicate<Quake> { $0.magnitude > 1 }]]"#) == "expected Report, found Quake")
  }
}
