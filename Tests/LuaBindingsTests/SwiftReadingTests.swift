import TestSupport
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

  /// Each declaration of a request is read by every function that takes a request.
  @Test func predicatesAndSectionedRequestsReadWhatRequestsRead() throws {
    let script = try Script.quakes()
    try script.run(
      #"""
      local sectioned = [[
        @SectionedFetchRequest<String, Quake>(
          sectionIdentifier: \.place, sortDescriptors: [SortDescriptor(\.place), SortDescriptor(\.code)],
          predicate: NSPredicate(format: "magnitude > 2")
        ) var quakes: SectionedFetchResults<String, Quake>
      ]]
      local init = [[
        init(startDate: Date, limit: Double) {
          let request = NSFetchRequest<Quake>(entityName: "Quake")
          request.predicate = NSPredicate(format: "time >= %@ AND magnitude > %@", startDate as CVarArg, limit as NSNumber)
          request.shouldRefreshRefetchedObjects = true
          request.sortDescriptors = []
          _quakes = FetchRequest(fetchRequest: request)
        }
      ]]
      local view = "struct QuakeList: View {\n @FetchRequest private var quakes: FetchedResults<Quake>\n" .. init .. "\n}"
      a, b, c = tostring(SectionedFetchRequest(sectioned)), tostring(FetchRequest(sectioned)), tostring(Predicate(sectioned))
      d, e, f = tostring(FetchRequest(init)), tostring(Predicate(init)), tostring(Predicate(view))
      g = FetchRequest(init).shouldRefreshRefetchedObjects
      h = tostring(Predicate "@Query var all: [Quake]")
      i = Quake:where(Predicate(init):bind { startDate = Date(0), limit = 3 }):count()
      """#)
    #expect(try script.value("a == b, c") == "true magnitude > 2")
    #expect(try script.value("a") == "Quake where magnitude > 2 sorted by place, code in sections by place")
    #expect(try script.value("d") == "Quake where time >= $startDate AND magnitude > $limit")
    #expect(try script.value("e == f, d:find(e, 1, true) ~= nil, g, h, i") == "true true true TRUEPREDICATE 0")
    #expect(
      script.error("SectionedFetchRequest '@Query var all: [Quake]'")
        == "SectionedFetchRequest: the Swift source has no sectionIdentifier; read it with FetchRequest [[...]]")
    #expect(
      try script.value(
        "FetchRequest { entity = Quake, shouldRefreshRefetchedObjects = true }:swift():match 'shouldRefreshRefetchedObjects = %w+'"
      ) == "shouldRefreshRefetchedObjects = true")
    // An attribute may be called as a word of Swift.
    #expect(try script.value("Predicate('class == 5').format, Predicate('init == 5').format") == "class == 5 init == 5")
  }

  @Test func whatIsFetchedAgainIsAsTheStoreHasIt() throws {
    let script = try Script()
    let folder = try TemporaryFolder()
    try script.run(
      """
      local path = "\(folder.file("q.sqlite"))"
      use(open(path, { create = true, model = Model { Quake = Entity { code = String } } }))
      local q = Quake { code = "a" }
      save()
      local other = open(path)
      for _, flag in ipairs { true, false } do
        other:sql("UPDATE quake SET code = code || 'x'")
        local found = FetchRequest { entity = Quake, shouldRefreshRefetchedObjects = flag }:fetch()[1]
        assert(found == q and q.code == (flag and "ax" or "axx"), q.code)
      end
      """)
  }

  @Test func aRequestBeginsWithAnotherAndHasTheAnimationOfATransaction() throws {
    let script = try Script.sample()
    try script.run(
      """
      base = Quake:where("magnitude > 5"):sorted("-time")
      a = FetchRequest { fetchRequest = base, fetchLimit = 3, transaction = { animation = "easeIn" } }
      b = SectionedFetchRequest { fetchRequest = Quake:all(), sectionIdentifier = "place" }
      """)
    #expect(
      try script.value("tostring(a), a.animation, tostring(b), tostring(base)")
        == "Quake where magnitude > 5 sorted by -time limit 3 easeIn Quake in sections by place Quake where magnitude > 5 sorted by -time"
    )
    #expect(
      script.error("FetchRequest { fetchRequest = base, entity = Report }")
        == "FetchRequest: fetchRequest is of Quake, entity is Report; give one of them")
    #expect(
      script.error("FetchRequest { entity = Quake, animation = 'default', transaction = {} }")
        == "FetchRequest: 'animation' and 'transaction' say the same; give one of them")
    let several = "[[@Query var a: [Quake]\n@Query(sort: \\.score) var b: [Report] ]]"
    #expect(try script.value("FetchRequest { fetchRequest = \(several), named = 'b' }") == "Report sorted by score")
    #expect(
      script.error("FetchRequest(\(several))")
        == "there are 2 requests, a and b; name one: FetchRequest { fetchRequest = text, named = \"a\" }")
    #expect(
      try script.value(
        "Query { entity = Quake, transaction = { animation = 'spring' } }.animation, base:live { transaction = { animation = 'spring', disablesAnimations = true } }.animation"
      ) == "spring nil")
  }
}
