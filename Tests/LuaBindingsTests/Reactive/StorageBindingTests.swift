import Foundation
import LuaBindings
import TestSupport
import Testing

@Suite struct StorageBindingTests {
  let folder = TemporaryFolder.ofThisRun.appending(path: "perilune-\(UUID())")
  var path: String { folder.appending(path: "perilune/storage.json").path }

  /// A run of its own on the same file.
  private func run(_ body: (Script) throws -> Void, _ change: (inout Engine.Options) -> Void = { _ in }) throws {
    var options = Engine.Options()
    options.preferencePath = path
    change(&options)
    let script = try Script(options)
    try body(script)
    script.engine.close()
  }

  @Test func lastFromOneRunToTheNextWithTheirTypes() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try run { script in
      try script.run(
        """
        AppStorage("minimum", 5).value = 6
        AppStorage("ratio", 1).value = 2.5
        AppStorage("since", Date(0)).value = Date "2024-01-22T16:26:12Z"
        AppStorage("columns", {}).value = { "place", { width = 5, wide = true } }
        AppStorage("bytes", "").value = "\\xff\\0x"
        AppStorage("any", nil).value = true
        """)
    }
    try run { script in
      #expect(try script.value("AppStorage('minimum', 5).value, AppStorage('ratio', 1).value") == "6 2.5")
      #expect(try script.value("AppStorage('since', Date(0)).value") == "2024-01-22T16:26:12Z")
      #expect(
        try script.value("math.type(AppStorage('minimum', 0).value), AppStorage('bytes', '').value == '\\xff\\0x'")
          == "integer true")
      try script.run("columns = AppStorage('columns', {}).value")
      #expect(try script.value("columns[1], columns[2].width, columns[2].wide, #columns") == "place 5 true 2")
      #expect(try script.value("AppStorage('any', nil).value, AppStorage('none', nil).value") == "true nil")
      try script.run("AppStorage('minimum', 5).value = nil")
      #expect(try script.value("AppStorage('minimum', 5).value") == "5")
    }
    try run { script in
      let value = try script.value("AppStorage('minimum', 7).value")
      #expect(value == "7")
    }
  }

  @Test func tellOfChangesAreBoundAndTrackedAndAreOneForAllWithAName() throws {
    let script = try Script()
    try script.run(
      """
      minimum, again, log = AppStorage("minimum", 5), AppStorage("minimum", 5), {}
      minimum:onChange(function(new, old) log[#log + 1] = old .. ">" .. new end)
      effect(function() log[#log + 1] = "effect " .. minimum.value end)
      again:binding().value = 6
      """)
    #expect(script.engine.turns.end().isEmpty)
    #expect(try script.value("table.concat(log, ', ')") == "effect 5, 5>6, effect 6")
    #expect(
      script.error("minimum.value = 'six'") == "AppStorage minimum: expected a number, got string")
    #expect(
      script.error("minimum.value = print")?.contains("expected a boolean, number, string, Date or table") == true)
    #expect(script.error("AppStorage('t', { 1, a = 2 })")?.contains("both names and numbers") == true)
    #expect(script.error("local t = {} t.t = t AppStorage('t', t)")?.contains("contains itself") == true)
    #expect(script.error("AppStorage('minimum')") == "AppStorage: expected a default value, got no value")
    #expect(script.error("AppStorage(5, 5)") == "AppStorage: expected a name, got number")
  }

  @Test func ofAnotherTypeThanTheDefaultAreToldOfAndTheDefaultCounts() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try run { try $0.run("AppStorage('minimum', 'five').value = 'six'") }
    try run { script in
      var warnings: [String] = []
      script.engine.host.onWarning = { warnings.append($0) }
      let value = try script.value("AppStorage('minimum', 5).value")
      #expect(value == "5")
      #expect(warnings == ["'minimum' was kept as a string, not as a number; the default counts"])
    }
  }

  @Test func ofASceneBelongToOneStore() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let stores = """
      local function make(name)
        return open(name, { create = true, model = Model { Thing = Entity { name = String } } })
      end
      a, b = make("\(folder.path)/a.sqlite"), make("\(folder.path)/b.sqlite")
      use(a)
      """
    try run { script in
      #expect(
        script.error("SceneStorage('filter', '')")
          == "SceneStorage: there is no store; open one and `use` it, or name it on the command line")
      try script.run(stores)
      try script.run("SceneStorage('filter', '').value = 'x > 5'")
      #expect(
        try script.value("SceneStorage('filter', '', b).value == '', AppStorage('filter', '').value == ''")
          == "true true")
    }
    try run { script in
      try script.run(stores)
      #expect(try script.value("SceneStorage('filter', '').value") == "x > 5")
      try script.run("m = open(':memory:', { model = a.model })")
      try script.run("SceneStorage('filter', '', m).value = 'y'")
      #expect(try script.value("SceneStorage('filter', '', m).value, SceneStorage('filter', '').value") == "y x > 5")
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8).contains("\"y\"") == false)
  }

  @Test func touchNoFileInTheSandboxAndChangeNoneInADryRun() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let write: (Script) throws -> Void = { script in
      try script.run("s = AppStorage('minimum', 5) s.value = 6")
      #expect(try script.value("s.value") == "6")
    }
    try run(write) { $0.isSandboxed = true }
    try run(write) { $0.isDryRun = true }
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }

  @Test func areWrittenAtTheEndOfTheTurnAlsoOfOneThatFailed() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try run { script in
      try script.run("for i = 1, 1000 do AppStorage('minimum', 0).value = i end")
      #expect(!FileManager.default.fileExists(atPath: path))
      #expect(script.engine.turns.end(failed: true).isEmpty)
      #expect(FileManager.default.fileExists(atPath: path))
    }
  }
}
