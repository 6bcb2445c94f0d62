import Foundation
import TestSupport
import Testing

/// `.readers` lists and sets the programs that read other kinds of files.
@Suite struct ReadersCommandTests {
  private let program: BuiltProgram

  init() throws { program = try BuiltProgram() }

  /// Sets the reader of a suffix for later runs.
  private func set(_ words: String) throws {
    let result = try program.run(["-e", ".readers " + words])
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test func aProgramReadsRowsWhateverTheFileIsCalled() throws {
    try set("rows cat FILE")
    try set(#"named sh -c 'cat "$PERILUNE_FILE"'"#)
    for name in ["it's; $(touch made) \"a\".rows", "-n.rows", "a b.named"] {
      try program.write(name, "a,b\n1,x\n2,y\n")
      let result = try program.run([
        "-q", "./" + name, "-e", "store.entities[store.model.entityNames[1]]:all():sum 'a'",
      ])
      #expect(result.output == "3\n", "\(name): \(result.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: program.path("made")))
    try program.write("x.rows", "[{\"a\": 5}]")
    #expect(try program.run(["-q", "x.rows", "-e", "X:first().a"]).output == "5\n")
    #expect(try program.run(["-q", ":memory:", "-e", "print(import('Row', 'x.rows').inserted)"]).output == "1\n")
  }

  @Test func whatAProgramUnpacksIsReadByItsOtherSuffix() throws {
    try set("packed cat FILE")
    try program.write("sales.tsv.packed", "a\tb\n1\t\\N\n")
    #expect(try program.run(["-q", "sales.tsv.packed", "-e", "Sale:first().b"]).output == "nil\n")
  }

  @Test func anErrorHasTheProgramsWords() throws {
    try set("bad sh -c 'echo a,b; echo no such table >&2; exit 3'")
    try set("gone no-such-program FILE")
    try program.write("x.bad", "")
    try program.write("x.gone", "")
    let failed = try program.run(["x.bad", "-e", "1"])
    #expect(
      failed.status == 65 && failed.errors == "perilune: error: x.bad: sh ended with status 3: no such table\n",
      "\(failed)")
    let missing = try program.run(["x.gone", "-e", "1"])
    #expect(missing.errors.hasSuffix("no-such-program cannot be run: No such file or directory\n"), "\(missing)")
  }

  @Test func theSandboxRunsNoPrograms() throws {
    try set("rows sh -c 'touch made'")
    try program.write("x.rows", "")
    let result = try program.run(["--sandbox", "x.rows", "-e", "1"])
    #expect(result.status == 77 && result.errors.contains("the sandbox refuses it: no programs run in it"), "\(result)")
    #expect(try program.run(["--sandbox", "-e", ".readers"]).status == 77)
    #expect(!FileManager.default.fileExists(atPath: program.path("made")))
  }

  @Test func theListShowsWhatIsSet() throws {
    try set("rows sh -c 'cat'")
    try set("xz off")
    #expect(try program.run(["-e", ".readers rows", "-e", ".readers xz"]).output == "  rows  sh -c cat\n  xz  off\n")
    try set("rows usual")
    let all = try program.run(["-e", ".readers"]).output
    #expect(all.contains("  parquet  ") && all.contains("  xz       off\n") && !all.contains("rows"), "\(all)")
    #expect(
      try program.run(["-e", ".readers csv cat FILE"]).errors.contains("files of csv are read without a program"))
    try program.write(".config/perilune/readers.json", "{")
    #expect(try program.run(["-e", ".readers rows cat"]).errors.contains("readers.json cannot be read"))
  }

  @Test func aProgramMayWriteADump() throws {
    try set("packed cat FILE")
    try program.write("books.sql.packed", "CREATE TABLE book (title TEXT); INSERT INTO book VALUES ('Emma');")
    #expect(try program.run(["-q", "books.sql.packed", "-e", "print(Book:first().title)"]).output == "Emma\n")
    #expect(
      try program.run(["-q", ":memory:", "-e", "import('Book', 'books.sql.packed')"]).errors.contains(
        "a store of its own: open it"))
  }

  /// The process of a reader that writes its number into a file named `started`.
  private func startedReader() throws -> pid_t {
    var process: pid_t?
    for _ in 0..<6000 where process == nil {
      usleep(10_000)
      process = (try? String(contentsOfFile: program.path("started"), encoding: .utf8)).flatMap {
        pid_t($0.trimmingCharacters(in: .whitespacesAndNewlines))
      }
    }
    return try #require(process)
  }

  private func expectEnd(of process: pid_t) {
    for _ in 0..<6000 where kill(process, 0) == 0 { usleep(10_000) }
    #expect(kill(process, 0) != 0)
  }

  @Test func interruptionEndsTheProgram() throws {
    try set("slow sh -c 'echo $$ > started; sleep 1000 & wait'")
    try program.write("x.slow", "")
    let session = try program.terminal("-q")
    try session.expectPrompt("perilune>")
    session.send(".open x.slow\r")
    let started = try startedReader()
    session.send("\u{3}")
    // The prompt of the line that opened the file is still on the screen.
    expectEnd(of: started)
    try session.expect("in the rows of x.slow")
    session.send("print(6 * 7)\r")
    try session.expect("42")
  }

  @Test func aReaderEndsWithTheProgramThatIsKilled() throws {
    try set("slow sh -c 'echo $$ > started; exec sleep 1000'")
    try program.write("x.slow", "")
    let session = try program.terminal("-q x.slow")
    let started = try startedReader()
    #expect(kill(started, 0) == 0)
    session.signal(SIGKILL)
    expectEnd(of: started)
  }
}
