import Testing

@Suite struct SwiftTests {
  @Test func aRequestIsWrittenInEachOfTheSixForms() throws {
    let script = try Script.sample()
    try script.run(#"r = Quake:where("magnitude > %@", 5):sorted "-time""#)
    for (form, part) in [
      ("nspredicate", #"NSPredicate(format: "magnitude > %@", 5 as NSNumber)"#), ("macro", "#Predicate<Quake> { "),
      ("fetchRequest", "private var quakes: FetchedResults<Quake>"), ("query", "private var quakes: [Quake]"),
      ("fetchDescriptor", "FetchDescriptor<Quake>("),
    ] {
      let text = try script.value("r:swift '\(form)'")
      #expect(text.contains(part), "\(form): \(text)")
    }
    let sections = try script.value(
      #"FetchRequest { entity = Quake, sectionIdentifier = "place" }:swift "sectionedFetchRequest""#)
    #expect(sections.contains("@SectionedFetchRequest"), "\(sections)")
    #expect(sections.contains(#"sectionIdentifier: \.place"#), "\(sections)")
  }

  @Test func aVariableWithoutAValueIsAParameter() throws {
    let script = try Script.sample()
    let text = try script.value(#"Predicate("time > $since"):swift("macro", { entity = Quake, name = "recent" })"#)
    #expect(text.hasPrefix("func recent(since: Date) -> Predicate<Quake> {"), "\(text)")
  }

  @Test func aTestIsMadeOfObjectsThatThereAre() throws {
    let script = try Script.sample()
    try script.run(#"Quake { code = "a", magnitude = 5 } Quake { code = "b", magnitude = 1 } save()"#)
    let text = try script.value(#"Quake:where("magnitude > 4"):swift("macro", { test = true })"#)
    #expect(text.contains("import Testing"), "\(text)")
    #expect(text.contains("#expect(answers == [true, false])"), "\(text)")
  }

  @Test func whatAFormCannotSayIsRefusedWithASentenceThatNamesTheClause() throws {
    let script = try Script.sample()
    let refusal = script.error(#"Quake:where("lowercase(code) == 'x'"):swift "macro""#)
    #expect(refusal?.contains("lowercase(code)") == true, "\(refusal ?? "no error")")
    #expect(script.error(#"Quake:where("magnitude > 4"):swift "makro""#)?.contains("makro") == true)
  }
}
