import Foundation
import TestSupport
import Testing

@Suite struct SubsetRunTests {
  @Test func aSubsetIsAStoreWithAReportOfWhatWasTaken() throws {
    let program = try BuiltProgram.withStore()
    let made = try program.run([
      "subset", "quakes.sqlite", "part.sqlite", "--from", "Quake where magnitude > 4", "--follow", "reports",
      "--mask", "*.text=text",
    ])
    #expect(made.status == 0, "\(made.errors)")
    #expect(made.output == "2 Quake: magnitude > 4\n1 Report: Quake.reports is followed\n")
    let names = try FileManager.default.contentsOfDirectory(atPath: program.path("."))
    #expect(names.filter { $0.contains("part") } == ["part.sqlite"], "\(names)")
    let read = try program.run([
      "part.sqlite", "-e",
      "local r = Report:first() print(Quake:count(), r.quake.code, r.text ~= 'felt it', #r.text, #store:verify())",
    ])
    #expect(read.output == "2\tus5\ttrue\t7\t0\n", "\(read)")
    let open = try program.run(["subset", "quakes.sqlite", "--list-unmasked", "--mask", "*.text=text"])
    #expect(open.output == "Quake.code\nQuake.place\n", "\(open)")
  }

  @Test func nothingIsLeftOfASubsetThatFails() throws {
    let program = try BuiltProgram.withStore()
    let before = try FileManager.default.contentsOfDirectory(atPath: program.path("."))
    for (arguments, message, status) in [
      (["--from", "Quak"], "the store has no entity 'Quak'; did you mean 'Quake'?", Int32(1)),
      (["--from", "Quake where depht > 1"], "depht", 1),
      (["--follow", "reprts"], "no entity has a relationship 'reprts' to follow; did you mean 'reports'?", 1),
      (["--sample", "0"], "--sample: expected a share above 0 and up to 1, got 0.0", 64),
    ] {
      let failed = try program.run(["subset", "quakes.sqlite", "part.sqlite"] + arguments)
      #expect(failed.errors.contains(message) && failed.status == status, "\(failed)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: program.path(".")).sorted() == before.sorted())
    }
    try program.write("part.sqlite", "mine")
    let there = try program.run(["subset", "quakes.sqlite", "part.sqlite"])
    #expect(there.errors.contains("'part.sqlite' cannot be made: there is a file already"), "\(there)")
    #expect(there.status == 74)
    #expect(try String(contentsOfFile: program.path("part.sqlite"), encoding: .utf8) == "mine")
  }

  /// Husbands and wives, who each need the other, with a key of a type, and what the columns end in that refer to it.
  private func couples(key type: String, suffix: String = "") throws -> BuiltProgram {
    let program = try BuiltProgram()
    let sql = """
      CREATE TABLE husband (id \(type) PRIMARY KEY, wife\(suffix) \(type) NOT NULL REFERENCES wife (id));
      CREATE TABLE wife (id \(type) PRIMARY KEY, husband\(suffix) \(type) NOT NULL REFERENCES husband (id));
      BEGIN; PRAGMA defer_foreign_keys = ON;
      INSERT INTO husband VALUES (1, 1), (2, 2); INSERT INTO wife VALUES (1, 1), (2, 2); COMMIT;
      """
    let make = "import sqlite3; sqlite3.connect('couples.sqlite').executescript(\"\"\"\(sql)\"\"\")"
    let made = try program.shell(["python3", "-c", make])
    #expect(made.status == 0, "\(made)")
    return program
  }

  @Test func mandatoryReferencesInACircleAreCopiedWithTheirColumns() throws {
    let program = try couples(key: "INTEGER", suffix: "_id")
    let made = try program.run(["subset", "couples.sqlite", "part.sqlite", "--from", "Husband where id == 2"])
    #expect(made.status == 0 && made.output == "1 Husband: id == 2\n1 Wife: Husband.wife is mandatory\n", "\(made)")
    let read = try program.run(["part.sqlite", "-e", "print(Wife:first().husband.id, #store:verify())"])
    #expect(read.output == "2\t0\n", "\(read)")
  }

