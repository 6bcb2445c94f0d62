import Foundation
import Glibc
import Testing

/// Every way to end has the status that the documentation gives it, and says why.
@Suite struct ExitStatusTests {
  struct Case: Sendable, CustomStringConvertible {
    var arguments: [String]
    var status: Int32
    var errors: String
    var description: String { arguments.joined(separator: " ") }
  }

  static let cases: [Case] = [
    Case(arguments: ["-e", "1"], status: 0, errors: ""),
    Case(arguments: ["-e", "error('no')"], status: 1, errors: "-e:1: error: no\n"),
    Case(arguments: ["-e", "x = = 1"], status: 1, errors: "-e:1:5: error: "),
    Case(arguments: ["quakes.sqlite", "-e", "Quake:where 'magnitud > 1'"], status: 1, errors: "-e:1:14: error: "),
    Case(arguments: ["--nope"], status: 64, errors: "'--nope'"),
    Case(arguments: ["--mode", "xml"], status: 64, errors: "--mode: expected one of"),
    Case(arguments: ["--timeout", "-1", "-e", "1"], status: 64, errors: "--timeout"),
    Case(arguments: ["--read-only", "--write", "-e", "1"], status: 64, errors: "exclude"),
    Case(arguments: ["test"], status: 64, errors: "there is no test in ."),
    Case(arguments: ["--mode", "csv", "--json", "-e", "1"], status: 64, errors: "--json"),
    Case(arguments: ["--json", "-e", "1"], status: 0, errors: ""),
    Case(arguments: ["check"], status: 64, errors: "perilune check FILE"),
    Case(arguments: ["check", "nothere.lua"], status: 74, errors: "'nothere.lua' cannot be read"),
    Case(arguments: ["check", "x.lua", "--store", "nothere.sqlite"], status: 66, errors: "there is no store"),
    Case(arguments: ["manual"], status: 64, errors: "perilune manual FOLDER"),
    Case(arguments: ["manual", "quakes.sqlite"], status: 74, errors: "cannot be written"),
    Case(arguments: ["types"], status: 64, errors: "perilune types STORE | MODEL"),
    Case(arguments: ["types", "--swift"], status: 64, errors: "a store or a model"),
    Case(arguments: ["types", "--lua", "quakes.sqlite"], status: 0, errors: ""),
    Case(arguments: ["types", "quakes.sqlite"], status: 0, errors: ""),
    Case(arguments: ["types", "nothere.sqlite"], status: 66, errors: "there is no store 'nothere.sqlite'"),
    Case(arguments: ["types", "--lua", "--swift", "quakes.sqlite"], status: 64, errors: "exclude"),
    Case(arguments: ["types", "--schema", "X", "quakes.sqlite"], status: 64, errors: "goes with --swift"),
    Case(arguments: ["test", "--nope"], status: 64, errors: "perilune test [FILE"),
    Case(arguments: ["check", "--json"], status: 64, errors: "expected scripts"),
    Case(arguments: ["doctor"], status: 64, errors: "perilune doctor STORE"),
    Case(arguments: ["doctor", "quakes.sqlite"], status: 0, errors: ""),
    Case(arguments: ["help", "nope"], status: 64, errors: "there is no command 'nope'; there are init, doc, doctor"),
    Case(arguments: ["doc"], status: 64, errors: "a store or a model"),
    Case(arguments: ["doc", "quakes.sqlite"], status: 0, errors: ""),
    Case(arguments: ["doc", "nothere.sqlite"], status: 66, errors: "there is no store 'nothere.sqlite'"),
    Case(arguments: ["doc", "--svg", "--into", "x", "quakes.sqlite"], status: 64, errors: "exclude"),
    Case(arguments: ["doc", "--into", "quakes.sqlite/x", "quakes.sqlite"], status: 74, errors: "cannot be made"),
    Case(arguments: ["init", "quakes.sqlite"], status: 74, errors: "quakes.sqlite"),
    Case(arguments: ["help"], status: 0, errors: ""),
    Case(arguments: ["types", "--swift", "nothere.sqlite"], status: 66, errors: "there is no store 'nothere.sqlite'"),
    Case(arguments: ["types", "--swift", "rubbish.sqlite"], status: 69, errors: "not an SQLite file"),
    Case(arguments: ["types", "--swift", "quakes.sqlite"], status: 0, errors: ""),
    // A misspelt command is no store.
    Case(
      arguments: ["chekc", "x.lua"], status: 64,
      errors: "there is no command 'chekc'; did you mean 'check'? A store of that name would be ./chekc"),
    Case(arguments: ["-q", "docter", "quakes.sqlite"], status: 64, errors: "did you mean 'doctor'?"),
    Case(arguments: ["./chekc", "-e", "1"], status: 66, errors: "there is no store './chekc'"),
    Case(arguments: ["elsewhere", "-e", "1"], status: 66, errors: "there is no store 'elsewhere'"),
    Case(arguments: ["--create", "tets", "-e", "store.path"], status: 0, errors: ""),
    Case(arguments: ["nothere.sqlite", "-e", "1"], status: 66, errors: "there is no store 'nothere.sqlite'"),
    Case(arguments: [".", "-e", "1"], status: 66, errors: "directory"),
    Case(arguments: ["rubbish.sqlite", "-e", "1"], status: 69, errors: "not an SQLite file"),
    Case(arguments: ["cut.sqlite", "-e", "1"], status: 69, errors: "cut off"),
    Case(arguments: ["--model", "App.mom", "-e", "1"], status: 69, errors: "is not a model"),
    Case(arguments: ["nothere.lua"], status: 74, errors: "'nothere.lua' cannot be read"),
    Case(arguments: ["quakes.sqlite", "."], status: 74, errors: "'.' cannot be read"),
    Case(arguments: ["quakes.sqlite", "--read-only", "-e", "Quake { code = 'x' }"], status: 77, errors: "read-only"),
    Case(arguments: ["--timeout", "0.2", "-e", "while true do end"], status: 124, errors: "time limit"),
    Case(arguments: ["-e", "os.exit(7)"], status: 7, errors: ""),
    Case(arguments: ["-e", "io.write 'x' os.exit(true)"], status: 0, errors: ""),
    Case(arguments: ["-e", "os.exit(false)"], status: 1, errors: ""),
    Case(arguments: ["-e", "pcall(os.exit, 9) print 'never'"], status: 9, errors: ""),
  ]

