import Foundation
import Testing

/// Files of any name are served or refused, wherever a name is given.
@Suite struct FileNameTests {
  @Test func aStoreHasTheNameItIsGivenOrIsRefused() throws {
    let result = try BuiltProgram().run(script: Self.script, name: "names.lua")
    #expect(result.status == 0 && result.output.contains("all names"), "\(result.errors.suffix(1_000))")
  }

  private static let names = [
    "x", "é", "雪", ".", "..", "...", ".x", "x.", "x/", "./x/", "/", " ", "a b", "a\nb", "file:", "file:x?mode=memory",
    ":memory:x", "-", "--", "-x", "'", "\"", "%", "%00", "?", "#", "~", "*", "\\", "", "e\u{301}", "\u{202e}x", "\u{1}",
    String(repeating: "n", count: 255), String(repeating: "é", count: 128), String(repeating: "n/", count: 3_000) + "x",
  ]

  /// The ways in which a name comes from the command line.
  static let commands: [(label: String, arguments: @Sendable (String) -> [String])] = [
    ("create", { [$0, "--create", "-e", "1"] }), ("open", { [$0, "-e", "1"] }), ("script", { ["-q", $0 + ".lua"] }),
    ("model", { ["--model", $0, "-e", "1"] }), ("model folder", { ["--model", $0 + ".xcdatamodeld", "-e", "1"] }),
  ]

  @Test(arguments: commands.indices) func noNameOnTheCommandLineEndsTheProgramByASignal(_ index: Int) throws {
    let program = try BuiltProgram()
    for name in Self.names {
      let result = try program.run(Self.commands[index].arguments(name), input: "")
      #expect(
        result.status < 128,
        "\(Self.commands[index].label) \(name.prefix(40).debugDescription): \(result.errors.suffix(300))")
    }
  }

  @Test func noNameAtThePromptEndsTheProgramByASignal() throws {
    let program = try BuiltProgram.withStore()
    let lines = Self.names.filter { !$0.contains("\n") }.flatMap { [".read \($0)", ".open \($0)", ".backup \($0)"] }
    let session = try program.terminal("-q quakes.sqlite", columns: 100, rows: 24)
    try session.expect("> ")
    for line in lines where line.utf8.count < 500 { session.send(line + "\r") }
    session.send("\rprint(41 + 1)\r")
    try session.expect("\n42", seconds: 30)
  }

  @Test(arguments: ["XDG_STATE_HOME", "XDG_CONFIG_HOME", "HOME"])
  func noNameInTheEnvironmentEndsTheProgramByASignal(_ variable: String) throws {
    let program = try BuiltProgram()
    for name in Self.names {
      let result = try program.run(
        ["-e", "AppStorage('a', 1).value = 2"],
        environment: [variable: name.hasPrefix("/") ? program.path("folder/") : name])
      #expect(result.status < 128, "\(name.prefix(40).debugDescription): \(result.errors.suffix(300))")
    }
  }

  private static let script = #"""
    local names = { "x", "é", "雪", "ab", ".", "..", "...", ".x", "x.", "x/", "./x/", "/", "//", " ", " x", "x ", "a b", "a\nb", "a\tb", "file:", "file:x", "file:x?mode=memory", ":memory:x", ":memory: ", "-", "--", "-x", "'", '"', "a'b", 'a"b', "%", "%20", "a%00b", "?", "a?b", "#", "a#b", "~", "~/x", "*", "[", "\\", "a\\b", "$HOME", "é/x", "x/y", "\xff", "a\xffb", "a\0b", "", ("n"):rep(255), ("n"):rep(256), ("é"):rep(127), ("n/"):rep(3000) .. "x", ("n"):rep(100000), "x.sqlite", "x.lua", "x.json", "x.csv", "con", "\u{202e}x", "👨‍👩‍👧", "e\u{301}", "x;y", "|x", "a&b", "\x01", "\x7f", "\x1b[31m" }
    local model = Model { Q = Entity { a = Int, b = Data { externalBinaryData = true } } }
    local function try(label, name, f, ...)
      io.stderr:write(label, " ", string.format("%q", name):sub(1, 60), "\n")
      local r = table.pack(pcall(f, ...))
      return r[1], r[2]
    end
    for _, name in ipairs(names) do
      local ok, s = try("create", name, open, name, { create = true, model = model })
      if ok then
        assert(s.path == name, s.path)
        s.entities.Q { a = 1, b = ("x"):rep(200000) }
        s.context:save()
        try("scene", name, function() SceneStorage("a", 1, s).value = 2 end)
        try("verify", name, function() s:verify() end)
        try("close", name, function() s:close() end)
        local again <close> = open(name)
        assert(again.entities.Q:count() == 1)
        local file <close> = assert(io.open(name, "rb"), "a store was opened that is no file")
        assert(file:read(6) == "SQLite" and not name:find "\0", "the file of another name was made")
      end
      local s = open(":memory:", { model = model })
      local q = s.entities.Q { a = 5 } s.context:save()
      try("backup", name, function() s:backup("b" .. name) end)
      try("backup", name, function() s:backup(name) end)
      try("export", name, export, s.entities.Q:all(), name)
      try("export json", name, export, s.entities.Q:all(), name .. ".json")
      try("import json", name, import, s.entities.Q, name .. ".json")
      try("export csv", name, export, s.entities.Q:all(), name .. ".csv", { mode = "csv" })
      try("import csv", name, import, s.entities.Q, name .. ".csv")
      try("import", name, import, s.entities.Q, name)
      try("loadModel", name, loadModel, name)
      try("loadModel", name, loadModel, name .. ".xcdatamodeld")
      try("loadModel", name, loadModel, name .. ".mom")
      try("AppStorage", name, AppStorage, name, 1)
      try("Scene", name, SceneStorage, name, 1, s)
      try("dofile", name, dofile, name)
      s:close()
    end
    print "all names"
    """#
}
