import Foundation
import Testing

@Suite struct VerifyCommandTests {
  @Test func aSoundStoreIsSaidToBeSo() throws {
    let program = try BuiltProgram.withStore()
    let result = try program.run(["quakes.sqlite"], input: ".verify\n")
    #expect(result.status == 0)
    #expect(result.output == "nothing wrong with quakes.sqlite\n")
    let data = try program.run(["--mode", "json", "quakes.sqlite"], input: ".verify\n")
    #expect(data.status == 0)
    #expect(data.output == "[]\n")
  }

  @Test func problemsAreATableAndAStatus() throws {
    let program = try BuiltProgram.withStore()
    let damage = "PRAGMA foreign_keys = OFF; UPDATE report SET quake_pk = 99"
    #expect(try program.run(["quakes.sqlite", "-e", "store:sql '\(damage)'"]).status == 0)
    let result = try program.run(["--mode", "csv", "quakes.sqlite"], input: ".verify\nprint 'not reached'\n")
    #expect(result.status == 1)
    #expect(result.errors == "")
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(lines.first == "rule,place,row,problem,expected,found")
    #expect(lines.dropFirst().first?.hasPrefix("foreignKey,report,1,") == true)
    #expect(lines.count == 2)
    let table = try program.run(["--mode", "table", "quakes.sqlite"], input: ".verify\n").output
    #expect(table.contains("foreignKey") && table.contains("a row of quake"))
  }

  @Test func storesOfOthersAreVerifiedToo() throws {
    let program = try BuiltProgram()
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().path
    #expect(try program.shell(["python3", root + "/Examples/app-store/make.py", "Recipes.sqlite"]).status == 0)
    #expect(try program.run(["Recipes.sqlite"], input: ".verify\n").output == "nothing wrong with Recipes.sqlite\n")
    let damage = "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_ENT = 5; CREATE TABLE plain (id INTEGER PRIMARY KEY)"
    let make = "import sqlite3; sqlite3.connect('Recipes.sqlite').executescript(\"\(damage)\")"
    #expect(try program.shell(["python3", "-c", make]).status == 0)
    let result = try program.run(["--mode", "json", "Recipes.sqlite"], input: ".verify\n")
    #expect(result.status == 1)
    #expect(result.output.contains("\"rule\":\"highestKey\",\"place\":\"Z_PRIMARYKEY.Step\",\"row\":10"))
    let plain = "import sqlite3; sqlite3.connect('plain.sqlite').executescript('CREATE TABLE t (a)')"
    #expect(try program.shell(["python3", "-c", plain]).status == 0)
    #expect(try program.run(["plain.sqlite"], input: ".verify\n").output == "nothing wrong with plain.sqlite\n")
  }

  @Test func withoutAStoreThereIsNothingToVerify() throws {
    let program = try BuiltProgram()
    let result = try program.run([], input: ".verify\n")
    #expect(result.status == 66)
    #expect(result.errors.contains("no store is open"))
    #expect(try program.run([], input: ".verify it\n").errors.contains(".verify"))
  }
}
