import Testing

@Suite struct ConflictTests {
  /// A saved quake in the main context and in another one, read and then changed by both.
  private func rivals() throws -> Script {
    let script = try Script.sample()
    try script.run(
      """
      local q = Quake { code = 'us1', magnitude = 5, place = 'Suva' } save()
      local other = store:newContext()
      local p = other.entities.Quake:find 'us1'
      q.magnitude = 6
      p.magnitude = 7 p.place = 'Lata'
      other:save()
      """)
    return script
  }

  @Test func aConflictNamesEntityPropertyAndTheThreeValues() throws {
    let script = try rivals()
    #expect(
      script.error("save()") == """
        Quake 1 was changed in the store since it was read: magnitude was 5.0 and is 7.0 there, here 6.0; \
        place was "Suva" and is "Lata" there
        """)
    try script.run("local ok, err = pcall(save)  local d = err.details[1]")
    #expect(
      try script.value("err.kind, #err.details, d.entity, d.object, d.property, d.mine, d.theirs, d.base, d.conflict")
        == "conflict 2 Quake Quake/1 magnitude 6.0 7.0 5.0 changed")
    #expect(try script.value("math.type(d.mine), q.magnitude, q.hasChanges") == "float 6.0 true")
  }

  @Test func aPolicyIsChosenByName() throws {
    let script = try rivals()
    #expect(try script.value("context.mergePolicy") == "error")
    #expect(
      script.error("context.mergePolicy = 'objectTrum'")
        == "context.mergePolicy: there is no merge policy 'objectTrum'; did you mean 'objectTrump'?")
    #expect(
      script.error("context.mergePolicy = 5")
        == "context.mergePolicy: expected the name of a merge policy, got number")
    #expect(
      script.error("store:newContext { mergePolicy = 'rolback' }")
        == "context.mergePolicy: there is no merge policy 'rolback'; did you mean 'rollback'?")
    #expect(try script.value("store:newContext { mergePolicy = 'overwrite' }.mergePolicy") == "overwrite")
    try script.run("context.mergePolicy = 'objectTrump' save()")
    #expect(try script.value("q.magnitude, q.place, p.magnitude, p.place") == "6.0 Lata 6.0 Lata")
  }

  @Test func aConflictIsTriedAgainAfterARollback() throws {
    let script = try rivals()
    try script.run(
      """
      while true do
        q.magnitude = q.magnitude + 1
        local ok, err = pcall(save)
        if ok then break end
        assert(err.kind == 'conflict')
        rollback()
      end
      """)
    #expect(try script.value("q.magnitude, q.place") == "8.0 Lata")
  }

  @Test func anObjectIsRefreshedWithAndWithoutItsChanges() throws {
    let script = try rivals()
    try script.run("q:refresh { mergeChanges = true }")
    #expect(try script.value("q.magnitude, q.place, q.hasChanges") == "6.0 Lata true")
    try script.run("save()")
    #expect(try script.value("p.magnitude") == "6.0")
    try script.run("q.magnitude = 1 q:refresh { mergeChanges = false }")
    #expect(try script.value("q.magnitude, q.hasChanges") == "6.0 false")
  }

  @Test func aContextFollowsOthersUnlessToldNotTo() throws {
    let script = try Script.sample()
    try script.run(
      """
      local q = Quake { code = 'us1', magnitude = 5 } save()
      local other = store:newContext { automaticallyMergesChangesFromParent = false }
      local p = other.entities.Quake:find 'us1'
      local _ = p.magnitude
      q.magnitude = 6 save()
      """)
    #expect(try script.value("other.automaticallyMergesChangesFromParent, p.magnitude") == "false 5.0")
    try script.run("other:refreshAllObjects()")
    #expect(try script.value("p.magnitude") == "6.0")
    try script.run("other.automaticallyMergesChangesFromParent = true q.magnitude = 7 save()")
    #expect(try script.value("p.magnitude") == "7.0")
    #expect(
      script.error("other.automaticallyMergesChangesFromParent = 1")
        == "context.automaticallyMergesChangesFromParent: expected a boolean, got number")
  }

  @Test func objectsThatAreFetchedAgainAreRefreshedWhereTheRequestSaysSo() throws {
    let script = try Script.sample()
    try script.run(
      """
      for i = 1, 3 do Quake { code = 'us' .. i, magnitude = i } end
      save()
      local other = store:newContext { automaticallyMergesChangesFromParent = false }
      local theirs = {}
      for i = 1, 3 do theirs[i] = other.entities.Quake:find('us' .. i) end
      function shown() return theirs[1].magnitude .. ' ' .. theirs[2].magnitude .. ' ' .. theirs[3].magnitude end
      shown()
      theirs[2].magnitude = 9
      for q in Quake:each() do q.magnitude = q.magnitude + 3 end
      save()
      function refetch(refreshes)
        return FetchRequest {
          entity = other.entities.Quake, predicate = 'code != "us3"', shouldRefreshRefetchedObjects = refreshes,
        }
      end
      function saveMore() for q in Quake:each() do q.magnitude = q.magnitude + 3 end save() end
      """)
    try script.run("refetch(false):fetch()")
    #expect(try script.value("shown()") == "1.0 9.0 3.0")
    try script.run("refetch(true):fetch()")
    #expect(try script.value("shown()") == "4.0 9.0 3.0")
    try script.run("saveMore() for q in refetch(true):each() do end")
    #expect(try script.value("shown()") == "7.0 9.0 3.0")
  }

  @Test func anInsertOfAKnownUniqueValueIsAnUpsertWhereTheObjectTrumps() throws {
    let script = try Script.sample()
    try script.run(
      """
      local old = Quake { code = 'us1', magnitude = 5, place = 'Suva' } save()
      context.mergePolicy = 'objectTrump'
      local new = Quake { code = 'us1', magnitude = 6 }
      local report = Report { text = 'felt it', quake = new }
      save()
      """)
    #expect(try script.value("Quake:count(), old.magnitude, old.place") == "1 6.0 Suva")
    #expect(try script.value("report.quake == old, #old.reports, new.isDeleted") == "true 1 true")
  }

  @Test func everyUniqueValueThatIsTakenIsReported() throws {
    let script = try Script.sample()
    try script.run("Quake { code = 'a' } Quake { code = 'b' } save()")
    try script.run("Quake { code = 'a' } Quake { code = 'b' } local ok, err = pcall(save)")
    #expect(
      try script.value("err.kind, #err.details, err.details[1].property, err.details[1].mine, err.details[1].other")
        == "notUnique 2 code a Quake/1")
    #expect(
      try script.value("err.message") == """
        2 values are not unique:
          there is another Quake with code = "a"
          there is another Quake with code = "b"
        """)
    try script.run("rollback() Quake { code = 'c' } Quake { code = 'c' }")
    #expect(script.error("save()") == #"Quake/t6 and Quake/t5 cannot both be saved with code = "c""#)
  }
}
