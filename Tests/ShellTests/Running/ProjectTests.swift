import Foundation
import Testing

/// `perilune init` begins a project that runs, passes its tests and has no mistakes.
@Suite struct ProjectTests {
  @Test func aNewProjectRunsAndPassesItsTests() throws {
    let program = try BuiltProgram()
    #expect(try program.run(["init"]).status == 0)
    let report = ["app.sqlite", "--create", "--model", "model.lua", "report.lua"]
    // The second run finds what the first one stored.
    for _ in 1...2 { #expect(try program.run(report).output == "Garden: 1 of 2 to do\n") }
    let tests = try program.run(["test", "--model", "model.lua"])
    #expect(tests.output.hasPrefix("3 passed, 0 failed"), "\(tests.output)")
    let check = try program.run(["check", "report.lua", "model.lua", "--model", "model.lua"])
    #expect(check.output == "" && check.status == 0)
    // The model of the project is found.
    #expect(try program.run(["test"]).output.hasPrefix("3 passed, 0 failed"))
    try program.write("wrong.lua", "for task in Task:all():each() do print(task.titel) end")
    #expect(
      try program.run(["check", "wrong.lua"]).output
        == "wrong.lua:1:45: error: Task has no 'titel'; did you mean 'title'?\n")
    let settings = try JSONSerialization.jsonObject(
      with: Data(contentsOf: URL(filePath: program.path(".luarc.json"))))
    #expect((settings as? [String: Any])?["workspace.library"] as? [String] == ["types.lua"])
    let other = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: program.path(".emmyrc.json"))))
    let workspace = (other as? [String: Any])?["workspace"] as? [String: Any]
    #expect(workspace?["library"] as? [String] == ["types.lua"])
    let types = try String(contentsOfFile: program.path("types.lua"), encoding: .utf8)
    #expect(try program.run(["types", "--lua", "model.lua"]).output == types)
  }

  /// Whether luacheck is installed.
  private static let hasLuacheck = FileManager.default.isExecutableFile(atPath: "/usr/bin/luacheck")

  @Test(.enabled(if: hasLuacheck, "there is no luacheck"))
  func luacheckFindsNothingInANewProject() throws {
    let program = try BuiltProgram()
    #expect(try program.run(["init", "-q"]).status == 0)
    try program.write("more.lua", "function Task:label() return self.title end\nprint(Task:count(), unknwon)\n")
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/luacheck")
    process.arguments = ["--no-color", "--codes", "model.lua", "report.lua", "model_spec.lua", "types.lua", "more.lua"]
    process.currentDirectoryURL = URL(filePath: program.folder.path)
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(text.contains("(W113) accessing undefined variable 'unknwon'"))
    #expect(text.contains("Total: 1 warning / 0 errors in 5 files"), "\(text)")
  }

  @Test func whatIsThereIsNotOverwritten() throws {
    let program = try BuiltProgram()
    try FileManager.default.createDirectory(atPath: program.path("app"), withIntermediateDirectories: true)
    try program.write("app/report.lua", "mine")
    let result = try program.run(["init", "app"])
    #expect(result.status == 74)
    #expect(result.errors.contains("'app/report.lua' is there already"), "\(result.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: program.path("app")) == ["report.lua"])
    #expect(try String(contentsOfFile: program.path("app/report.lua"), encoding: .utf8) == "mine")
  }
}
