import Testing

@Suite struct ParityTests {
  private func script() throws -> Script {
    let script = try Script.sample()
    try script.run(
      """
      for number = 1, 8 do Quake { code = "us" .. number, magnitude = number, felt = number % 2 == 0 and number or nil } end
      save()
      """)
    return script
  }

  @Test func differencesAreToldByReasonWithWhatMakesBothAgree() throws {
    #expect(
      try script().value(#"Predicate("felt != 4"):parity(Quake)"#) == """
        memory and the store differ on 4 of 8 objects of Quake
          4 in memory only: felt is nil: memory says felt != 4 is true, the store says neither
            Quake us1, Quake us3, Quake us5, Quake us7
            to make both agree: felt != 4 OR felt == nil to take them in
            or felt != 4 AND felt != nil to leave them out
        """)
    #expect(
      try script().value(#"Quake:where("magnitude > 3"):parity()"#)
        == "memory and the store agree on 8 objects of Quake")
  }

  @Test func whatIsAdvisedMakesBothAgree() throws {
    let script = try script()
    for text in ["felt != 4 OR felt == nil", "felt != 4 AND felt != nil", "NOT felt > 4 OR felt == nil"] {
      #expect(try script.value("Predicate('\(text)'):parity(Quake).count") == "0")
    }
    #expect(try script.value("Predicate('NOT felt > 4'):parity(Quake).count") == "4")
  }

  @Test func scriptsReadThemAsAListWithCounts() throws {
    let script = try script()
    try script.run("local parity = Predicate('NOT (felt > 4)'):parity(Quake)")
    #expect(
      try script.value(
        "parity.count, parity.compared, #parity, parity[1].object.code, parity[1].memory, parity[1].store")
        == "4 8 4 us1 true false")
    #expect(try script.value("parity[1].clause, parity.groups[1].count") == "felt > 4 4")
    #expect(
      try script.value("parity[2].reason")
        == "felt is nil: memory says NOT (felt > 4) is true, the store says neither")
  }

  @Test func unsavedChangesAreAReason() throws {
    let script = try script()
    try script.run("Quake:find('us3').felt = 40")
    #expect(
      try script.value("local p = Predicate('felt > 30'):parity(Quake) return p.count, p[1].object.code, p[1].reason")
        == "1 us3 there are unsaved changes that the store does not know")
  }
}
