import Testing

@testable import LuaBindings

@Suite struct ExactSwiftTests {
  @Test func aMacroSaysWhereItSelectsWhatTheStoreDoesNot() throws {
    let script = try Script.sample()
    let note = "// Where something is nil, this selects what the store does not; the same answers, by exact = true:\n"
    #expect(
      try script.value("return Predicate('NOT felt > 5'):swift('macro', { entity = Quake })").hasPrefix(
        note + "// felt <= 5\n#Predicate<Quake> { "))
    #expect(
      try script.value("return Quake:where('place != %@', 'x'):swift('query')").hasPrefix(note + "// place != nil AND ")
    )
    #expect(try !script.value("return Quake:where('felt > 5'):swift('query')").contains("//"))
    #expect(try !script.value("return Quake:where('NOT felt > 5'):swift('fetchRequest')").contains("//"))
  }

  @Test func exactPrintsWhatAgreesOrSaysThatNothingDoes() throws {
    let script = try Script.sample()
    #expect(
      try script.value("return Predicate('NOT felt > 5'):swift('macro', { entity = Quake, exact = true })")
        == "#Predicate<Quake> { $0.felt.flatMap { $0 <= 5 } ?? false }")
    #expect(
      script.error("Quake:where('NOT lowercase(place) == %@', 'x'):swift('macro', { exact = true })")?.contains(
        "no macro selects just what the store selects of NOT lowercase(place) == \"x\"") == true)
  }
}
