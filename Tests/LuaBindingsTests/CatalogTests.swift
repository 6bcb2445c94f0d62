import LuaBindings
import LuaRuntime
import Testing

@Suite struct CatalogTests {
  @Test func everyEntryHasASignatureAndASentence() throws {
    let script = try Script()
    for entry in script.engine.catalog.entries {
      #expect(entry.signature.contains(entry.name), "\(entry.title)")
      #expect(entry.summary.hasSuffix(".") && entry.summary.count > 8, "\(entry.title): \(entry.summary)")
    }
  }

  @Test func noEntryIsThereTwice() throws {
    let titles = try Script().engine.catalog.entries.map { "\($0.kind) \($0.title)" }
    #expect(Set(titles).count == titles.count)
  }

  @Test func everyGlobalOfOursIsInTheCatalog() throws {
    let script = try Script()
    let stock = try LuaState(memoryLimit: 16 << 20)
    defer { stock.close() }
    try stock.openStandardLibraries(sandboxed: false)
    let ours = Set(try globals(of: script.engine.lua)).subtracting(try globals(of: stock))
    let known = Set(script.engine.catalog.members(of: "").map(\.name))
    #expect(ours.subtracting(known) == ["null", "Object"])
  }

  @Test func helpFindsByNameAndByOwner() throws {
    let catalog = try Script().engine.catalog
    #expect(catalog.entries(named: "Request:limit").map(\.name) == ["limit"])
    #expect(catalog.entries(named: "FetchRequest").contains { $0.name == "fetchLimit" })
    #expect(catalog.entries(named: "nothing").isEmpty)
  }

  private func globals(of state: LuaState) throws -> [String] {
    var names: [String] = []
    state.stack.pushGlobal("_G")
    try state.stack.forEachPair(at: -1) { stack in names.append(stack.string(at: -2) ?? "") }
    state.stack.pop()
    return names
  }
}