  @Test(arguments: ["TEXT", "INTEGER"])
  func mandatoryReferencesInACircleThatNoRowCanBeginAreAnError(_ type: String) throws {
    let program = try couples(key: type)
    let made = try program.run(["subset", "couples.sqlite", "part.sqlite", "--from", "Husband"])
    #expect(made.status == 1)
    #expect(
      made.errors
        == "perilune: error: Wife.husband and Husband.wife are mandatory and lead back to the first, so that no row can be written before the others\n"
    )
    #expect(!FileManager.default.fileExists(atPath: program.path("part.sqlite")))
  }

  @Test func aMaskOfAKeyThatOthersUseIsRefusedBeforeTheFirstRow() throws {
    let program = try couples(key: "INTEGER", suffix: "_id")
    let refused = try program.run(["subset", "couples.sqlite", "part.sqlite", "--mask", "Husband.wife_id=text"])
    #expect(
      refused.errors
        == "perilune: error: mask: Husband.wife_id is how Husband.wife names its Wife; mask the attribute of Wife instead\n",
      "\(refused)")
    #expect(refused.status == 1)
    #expect(!FileManager.default.fileExists(atPath: program.path("part.sqlite")))
  }

  @Test(.enabled(if: PostgresServer.isInstalled)) func aDatabaseOnAServerIsTakenFromAndWritten() throws {
    let program = try BuiltProgram.withStore()
    let server = try PostgresServer.shared.get()
    let address = server.address(of: try server.makeDatabase(for: "subset"))
    let written = try program.run(["subset", "quakes.sqlite", address, "--from", "Quake where magnitude > 2"])
    #expect(written.status == 0 && written.output.hasPrefix("4 Quake: magnitude > 2\n"), "\(written)")
    let again = try program.run(["subset", "quakes.sqlite", address])
    #expect(again.status != 0 && again.errors.contains("Quake"), "\(again)")
    let taken = try program.run(["subset", address, "part.sqlite", "--from", "Quake where magnitude > 4"])
    #expect(taken.status == 0 && taken.output.hasPrefix("2 Quake: magnitude > 4\n"), "\(taken)")
    let read = try program.run(["part.sqlite", "-e", "print(Quake:count(), #store:verify())"])
    #expect(read.output == "2\t0\n", "\(read)")
  }

  @Test func textsOfDatesAndWhatNamesOthersStayAsTheyAre() throws {
    let program = try BuiltProgram()
    let sql = """
      CREATE TABLE user (email TEXT PRIMARY KEY, name TEXT);
      CREATE TABLE login (id INTEGER PRIMARY KEY, user_email TEXT NOT NULL REFERENCES user (email), at TEXT,
        "until" DATETIME);
      INSERT INTO user VALUES ('a@b.org', 'Ann'), ('c@d.org', 'Bob');
      INSERT INTO login VALUES (1, 'a@b.org', '2024-01-01', '2024-01-02T03:04:05Z'), (2, 'c@d.org', '2024-02-01', NULL);
      """
    let make = "import sqlite3; sqlite3.connect('web.sqlite').executescript(\"\"\"\(sql)\"\"\")"
    #expect(try program.shell(["python3", "-c", make]).status == 0)
    let open = try program.run(["subset", "web.sqlite", "--list-unmasked", "--mask", "User.email=email"])
    #expect(open.output == "User.name\n", "\(open)")
    let made = try program.run([
      "subset", "web.sqlite", "part.sqlite", "--from", "Login where id == 1", "--mask", "User.email=email",
    ])
    #expect(made.status == 0, "\(made)")
    let rows =
      "import sqlite3; print(sqlite3.connect('part.sqlite').execute('SELECT at, \"until\", user_email = email, name FROM login, user').fetchall())"
    #expect(
      try program.shell(["python3", "-c", rows]).output == "[('2024-01-01', '2024-01-02T03:04:05Z', 1, 'Ann')]\n")
  }

  @Test func aDryRunShowsWhatWouldBeTaken() throws {
    let program = try BuiltProgram.withStore()
    let shown = try program.run(["subset", "quakes.sqlite", "--from", "Report", "--dry-run"])
    #expect(shown.status == 0 && shown.output == "1 Report: all\nnot followed: 1 Quake by Report.quake\n", "\(shown)")
  }
}
