import Testing

/// Entities and to-many relationships stand for requests.
@Suite struct RequestForwardingTests {
  private func sample() throws -> Script {
    let script = try Script.sample()
    try script.run(
      """
      for i = 1, 5 do
        local quake = Quake { code = "q" .. i, magnitude = i, place = i > 2 and "sea" or "land" }
        for j = 1, i do Report { text = "r" .. j, score = j, quake = quake } end
        quake.stations:add(Station { name = "s" .. i })
      end
      for i = 2, 5 do Quake:find("q" .. i).stations:add(Station:first "name = 's1'") end
      save()
      q = Quake:find "q5"
      """)
    return script
  }

  @Test func anEntityAnswersWhatTheRequestOfItsObjectsAnswers() throws {
    let script = try sample()
    let calls = [
      "sorted('-magnitude'):limit(1):first().code", "limit(2):count()", "offset(4):count()", "#fetch()",
      "page(2, 2)[1].code",
      "sum 'magnitude'", "average 'magnitude'", "min 'magnitude'", "max 'magnitude'",
      "groupBy('place', { n = 'count' })[2].n", "grouped('place', { n = 'count' }):count()", "live()[1].code",
    ]
    for call in calls {
      let isLength = call.hasPrefix("#")
      let text = isLength ? String(call.dropFirst()) : call
      let mark = isLength ? "#" : ""
      #expect(try script.value("\(mark)Quake:\(text)") == script.value("\(mark)Quake:all():\(text)"), "\(call)")
    }
    #expect(try script.value("local n = 0 for q in Quake:each() do n = n + 1 end return n") == "5")
    #expect(try script.value("tostring(Quake:explain()):find('quake') ~= nil") == "true")
    #expect(
      script.error("Quake:limit(1, 2)")
        == "Quake:limit: takes 1 argument, got 2: Entity:limit(n) -> request"
        || script.error("Quake:limit(1, 2)")?.contains("Entity:limit(n)") == true)
    #expect(script.error("Quake.limit(1)")?.contains("call it with a colon") == true)
  }

  @Test func aScriptMayUseTheNamesForMethodsOfItsOwn() throws {
    let script = try sample()
    try script.run("function Quake:max() return self.magnitude * 10 end")
    #expect(try script.value("q:max()") == "50.0")
    #expect(script.error("function Quake:count() end") != nil)
  }

  @Test func aToManyRelationshipIsARequestOfItsMembers() throws {
    let script = try sample()
    #expect(
      try script.values(
        """
        q.reports:count(), q.reports:count "score > 3", q.reports:sum "score", q.reports:max "score",
        q.reports:where("score > %@", 2):sorted("-score"):first().text, q.reports:exists "score = 9",
        q.reports:groupBy("score", { n = "count" })[1].n, #q.reports:sorted("score"):limit(2):fetch()
        """) == ["5", "2", "15", "5", "r5", "false", "1", "2"])
    #expect(
      try script.values(
        "q.stations:count(), q.stations:sorted('name'):first().name, Station:first(\"name = 's1'\").quakes:count()")
        == ["2", "s1", "5"])
  }

  @Test func aLiveRelationshipFollowsItsMembers() throws {
    let script = try sample()
    try script.run(
      """
      live = q.reports:where("score >= 4"):sorted("-score"):live()
      tags = q.stations:sorted("name"):live()
      Report { text = "new", score = 9, quake = q }
      q.reports:remove(Report:first "score = 5")
      q.stations:add(Station { name = "s0" })
      """)
    #expect(script.engine.turns.end().isEmpty)
    #expect(try script.value("#live, live[1].text, #tags, tags[1].name") == "2 new 3 s0")
  }

  @Test func theMembersOfAnUnsavedObjectAreFoundBeforeAndAfterItsSave() throws {
    let script = try sample()
    try script.run(
      """
      local new = Quake { code = "new" }
      Report { text = "mine", score = 1, quake = new }
      before = new.reports:where("score = 1"):count() .. " " .. new.reports:count()
      save()
      after = new.reports:where("score = 1"):count() .. " " .. #new.reports:live()
      """)
    #expect(try script.value("before, after") == "1 1 1 1")
  }
}
