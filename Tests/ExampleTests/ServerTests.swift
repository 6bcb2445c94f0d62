import Foundation
import TestSupport
import Testing

/// What a script prints on a file it prints on a server, byte for byte.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct ServerTests {
  /// Examples whose stores can be anywhere.
  static let scripts = [
    "01-model", "02-fetch", "03-predicates", "04-relationships", "05-batch", "06-export", "07-undo", "08-conflicts",
    "09-workbench", "10-live",
  ]

  @Test(arguments: scripts)
  func examplesPrintTheSameOnAServer(name: String) throws {
    let folder = try TemporaryFolder()
    let examples = Perilune.root.appending(path: "Examples")
    var source = try String(contentsOf: examples.appending(path: "\(name).lua"), encoding: .utf8)
    let expected = try String(contentsOf: examples.appending(path: "\(name).expected"), encoding: .utf8)
    // Each store in memory is a new database.
    let server = try PostgresServer.shared.get()
    let addresses = try (0..<8).map { _ in "\"\(server.address(of: try server.makeDatabase(for: "example")))\"" }
    source = source.replacing("open(\":memory:\", {", with: "open(address(), { create = true,")
    source =
      "local addresses = { \(addresses.joined(separator: ", ")) }\n"
      + "local function address() return table.remove(addresses) end\n" + source
    try source.write(toFile: folder.file("example.lua"), atomically: true, encoding: .utf8)
    let output = try Perilune.run(["example.lua"], in: folder)
    #expect(output.status == 0, "\(output.errors)")
    #expect(visibleLines(output.text) == visibleLines(expected))
  }

  @Test func aFileIsCopiedToAServerAndBack() throws {
    let folder = try TemporaryFolder()
    try SampleStore.quakes.copy(to: folder)
    let server = try PostgresServer.shared.get()
    let address = server.address(of: try server.makeDatabase(for: "copy"))
    let report = """
      print(Quake:count(), Station:count(), Report:count(), Network:count())
      print(Quake:where("ANY reports.intensity >= 8"):count(), Quake:where("place CONTAINS[c] 'CHILE'"):count())
      for _, q in ipairs(Quake:all():sorted("-magnitude", "code"):limit(5):fetch()) do
        print(q.code, q.magnitude, q.place, q.time, q.day, #q.reports, #q.stations)
      end
      for _, g in ipairs(Quake:groupBy("status", { n = "count", sum = "sum(magnitude)", deepest = "max(depth)" })) do
        print(g.status, g.n, g.sum, g.deepest)
      end
      print(Quake:all():sum("magnitude"), Quake:all():average("depth"))
      local sections = SectionedFetchRequest { entity = Quake, sectionIdentifier = "day", sortDescriptors = { "-time" } }:live()
      print(#sections, sections[1].id, #sections[1])
      """
    try report.write(toFile: folder.file("report.lua"), atomically: true, encoding: .utf8)
    try """
    local file = open "quakes.sqlite"
    local copied = file:copy(open("\(address)", { create = true, model = file.model }))
    print(copied.counts.Quake, #copied.leftOut)
    local back = open("back.sqlite", { create = true, model = file.model })
    print(open("\(address)"):copy(back).counts.Report)
    """.write(toFile: folder.file("copy.lua"), atomically: true, encoding: .utf8)
    let copied = try Perilune.run(["copy.lua"], in: folder)
    #expect(copied.status == 0, "\(copied.errors)")
    let reports = try ["quakes.sqlite", address, "back.sqlite"].map { store in
      let output = try Perilune.run([store, "report.lua"], in: folder)
      #expect(output.status == 0, "\(store): \(output.errors)")
      return output.text
    }
    #expect(!reports[0].isEmpty && reports[1] == reports[0] && reports[2] == reports[0])
  }

  @Test func whatOnlyFilesHaveIsRefusedByName() throws {
    let folder = try TemporaryFolder()
    let server = try PostgresServer.shared.get()
    let database = try server.makeDatabase(for: "refused")
    try server.psql(database, "CREATE TABLE note (id int PRIMARY KEY, text text)")
    let output = try Perilune.run(
      [server.address(of: database), "-e", "print(#store:verify()) print(pcall(store.backup, store, 'x'))"],
      in: folder)
    #expect(output.text.hasPrefix("0\nfalse"), "\(output)")
    #expect(output.text.contains("store:copy(other) copies its objects"), "\(output)")
    try "a\n1\n".write(toFile: folder.file("a.csv"), atomically: true, encoding: .utf8)
    let added = try Perilune.run([server.address(of: database), "-e", "import('Other', 'a.csv')"], in: folder)
    #expect(added.status == 1 && added.errors.contains("is given no entity here"), "\(added)")
  }

  @Test func aDatabaseIsExaminedAsAFileIs() throws {
    let folder = try TemporaryFolder()
    let server = try PostgresServer.shared.get()
    let database = try server.makeDatabase(for: "examined")
    try server.psql(
      database,
      "CREATE TABLE note (id int PRIMARY KEY, above int REFERENCES note); INSERT INTO note VALUES (1, NULL), (2, 1)")
    let address = server.address(of: database)
    for arguments in [["doctor", address], [address, "-e", ".doctor"]] {
      let output = try Perilune.run(arguments, in: folder)
      #expect(output.status == 0, "\(output)")
      for line in [
        "made by      other programs, in PostgreSQL", "nothing wrong with what was read", "Note: 2 rows",
        "note.above: ",
      ] {
        #expect(output.text.contains(line), "\(arguments): \(output.text)")
      }
    }
    let report = try Perilune.run(["doctor", "--json", address], in: folder)
    #expect(report.text.contains(#""server":"PostgreSQL "#), "\(report)")
    #expect(try Perilune.run([address, "-e", ".verify"], in: folder).text.hasPrefix("nothing wrong with "))
    let missing = try Perilune.run(["doctor", server.address(of: "nowhere")], in: folder)
    #expect(missing.status != 0 && missing.text.contains("cannot open"), "\(missing)")
  }

  @Test func tablesAreShownInTheServersWords() throws {
    let folder = try TemporaryFolder()
    let server = try PostgresServer.shared.get()
    let database = try server.makeDatabase(for: "tables")
    try server.psql(
      database,
      "CREATE TABLE note (id int PRIMARY KEY, text text); CREATE INDEX note_text ON note (text); "
        + "CREATE TABLE spare (); INSERT INTO note VALUES (1, E'a\\u001bb')")
    func output(_ arguments: [String]) throws -> String {
      let run = try Perilune.run([server.address(of: database)] + arguments, in: folder)
      #expect(run.status == 0, "\(run.errors)")
      return run.text
    }
    #expect(try output(["-e", ".tables"]) == "note\nspare\n")
    #expect(try output(["-e", ".indexes Note"]) == "note_pkey\nnote_text\n")
    let note = """
      CREATE TABLE note (
        id integer NOT NULL,
        text text,
        CONSTRAINT note_pkey PRIMARY KEY (id)
      );
      CREATE INDEX note_text ON public.note USING btree (text);

      """
    #expect(try output(["-e", ".schema Note"]) == note)
    #expect(
      try output(["--read-only", "-e", ".schema"]).contains(");\nCREATE TABLE spare ();\nCREATE INDEX note_text"))
    let dump = try output(["--read-only", "-e", ".dump note"])
    #expect(dump.contains("INSERT INTO note (id, text) VALUES (1, E'a\\u001bb');\n"), "\(dump)")
    for command in [".tables", ".indexes", ".schema", ".dump"] {
      let refused = try Perilune.run(["--sandbox", server.address(of: database), "-e", command], in: folder)
      #expect(refused.status == 77 && refused.text.isEmpty, "\(command): \(refused)")
    }
  }

  @Test func noPasswordIsShown() throws {
    let folder = try TemporaryFolder()
    let server = try PostgresServer.shared.get()
    let database = try server.makeDatabase(for: "secret")
    try server.psql(database, "CREATE TABLE note (id int PRIMARY KEY, text text); GRANT ALL ON note TO locked")
    let secret = PostgresServer.password.replacing("/", with: "%2F").replacing(" ", with: "%20")
    let good = server.networkAddress(of: database, user: PostgresServer.lockedUser, password: PostgresServer.password)
    let asked = server.networkAddress(of: database, user: PostgresServer.lockedUser) + "?password=\(secret)"
    let misspelt = good.replacing("postgresql:", with: "postgre:")
    let runs: [[String]] = [
      ["doc", good], ["doc", asked], ["doc", "--svg", asked], ["types", "--swift", asked], ["doctor", good],
      ["doctor", "--json", asked], ["doctor", misspelt], ["--model", good, asked], ["--model", asked, "-e", "1"],
      [good, asked],
      ["--from", good], ["--from=\(asked)", "x"], [misspelt, "-e", "1"], ["check", good],
      ["test", asked],
      ["help", good], [good, "-e", "store"], [good, "-e", "print(pcall(open, '\(misspelt)'))"],
      [good, "-e", "print(pcall(loadModel, '\(misspelt)'))"], ["postgres://locked:\(secret)", "-e", "1"],
      ["locked:\(secret)@127.0.0.1/x", "-e", "1"], [good, "-e", ".open \(misspelt)"],
    ]
    for arguments in runs {
      let output = try Perilune.run(arguments, in: folder)
      let shown = (output.text + output.errors).lowercased()
      // Also as part of a name, without what names cannot hold.
      let letters = String(shown.filter(\.isLetter))
      #expect(
        !shown.isEmpty && !letters.contains("rightpass") && !letters.contains("rightfpass"), "\(arguments): \(output)")
    }
    let written = try Perilune.run(["doc", "--into", "pages", asked], in: folder)
    #expect(written.status == 0, "\(written)")
    for name in ["model.md", "model.svg"] {
      let page = try String(contentsOfFile: folder.file("pages/\(name)"), encoding: .utf8)
      #expect(page.contains("secret") && !page.contains("right%2F") && !page.contains("password"))
    }
  }

  @Test func aDatabaseThatIsMissingIsAMissingStore() throws {
    let server = try PostgresServer.shared.get()
    let output = try Perilune.run([server.address(of: "nowhere"), "-e", "1"], in: TemporaryFolder())
    #expect(output.status == 66 && output.errors.contains("has no database 'nowhere'"), "\(output)")
  }

  @Test func theSandboxRunsNoSQLOnAServer() throws {
    let folder = try TemporaryFolder()
    let server = try PostgresServer.shared.get()
    let database = try server.makeDatabase(for: "sandbox")
    try server.psql(database, "CREATE TABLE note (id int PRIMARY KEY, text text); INSERT INTO note VALUES (1, 'a')")
    let address = server.address(of: database)
    for line in [
      "store:sql 'DROP TABLE note'", ".sql DROP TABLE note", ".tables", ".sql SELECT pg_read_file('/etc/passwd')",
    ] {
      let output = try Perilune.run(["--sandbox", address, "-e", line], in: folder)
      #expect(
        output.status == 77 && output.errors.contains("the sandbox refuses SQL on a server"), "\(line): \(output)")
    }
    let output = try Perilune.run(
      ["--sandbox", address, "-e", "Note { id = 2 } save() print(Note:count())"], in: folder)
    #expect(output.status == 0 && output.text == "2\n", "\(output)")
  }

  @Test func aDryRunSaysThatNothingWasKeptWhereNothingWas() throws {
    let folder = try TemporaryFolder()
    let server = try PostgresServer.shared.get()
    let database = try server.makeDatabase(for: "dry")
    try server.psql(database, "CREATE TABLE note (id int PRIMARY KEY, text text)")
    for line in [
      "store:sql 'INSERT INTO note VALUES (1)'",
      "pcall(store.sql, store, 'COMMIT; INSERT INTO note VALUES (1)') Note { id = 2 } save()",
    ] {
      let output = try Perilune.run(["--dry-run", server.address(of: database), "-e", line], in: folder)
      #expect(output.status == 0 && output.text.hasSuffix("nothing of this was kept\n"), "\(output)")
      #expect(try server.psql(database, "SELECT count(*) FROM note") == "0")
    }
    let ended = try Perilune.run(["--dry-run", server.address(of: database), "-e", "store:sql 'COMMIT'"], in: folder)
    #expect(
      ended.status == 1 && ended.errors.contains("COMMIT is refused: all of a dry run is one transaction"), "\(ended)")
  }

  @Test func rowsOfAServerAreWithinTheLimits() throws {
    let folder = try TemporaryFolder()
    let server = try PostgresServer.shared.get()
    let database = try server.makeDatabase(for: "limits")
    try server.psql(
      database,
      "CREATE TABLE big (id int PRIMARY KEY, data text); INSERT INTO big SELECT n, repeat('x', 1000000) FROM generate_series(1, 400) n"
    )
    for line in [
      "store:sql 'SELECT * FROM big'", ".sql SELECT * FROM big",
      "for _, o in ipairs(Big:fetch()) do local _ = #o.data end",
    ] {
      let command =
        #"/usr/bin/env perilune --memory-limit 60 "$0" -e "$1"; s=$?; grep VmHWM /proc/self/status >/dev/null; exit $s"#
      let output = try Perilune.runCommand(["bash", "-c", command, server.address(of: database), line], in: folder)
      #expect(output.status == 1 && output.errors.contains("not enough memory (limit 60 MB)"), "\(line): \(output)")
    }
    let slow = try Perilune.run(
      ["--timeout", "1", server.address(of: database), "-e", "store:sql 'SELECT * FROM big a, big b'"], in: folder)
    #expect(slow.status == 124 && slow.errors.contains("the time limit stopped it"), "\(slow)")
    // One by one they take no room.
    let counted = try Perilune.run(
      [
        "--memory-limit", "60", server.address(of: database), "-e",
        "local n = 0 for o in Big:each() do n = n + #o.data end print(n)",
      ],
      in: folder)
    #expect(counted.status == 0 && counted.text == "400000000\n", "\(counted)")
  }

  @Test func aLiveResultLosesWhatTheServerDeletedFirst() throws {
    let folder = try TemporaryFolder()
    let server = try PostgresServer.shared.get()
    let script = """
      local m = Model {
        A = Entity { n = Int, b = ToOne "B" { inverse = "as" }, bs = ToMany "B" { inverse = "a", deleteRule = "cascade" },
          z = ToOne "Z" { inverse = "as" } },
        B = Entity { n = Int, a = ToOne "A" { inverse = "bs" }, as = ToMany "A" { inverse = "b", deleteRule = "cascade" } },
        Z = Entity { n = Int, as = ToMany "A" { inverse = "z" } },
      }
      use(open(..., { create = true, model = m }))
      local z, a = Z {}, A {}
      local b = B { a = a }
      local a2 = A { b = b, z = z }
      local a3 = A { b = B { a = a2 }, z = z }
      local last = A { z = z }
      save()
      local as, bs, zs = A:all():live(), B:all():live(), Z:where("as.@count > 1"):live()
      print(#as, #bs, #zs)
      a:delete() save()
      print(#as, #bs, #zs, A:count(), B:count(), Z:count "as.@count > 1")
      """
    try script.write(toFile: folder.file("cycle.lua"), atomically: true, encoding: .utf8)
    for path in [server.address(of: try server.makeDatabase(for: "cycle")), "cycle.sqlite"] {
      let output = try Perilune.run(["cycle.lua", path], in: folder)
      #expect(output.text == "4\t2\t1\n1\t0\t0\t1\t0\t0\n", "\(output)")
    }
  }

  @Test func whatPeopleTypeFromSQLite3WorksOnAServer() throws {
    let folder = try TemporaryFolder()
    let server = try PostgresServer.shared.get()
    let database = try server.makeDatabase(for: "tables")
    try server.psql(
      database, "CREATE TABLE note (id int PRIMARY KEY, text text UNIQUE); CREATE VIEW short AS SELECT * FROM note")
    let address = server.address(of: database)
    func answer(_ command: String) throws -> String {
      let output = try Perilune.runCommand(["bash", "-c", "echo '\(command)' | perilune '\(address)'"], in: folder)
      #expect(output.status == 0 && output.errors.isEmpty, "\(command): \(output)")
      return output.text
    }
    #expect(try answer(".tables") == "note\nshort\n")
    #expect(try answer(".tables n%") == "note\n")
    #expect(try answer(".indexes Note") == "note_pkey\nnote_text_key\n")
    #expect(try answer(".entities").contains("Note"))
  }

  @Test func anImportIsDoneAgainUnlessItsRowsCanBeReadOnlyOnce() throws {
    let folder = try TemporaryFolder()
    let server = try PostgresServer.shared.get()
    let database = try server.makeDatabase(for: "again")
    // A sequence keeps what a transaction has taken from it, so that the first two attempts fail and the third does not.
    try server.psql(
      database,
      """
      CREATE TABLE tag (id serial PRIMARY KEY, label text UNIQUE, n int);
      CREATE SEQUENCE attempt;
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('attempt') <= 2 THEN RAISE EXCEPTION 'not now' USING ERRCODE = '40001'; END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER refuse AFTER INSERT ON tag FOR EACH STATEMENT EXECUTE FUNCTION refuse();
      """)
    func answer(_ script: String, in shell: String = "") throws -> Perilune.Output {
      try server.psql(database, "SELECT setval('attempt', 1, false)")
      try script.write(toFile: folder.file("script.lua"), atomically: true, encoding: .utf8)
      return try Perilune.runCommand(
        ["bash", "-c", "\(shell) perilune '\(server.address(of: database))' script.lua"], in: folder)
    }
    try "label,n\na,1\nb,2\n".write(toFile: folder.file("tags.csv"), atomically: true, encoding: .utf8)
    let file = try answer("print(import(Tag, 'tags.csv').inserted)")
    #expect(file.status == 0 && file.text == "2\n", "\(file)")
    let list = try answer("print(Tag:batchInsert { { label = 'c' }, { label = 'd' } })")
    #expect(list.status == 0 && list.text == "2\n", "\(list)")
    let pipe = try answer(
      "print(import(Tag, '/dev/stdin', { mode = 'csv' }).inserted)", in: "printf 'label,n\\ne,5\\n' |")
    #expect(pipe.status == 0 && pipe.text == "1\n", "\(pipe)")
    let function = try answer(
      "local i = 0 Tag:batchInsert(function() i = i + 1 if i < 3 then return { label = 'f' .. i } end end)")
    #expect(function.status == 75 && function.errors.contains("the rows can be read only once"), "\(function)")
    #expect(try server.psql(database, "SELECT string_agg(label, ' ' ORDER BY label) FROM tag") == "a b c d e")
  }

  @Test func aWrongValueOfAnImportIsNamedByRowLineAndColumn() throws {
    let folder = try TemporaryFolder()
    let server = try PostgresServer.shared.get()
    let database = try server.makeDatabase(for: "wrong")
    try server.psql(database, "CREATE TABLE tag (id serial PRIMARY KEY, label text UNIQUE, n int CHECK (n < 100))")
    for (name, rows, message) in [
      ("value", "label,n\nx,1\ny,oops\n", "value.csv:3:3: row 2, column n: Tag.n: expected Integer32, got \"oops\""),
      ("rule", "label,n\nx,1\ny,2\nz,100\n", "rule.csv:4:1: row 3"),
    ] {
      try rows.write(toFile: folder.file("\(name).csv"), atomically: true, encoding: .utf8)
      let output = try Perilune.run([server.address(of: database), "-e", "import(Tag, '\(name).csv')"], in: folder)
      #expect(output.status == 65 && output.errors.contains(message), "\(output)")
    }
    #expect(try server.psql(database, "SELECT count(*) FROM tag") == "0")
  }

  @Test(arguments: [
    ("postgres://nobody@127.0.0.1:1/none", "cannot be reached"),
    ("postgres://[::1", "the address of the server cannot be read"),
  ])
  func whatCannotBeReachedIsSaid(address: String, message: String) throws {
    let output = try Perilune.run([address, "-e", "print(1)"], in: TemporaryFolder())
    #expect(output.status != 0 && output.errors.contains(message), "\(output)")
  }
}
