import Foundation
import TestSupport
import Testing

/// Files of rows on the command line become a store in memory.
@Suite struct DataFileTests {
  @Test func rowsAreOpenedInPlaceOfAStore() throws {
    let program = try BuiltProgram.withStore()
    try program.write("rows.csv", "a,b\n1,2\n3,4\n")
    let lines = [".open rows.csv", ".entities", "Row:count()", ".open quakes.sqlite", "Quake:count()"]
    let result = try program.run(["quakes.sqlite"] + lines.flatMap { ["-e", $0] })
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("Row") && result.output.hasSuffix("2\n5\n"), "\(result.output)")
    let session = try program.terminal("-q quakes.sqlite")
    try session.expect("quakes> ")
    session.send(".open rows.csv\r")
    try session.expectPrompt("rows>")
    session.send(".open :memory:\r")
    try session.expectPrompt("perilune>")
    session.send(".open nothere.csv\r")
    try session.expect("nothere.csv")
    try session.expectPrompt("perilune>")
  }

  private static let sales = """
    Date;Unit Price;Qty;Zip
    2024-01-02;12,50;3;01067
    2024-01-03;7,25;;10115

    """

  @Test func aFileOfRowsBecomesAStoreAndOneLineSaysSo() throws {
    let program = try BuiltProgram()
    try program.write("sales.csv", Self.sales)
    let result = try program.run(["sales.csv", "-e", "Sale:all():sum 'unitPrice'", "-e", "Sale:find(1).zip"])
    #expect(result.output == "19.75\n01067\n")
    #expect(result.errors == "2 rows → Sale: date Date, unitPrice Double, qty Int, zip String\n")
    #expect(try program.run(["-q", "sales.csv", "-e", "1"]).errors == "")
    #expect(try String(contentsOfFile: program.path("sales.csv"), encoding: .utf8) == Self.sales)
  }

  @Test func severalFilesAreSeveralEntitiesAndAScriptMayFollow() throws {
    let program = try BuiltProgram()
    try program.write("sales.csv", Self.sales)
    try program.write("cities.json", #"[{"name": "Oslo", "tags": ["a"]}]"#)
    try program.write("dates.tsv", "when\tn\n2024-01-01\t\\N\n")
    try program.write("log.ndjson", "{\"a\": 1}\n{\"a\": 2}\n")
    try program.write("x.lua", "print(Sale:count(), City:first().tags[1], DateRow and 1, Log:count(), ...)")
    try program.write("date.csv", "n\n5\n")
    let result = try program.run(["-q", "sales.csv", "cities.json", "date.csv", "log.ndjson", "x.lua", "--all"])
    #expect(result.output == "2\ta\t1\t2\t--all\n", "\(result.errors)")
    #expect(try program.run(["-q", "dates.tsv", "-e", "print(DateRow:first().n)"]).output == "nil\n")
  }

  @Test(arguments: ["print(1)", "a,b"])
  func aPipeThatCannotBeKeptWholeEndsTheRunBeforeAnyOfItRuns(_ line: String) throws {
    let program = try BuiltProgram()
    // Files may have a kilobyte at most, and the signal that tells of it is ignored. What fills the pipe may find it closed.
    let pipe = "{ yes '\(line)' | head -c 400000; } 2>/dev/null"
    let command = "trap '' XFSZ; ulimit -f 1; \(pipe) | \(BuiltProgram.executable) - -e 'print(2)'"
    let result = try program.shell(["/bin/bash", "-c", command])
    #expect(result.status == 74 && result.output.isEmpty, "\(result.output)")
    #expect(
      result.errors == "perilune: error: standard input cannot be kept in a temporary file: File too large\n")
  }

  @Test func aPipeIsReadWhereNoTemporaryFileCanBeMade() throws {
    let program = try BuiltProgram()
    let nowhere = ["TMPDIR": program.path("nowhere")]
    #expect(try program.run(["-"], input: "print(1)\n", environment: nowhere).output == "1\n")
    let rows = try program.run(["-q", "-", "-e", "Row:count()"], input: "a,b\n1,2\n", environment: nowhere)
    #expect(rows.output == "1\n", "\(rows.errors)")
  }

  @Test func standardInputIsAScriptOrRowsByWhatItBrings() throws {
    let program = try BuiltProgram()
    func piped(_ text: String, _ words: String) throws -> BuiltProgram.Result {
      try program.shell(["bash", "-c", "printf '%s' \"$0\" | perilune \(words)", text])
    }
    #expect(try piped("a,b\n1,2\n3,4\n", "-q - -e 'Row:all():sum \"b\"'").output == "6\n")
    #expect(try piped("{\"a\": 1}\n{\"a\": 2}", "-q - -e 'Row:count()'").output == "2\n")
    #expect(try piped("a,b\n1,2\n", "-").errors == "1 row → Row: a Int, b Int\n")
    #expect(try piped("name\nAnna\n", "-q --from csv - -e 'Row:first().name'").output == "Anna\n")
    #expect(try piped("print(1, 2)\nprint(3, 4)\n", "-").output == "1\t2\n3\t4\n")
    #expect(try piped("print(...)", "- x").output == "x\n")
    let wrong = try piped("x = = 1", "-")
    #expect(wrong.status == 1 && wrong.errors.hasPrefix("stdin:1:5: error: "), "\(wrong.errors)")
    #expect(try program.run(["-q", "--from", "csv", "-", "-e", "Row:count()"], input: "a,b\n1,2\n").output == "1\n")
  }

  @Test func aPipeWithANameIsReadLikeAFile() throws {
    let program = try BuiltProgram()
    let result = try program.shell(
      ["bash", "-c", "perilune -q --from csv <(printf 'a;b\\n1;2,5\\n') -e 'Row:first().b'"])
    #expect(result.output == "2.5\n", "\(result.errors)")
  }

  @Test func whatIsWrongInAFileHasItsPlaceAndStatus65() throws {
    let program = try BuiltProgram.withStore()
    try program.write("bad.csv", "a,b\n1,2\n1,2,3\n")
    try program.write("open.csv", "a,b\n\"1,2\n")
    try program.write("empty.csv", "")
    try program.write("bad.json", "[{\"a\": }]")
    try program.write("value.csv", "code,magnitude\na,1\nb,much\n")
    try program.write("column.csv", "code,magnitud\na,1\n")
    for (arguments, message) in [
      (["bad.csv", "-e", "1"], "bad.csv:3:5: expected 2 fields, found 3"),
      (["open.csv", "-e", "1"], "open.csv:2:1: the quote is never closed"),
      (["empty.csv", "-e", "1"], "empty.csv: the file is empty"),
      (["bad.json", "-e", "1"], "bad.json:1:8: expected a value"),
      (
        ["quakes.sqlite", "-e", "import(Quake, 'value.csv')"],
        "value.csv:3:3: row 2, column magnitude: Quake.magnitude: expected Double"
      ),
      (
        ["quakes.sqlite", "-e", "import(Quake, 'column.csv')"],
        "column.csv:1:6: column magnitud: Quake has no property 'magnitud' (map says"
      ),
      (["quakes.sqlite", "-e", ".import value.csv Quake"], "value.csv:3:3: row 2, column magnitude"),
      (["quakes.sqlite", "-e", ".import column.csv Quake"], "column.csv:1:6: column magnitud"),
    ] {
      let result = try program.run(arguments)
      #expect(result.status == 65, "\(arguments): \(result.errors)")
      #expect(result.errors.contains(message), "\(result.errors)")
    }
    #expect(try program.run(["nope.csv", "-e", "1"]).status == 74)
    #expect(try program.run(["quakes.sqlite", "-e", "Quake:count()"]).output == "5\n")
  }

  @Test func importMakesTheEntityWhereThereIsNone() throws {
    let program = try BuiltProgram.withStore()
    try program.write("sales.csv", Self.sales)
    let script = """
      local report = import("Sale", "sales.csv", { upsert = "zip", map = { Qty = "quantity", Date = false } })
      print(report.inserted, Sale:count(), Quake:count(), Sale:first().quantity, Sale:find("01067").unitPrice)
      report = import("Sale", "sales.csv", { upsert = "zip", map = { Qty = "quantity", Date = false } })
      print(report.inserted, report.updated, Sale:count())
      Sale { zip = "1" }
      print(pcall(import, "Other", "sales.csv"))
      """
    try program.write("x.lua", script)
    let run = try program.run(["quakes.sqlite", "x.lua"])
    #expect(
      run.output.hasPrefix("2\t2\t5\t3\t12.5\n0\t2\t2\nfalse\timport: the store is opened anew"),
      "\(run.output)\(run.errors)")
    #expect(try program.run(["quakes.sqlite", "-e", "Sale:count()", "-e", "Quake:count()"]).output == "2\n5\n")
  }

  @Test func aTableIsMadeInAnySQLiteFile() throws {
    let program = try BuiltProgram()
    try program.write("sales.csv", Self.sales)
    let make = try program.shell([
      "sqlite3", "plain.db", "create table city (name text); insert into city values ('Oslo')",
    ])
    #expect(make.status == 0)
    let result = try program.run(
      [
        "plain.db", "-e", ".import sales.csv", "-e", "City:count()", "-e", "Sale:first().date", "-e",
        ".import sales.csv Sale",
      ])
    #expect(result.output == "1\n2024-01-02T00:00:00Z\n", "\(result.errors)")
    let rows = try program.shell(["sqlite3", "plain.db", "select zip, unitPrice from sale order by 1"])
    #expect(rows.output == "01067|12.5\n01067|12.5\n10115|7.25\n10115|7.25\n")
  }

  @Test func aDryRunKeepsTheRowsAndTakesBackTheRest() throws {
    let program = try BuiltProgram()
    try program.write("sales.csv", Self.sales)
    let result = try program.run(["-q", "--dry-run", "sales.csv", "-e", "Sale:all():delete() print(Sale:count())"])
    #expect(result.output == "0\n- 2 Sale by batch requests or SQL\nnothing of this was kept\n", "\(result.errors)")
  }

  @Test func theStoreIsKeptAsAFile() throws {
    let program = try BuiltProgram()
    try program.write("sales.csv", Self.sales)
    let session = try program.terminal("sales.csv", columns: 100, rows: 40)
    try session.expect("2 rows → Sale: date Date, unitPrice Double, qty Int, zip String")
    try session.expect("sales> ")
    session.send("Sale:find(1).qty = 4\r.save kept.sqlite\r")
    try session.expect("kept.sqlite (1 entity, ")
    try session.expect("kept> ")
    session.send(".import sales.csv\r")
    try session.expect("2 rows → Sale\nkept> ")
    session.send(".import sales.csv Other --map Zip= --upsert qty\r")
    try session.expect("2 rows → Other: date Date, unitPrice Double, qty Int")
    try session.expect("kept> ")
    session.send("\u{4}")
    #expect(try session.waitForExit() == 0)
    let result = try program.run(["kept.sqlite", "-e", "Sale:find(1).qty", "-e", "Sale:count()", "-e", "Other:count()"])
    #expect(result.output == "4\n4\n2\n", "\(result.errors)")
  }

  @Test func rowsFromAPipeLeaveTheTerminalForThePrompt() throws {
    let program = try BuiltProgram()
    let session = try PTYSession(
      executable: "/bin/sh", arguments: ["-c", "cd '\(program.folder.path)' && printf 'a,b\\n1,2\\n' | perilune -"],
      environment: program.environment.merging(["NO_COLOR": "1"]) { $1 }, columns: 100, rows: 40)
    try session.expect("1 row → Row: a Int, b Int")
    try session.expect("rows> ")
    session.send("Row:first().b\r")
    try session.expect("\n2\nrows> ")
    session.send("exit\r")
    #expect(try session.waitForExit() == 0)
  }

  @Test(arguments: [["--from", "csv", "-"], ["-"]]) func inputWithoutAnEndEndsWithTheTimeLimit(_ words: [String]) throws
  {
    let program = try BuiltProgram()
    let command = "perilune --timeout 1 \(words.joined(separator: " "))"
    for source in ["yes 1,2 2>/dev/null", "sleep 3"] {
      let result = try program.shell(["bash", "-c", "\(source) | \(command); echo ${PIPESTATUS[1]}"])
      #expect(result.output == "124\n", "\(source): \(result)")
      #expect(result.errors == "perilune: error: the time limit ended before standard input did\n")
    }
  }
}
