import Testing

@Suite struct RequestTests {
  /// Ten earthquakes c1...c10 with magnitudes 1...10 at two places, the last two unsaved if `unsaved`.
  private func quakes(unsaved: Bool = false) throws -> Script {
    let script = try Script.sample()
    try script.run(
      """
      for i = 1, 10 do
        local q = Quake { code = "c" .. i, magnitude = i, place = i % 2 == 0 and "Chile" or "Peru", time = Date(i * 86400) }
        if i <= 3 then q.reports:add(Report { text = "r" .. i, score = i }) end
        if i == 8 and \(unsaved) then save() end
      end
      if not \(unsaved) then save() end
      """)
    return script
  }

  private static let codes =
    "(function(r) local t = {} for q in r:each() do t[#t + 1] = q.code end return table.concat(t, ' ') end)"

  @Test func aChainSelectsSortsAndCuts() throws {
    let script = try quakes()
    let codes = Self.codes
    #expect(
      try script.value("\(codes)(Quake:where('magnitude >= %@', 5):sorted('-time'):limit(3):offset(1))") == "c9 c8 c7")
    #expect(
      try script.value(
        "\(codes)(Quake:where('place == %@', 'Peru'):where('magnitude > 4'):sorted('place', 'magnitude'))")
        == "c5 c7 c9")
    #expect(
      try script.value("\(codes)(Quake:all():sorted(SortDescriptor('magnitude', 'reverse')):limit(2))") == "c10 c9")
    #expect(try script.value("Quake:where { 'magnitude BETWEEN %@', { 2, 4 } }:count()") == "3")
    #expect(
      try script.value("Quake:where('place == %@ AND magnitude > 1', 'Chile')")
        == "Quake where place == \"Chile\" AND magnitude > 1")
  }

  @Test func aChainLeavesTheRequestAsItWas() throws {
    let script = try quakes()
    try script.run("local all = Quake:all() local some = all:where('magnitude > 8')")
    #expect(try script.value("all:count(), some:count(), all.predicate, some.predicate") == "10 2 nil magnitude > 8")
  }

  @Test func aFetchIsAnArray() throws {
    let script = try quakes()
    try script.run("local r = Quake:all():sorted('magnitude'):fetch()")
    #expect(try script.value("#r, r[1].code, r[10].code, r[11], r[0]") == "10 c1 c10 nil nil")
    #expect(try script.value("#r:slice(2, 4), r:slice(2, 4)[1].code, r:indexOf(Quake:find 'c5')") == "3 c2 5")
    #expect(
      try script.value(
        "(function() local n = 0 for q in r:each() do n = n + 1 end for i, q in ipairs(r) do n = n + 1 end return n end)()"
      ) == "20")
    #expect(try script.value("r, r[3] == Quake:find('c3')") == "10 × Quake true")
  }

  @Test func firstExistsAndPage() throws {
    let script = try quakes()
    #expect(
      try script.value(
        "Quake:all():sorted('-magnitude'):first().code, Quake:first('magnitude > 99'), Quake:exists('magnitude > 9')")
        == "c10 nil true")
    #expect(
      try script.value("Quake:exists('magnitude > %@', 99), Quake:count(), Quake:count('place == %@', 'Peru')")
        == "false 10 5")
    #expect(
      try script.value(
        "#Quake:all():sorted('magnitude'):page(2, 4), Quake:all():sorted('magnitude'):page(3, 4)[1].code") == "4 c9")
    #expect(try script.value("#Quake:all():limit(5):page(2, 4), #Quake:all():page(4, 4)") == "1 0")
  }

  @Test func aggregatesAreComputedInTheStore() throws {
    let script = try quakes()
    #expect(try script.value("Quake:all():sum 'magnitude', Quake:all():average 'magnitude'") == "55.0 5.5")
    #expect(
      try script.value("Quake:all():min 'time', Quake:where('magnitude < 4'):max 'code'") == "1970-01-02T00:00:00Z c3")
  }

  @Test func groupsAreRows() throws {
    let script = try quakes()
    try script.run("local rows = Quake:all():groupBy('place', { n = 'count', biggest = 'max(magnitude)' })")
    #expect(
      try script.value("#rows, rows[1].place, rows[1].n, rows[1].biggest, rows[2].place, rows[2].biggest")
        == "2 Chile 5 10.0 Peru 9.0")
    #expect(
      try script.value("Quake:all():groupBy('place', { n = 'count' }, { sort = '-place', limit = 1 })[1].place")
        == "Peru")
    #expect(
      try script.value("#Quake:all():groupBy('place', { biggest = 'max(magnitude)' }, { having = 'biggest > 9' })")
        == "1")
  }

  @Test func everyPropertyOfARequestIsReadBack() throws {
    let script = try quakes()
    try script.run(
      """
      local request = FetchRequest {
        entity = Quake, predicate = "magnitude > 2", sortDescriptors = { SortDescriptor("time", "reverse"), "place" },
        fetchLimit = 3, fetchOffset = 1, fetchBatchSize = 50, resultType = "objects", includesSubentities = true,
        includesPendingChanges = true, returnsObjectsAsFaults = false, relationshipKeyPathsForPrefetching = { "reports" },
      }
      """)
    #expect(
      try script.value("#request:fetch(), request.fetchLimit, request.fetchOffset, request.predicate.format")
        == "3 3 1 magnitude > 2")
    #expect(
      try script.value(
        "request.sortDescriptors[1].keyPath, request.sortDescriptors[1].order, request.sortDescriptors[2]")
        == "time reverse SortDescriptor(\"place\")")
    #expect(
      try script.value(
        "request.entity == Quake, request.resultType, request.returnsObjectsAsFaults, request.relationshipKeyPathsForPrefetching[1]"
      ) == "true objects false reports")
    #expect(try script.value("request:fetch()[1].isFault, request:with { fetchLimit = 1 }.fetchLimit") == "false 1")
  }

  @Test func resultTypesDecideWhatIsFetched() throws {
    let script = try quakes()
    #expect(try script.value("FetchRequest { entity = Quake, resultType = 'count' }:fetch()") == "10")
    #expect(
      try script.value(
        "FetchRequest { entity = Quake, resultType = 'objectIDs', sortDescriptors = 'magnitude' }:fetch()[2] == Quake:find('c2').objectID"
      ) == "true")
    try script.run(
      """
      local rows = FetchRequest { entity = Quake, resultType = "dictionaries", propertiesToFetch = { "place", n = "count" },
        propertiesToGroupBy = { "place" }, havingPredicate = "n > 1", sortDescriptors = { "-place" } }:fetch()
      """)
    #expect(try script.value("#rows, rows[1].place, rows[1].n") == "2 Peru 5")
    #expect(
      try script.value(
        "#FetchRequest { entity = Quake, resultType = 'dictionaries', propertiesToFetch = { 'place' }, returnsDistinctResults = true }:fetch()"
      ) == "2")
    #expect(
      try script.value(
        "(function() local n = 0 for row in FetchRequest { entity = Quake, resultType = 'dictionaries', propertiesToFetch = { 'code' } }:each() do n = n + #row.code end return n end)()"
      ) == "21")
  }

  @Test func unsavedChangesTakePartUnlessTheRequestSaysNo() throws {
    let script = try quakes(unsaved: true)
    #expect(
      try script.value("Quake:count(), FetchRequest { entity = Quake, includesPendingChanges = false }:count()")
        == "10 8")
    try script.run("Quake:find('c1').magnitude = 100")
    #expect(try script.value("Quake:all():sorted('-magnitude'):first().code, Quake:count('magnitude > 9')") == "c1 2")
  }

  @Test func batchRequestsWriteAtOnce() throws {
    let script = try quakes()
    #expect(
      try script.value(
        "Quake:where('magnitude > 8'):update { place = 'Japan' }, Quake:count('place == %@', 'Japan'), Quake:find('c9').place"
      ) == "2 2 Japan")
    #expect(try script.value("Quake:batchUpdate('magnitude < 3', { felt = 7 }), Quake:all():sum 'felt'") == "2 14")
    #expect(try script.value("Quake:where('magnitude <= 2'):delete(), Quake:count(), Report:count()") == "2 8 1")
    #expect(try script.value("Quake:batchDelete('place == %@', 'Japan'), Quake:count()") == "2 6")
    #expect(
      try script.value(
        "Quake:batchInsert { { code = 'n1' }, { code = 'n2', magnitude = 3 } }, Quake:find('n2').magnitude") == "2 3.0")
    try script.run("Quake:find('c5').magnitude = 1")
    #expect(
      script.error("Quake:all():delete()")
        == "the batch request touches 1 object of Quake with unsaved changes; save or roll back first")
  }

  @Test func aLoopCanBeLeftAndWriteMeanwhile() throws {
    let script = try quakes()
    try script.run(
      "for q in Quake:all():sorted('magnitude'):each() do q.felt = 1 if q.magnitude > 4 then break end end save()")
    #expect(try script.value("Quake:all():sum 'felt'") == "5")
    try script.run("for q in Quake:all():each() do if q.magnitude == 3 then q:delete() save() end end")
    #expect(try script.value("Quake:count()") == "9")
  }

  @Test func explainShowsSQLAndPlan() throws {
    let script = try quakes()
    try script.run("local e = Quake:where('place == %@', 'Peru'):explain()")
    #expect(
      try script.value("e.sql:find('WHERE t0.place = ?', 1, true) ~= nil, e.arguments[1], e.indexesUsed[1]")
        == "true Peru quake_place_index")
    #expect(try script.value("e.rowsReturned, #e.plan, tostring(e):find('quake_place_index') ~= nil") == "5 1 true")
  }
}