  private func prepare(_ program: BuiltProgram) throws {
    try program.write("rubbish.sqlite", String(repeating: "This is no database. ", count: 100))
    try program.write("App.mom", "x")
    let whole = try Data(contentsOf: URL(filePath: program.path("quakes.sqlite")))
    try whole.prefix(4096 + 100).write(to: URL(filePath: program.path("cut.sqlite")))
  }

  @Test(arguments: cases)
  func aRunEndsWith(_ example: Case) throws {
    let program = try BuiltProgram.withStore()
    try prepare(program)
    let result = try program.run(example.arguments)
    #expect(result.status == example.status, "\(result.errors)")
    #expect(example.errors.isEmpty ? result.errors.isEmpty : result.errors.contains(example.errors), "\(result.errors)")
  }

  @Test func anErrorInDataThatIsImportedIs65() throws {
    let program = try BuiltProgram.withStore()
    try program.write("bad.csv", "code,magnitude\na,1\nb,much\n")
    let result = try program.run(["quakes.sqlite", "-e", "import(Quake, 'bad.csv')"])
    #expect(result.status == 65)
    #expect(
      result.errors.hasPrefix("-e:1: error: bad.csv:3:3: row 2, column magnitude: Quake.magnitude: expected Double"),
      "\(result.errors)")
    #expect(try program.run(["quakes.sqlite", "-e", "Quake:count()"]).output == "5\n")
  }

  @Test func aStoreThatSomebodyElseWritesToIs75() throws {
    let program = try BuiltProgram.withStore()
    let script = """
      mkfifo commands; sqlite3 quakes.sqlite < commands & exec 3> commands
      printf "BEGIN IMMEDIATE; INSERT INTO quake (code) VALUES ('other');\n.shell touch ready\n" >&3
      while [ ! -e ready ]; do sleep 0.02; done
      perilune -e 'local s = open("quakes.sqlite", { busyTimeout = 0.2 }) s.entities.Quake { code = "x" } s.context:save()'
      status=$?
      exec 3>&-
      exit $status
      """
    let result = try program.shell(["bash", "-c", script])
    #expect(result.status == 75, "\(result.errors)")
    #expect(result.errors.contains("locked by"), "\(result.errors)")
  }

  @Test func aFileWithoutRightsIs66() throws {
    guard getuid() != 0 else { return }
    let program = try BuiltProgram.withStore()
    chmod(program.path("quakes.sqlite"), 0)
    let result = try program.run(["quakes.sqlite", "-e", "1"])
    #expect(result.status == 66)
  }

  @Test func aReaderThatLeavesEndsTheRunQuietly() throws {
    let program = try BuiltProgram.withStore()
    for code in ["while true do print('a line of text') end", "while true do show(Quake:all()) end"] {
      let result = try program.shell([
        "bash", "-c", "perilune quakes.sqlite -e \"\(code)\" | head -1; exit ${PIPESTATUS[0]}",
      ])
      #expect(result.status == 141, "\(code)")
      #expect(result.errors.isEmpty, "\(result.errors)")
    }
  }

  @Test func outputThatCannotBeWrittenIsAnError() throws {
    let program = try BuiltProgram.withStore()
    for code in ["show(Quake:all())", "print(1)", "Quake:all()"] {
      let result = try program.shell(["bash", "-c", "perilune quakes.sqlite -e '\(code)' > /dev/full"])
      #expect(result.status == 74, "\(code): \(result.errors)")
      #expect(result.errors.contains("cannot be written"), "\(code): \(result.errors)")
    }
  }

  @Test(arguments: [
    "while true do end", "perilune.sql 'SELECT 1' while true do end", "pcall(function() while true do end end)",
    "local _ = ('a'):rep(40):find(('a?'):rep(40) .. ('a'):rep(40))",
    "store:sql 'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c'",
  ])
  func anInterruptEndsABatchRun(code: String) throws {
    let program = try BuiltProgram.withStore()
    try program.write("s.lua", "io.stderr:write('ready\\n')\n" + code)
    let script = """
      perilune quakes.sqlite s.lua 2> messages & pid=$!
      while ! grep -q ready messages; do sleep 0.02; done
      sleep 0.1; kill -INT $pid; start=$(date +%s%N); wait $pid; status=$?
      echo $(( ($(date +%s%N) - start) / 1000000 )) > time
      exit $status
      """
    let result = try program.shell(["bash", "-c", "set -m; " + script])
    #expect(result.status == 130, "\(result.errors)")
    let took = Int(try String(contentsOfFile: program.path("time"), encoding: .utf8).filter(\.isNumber)) ?? .max
    #expect(took < 1000, "\(took) ms")
    #expect(try String(contentsOfFile: program.path("messages"), encoding: .utf8).contains("stopped after"))
  }
}
