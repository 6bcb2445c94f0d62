import Foundation
import Testing

@testable import Shell

/// With --dry-run no export writes a file, and the summary says what would be written.
@Suite struct DryRunFileTests {
  private let program: BuiltProgram
  init() throws { program = try BuiltProgram.withStore() }

  private func run(_ code: String) throws -> BuiltProgram.Result {
    try program.run(["--dry-run", "quakes.sqlite", "-e", code])
  }

  private func isThere(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: program.folder.file(name))
  }

  @Test(arguments: [
    ("export(Quake, 'out.csv')", "+ the file 'out.csv' with 5 rows"),
    ("export({ a = { 1 } }, 'out.lua')", "+ the file 'out.lua'"),
    (".export out.json Quake:limit(2)", "+ the file 'out.json' with 2 rows"),
    ("plot(Quake, { x = 'magnitude' }):save 'out.svg'", "+ the file 'out.svg' with "),
    ("store:backup 'out.sqlite'", "+ the file 'out.sqlite' with a copy of the store"),
  ])
  func anExportIsOnlyNoted(_ code: String, _ line: String) throws {
    let result = try run(code)
    #expect(result.status == 0 && result.output.contains(line), "\(result)")
    for name in ["out.csv", "out.lua", "out.json", "out.svg", "out.sqlite"] { #expect(!isThere(name)) }
  }

  @Test func whatWouldBeRefusedIsRefused() throws {
    try program.write("there.csv", "x")
    #expect(try run("export(Quake, 'there.csv')").errors.contains("there.csv"))
    #expect(try run("export(Quake, 'nowhere/out.csv')").errors.contains("cannot be written"))
    let result = try run("export(Quake, 'there.csv', { force = true })")
    #expect(result.output.contains("+ the file 'there.csv' with 5 rows"), "\(result)")
    #expect(try String(contentsOfFile: program.folder.file("there.csv"), encoding: .utf8) == "x")
  }

  @Test func whatGoesToTheOutputGoesThere() throws {
    let result = try run("export(Quake:limit(1), '-', { mode = 'csv', columns = { 'code' } })")
    #expect(result.output.hasPrefix("code\n"), "\(result)")
  }
}
