import LuaBindings
import Testing

@Suite struct QueryTests {
  @Test func aQueryIsLiveAtOnceAndFlat() throws {
    let script = try Script.quakes()
    try script.run(
      """
      local q = Query { entity = Quake, filter = "magnitude > 1", sort = "magnitude", order = "reverse", sectionBy = "place" }
      q:onChange(tell)
      """)
    #expect(try script.value("#q, codes(q), q[1].code") == "4 dbec d")
    #expect(try script.value("#q.sections, q.sections[1].id, #q.sections[1], q.sections[2][1].code") == "2 Chile 2 e")
    #expect(try script.value("q:indexOf(Quake:find 'e'), tostring(q)") == "3 4 × Quake, live")
    try script.run("Quake { code = 'f', magnitude = 9, place = 'Peru' } save()")
    #expect(try script.value("told(), codes(q), #q.sections") == "save +f:>3.1 +s3=Peru dbecf 3")
  }

  @Test func itsWordsAreSettable() throws {
    let script = try Script.quakes()
    try script.run("local q = Query { entity = Quake, sort = 'code' }")
    try script.run("q.filter = 'magnitude >= 3'")
    #expect(try script.value("codes(q), tostring(q.predicate)") == "cde magnitude >= 3")
    try script.run("q.order = 'reverse'")
    #expect(
      try script.value("codes(q), q.order, q.sort[1].order, q.sortDescriptors[1].order")
        == "edc reverse forward reverse")
    try script.run("q.sort = { 'place', 'code' }")
    #expect(try script.value("codes(q), q.order") == "ecd reverse")
    try script.run("q.order = nil")
    #expect(try script.value("codes(q), q.order") == "dce forward")
    try script.run("q:configure { sort = '-code', order = 'reverse', limit = 2, offset = 1, filter = null }")
    #expect(try script.value("codes(q), q.limit, q.offset, q.filter") == "bc 2 1 nil")
    try script.run("q.sortDescriptors = { '-code' } q:configure { limit = null, offset = null, sectionBy = 'place' }")
    #expect(try script.value("q.order, codes(q), #q.sections, q.sectionBy") == "forward dbeca 2 place")
    #expect(
      script.error("q.order = 'backward'")
        == "results.order: expected one of \"forward\" or \"reverse\", got \"backward\"")
    #expect(
      script.error("q.filter = 5") == "results.filter: expected a predicate (string, table or Predicate), got number")
  }

  @Test func aResultsObserverHasItsOwnWords() throws {
    let script = try Script.quakes()
    try script.run(
      """
      local o = ResultsObserver { entity = Quake, filterBy = "magnitude > 1", sortBy = "-magnitude", sectionBy = "place" }
      o:onChange(tell)
      """)
    #expect(try script.value("#o.results, codes(o.results), #o.sections, o.sections[1].id") == "4 dbec 2 Chile")
    #expect(try script.value("o.results == o, o.predicate == o.filterBy") == "true true")
    try script.run("o.filterBy = 'magnitude >= 3' o.sortBy = { 'code' } o.sectionBy = null")
    #expect(
      try script.value("codes(o.results), #o.sections, o.filter, o.sortBy[1].order") == "cde 0 magnitude >= 3 forward")
    try script.run("Quake { code = 'f', magnitude = 9, place = 'Peru' } save()")
    #expect(try script.value("codes(o.results)") == "cdef")
    #expect(
      script.error("ResultsObserver { entity = Quake, filter = 'a == 1', filterBy = 'b == 1' }")
        == "ResultsObserver: 'filter' and 'filterBy' are the same; give one of them")
    try script.run(
      "child = context:newChild() n = ResultsObserver { entity = Quake, sortBy = 'code', modelContext = child }")
    #expect(try script.value("n[1].context == child") == "true")
    #expect(
      script.error("ResultsObserver { entity = Quake, modelContext = 5 }")
        == "ResultsObserver: modelContext: expected a context, got number")
    #expect(script.error("Query { entity = Quake, modelContext = context }") != nil)
  }

  @Test func aResultsObserverIsReadFromSwiftAndPrintedAsIt() throws {
    let script = try Script.quakes()
    try script.run(
      #"""
      local o = ResultsObserver [[
        @State private var observer = ResultsObserver<Quake, String>(
          filterBy: #Predicate { $0.magnitude > 2 }, sortBy: [SortDescriptor(\.magnitude)], sectionBy: \.code,
          modelContext: modelContext)
      ]]
      """#)
    #expect(try script.value("codes(o), o.sectionBy, #o.sections") == "bcde code 4" || script.value("#o > 0") == "true")
    #expect(
      try script.value("Quake:where('magnitude > 4'):sorted('-magnitude'):swift('resultsObserver')").contains(
        "ResultsObserver<Quake, Never>("))
  }

  @Test func aRequestOrSwiftMakesOneToo() throws {
    let script = try Script.quakes()
    try script.run(
      #"""
      local a = Query(Quake:where("magnitude > 3"):sorted("code"))
      local b = Query [[@Query(filter: #Predicate<Quake> { $0.magnitude > 4 }, sort: \.code) var quakes: [Quake] ]]
      """#)
    #expect(try script.value("codes(a), codes(b)") == "de e")
  }

  @Test func whatIsWrongIsTold() throws {
    let script = try Script.quakes()
    #expect(script.error("Query { filter = 'magnitude > 1' }") == "Query: entity is missing")
    #expect(
      script.error("Query { entity = Quake, fiter = 'x' }")
        == "Query: there is no option 'fiter'; did you mean 'filter'?")
    #expect(script.error("Query(5)") == "Query: expected a table of options, a request or Swift source, got number")
    #expect(
      script.error("Query(FetchRequest { entity = Quake, resultType = 'count' })")?.contains("request:live() for count")
        == true)
    #expect(
      script.error("Query { entity = Quake, sort = { 'code', 'place' }, sectionBy = 'place' }")?.contains(
        "put it first") == true)
  }
}
