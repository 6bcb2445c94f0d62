import Foundation
import Testing

/// Files that scripts write are new, or replaced on purpose.
@Suite struct ExportFunctionTests {
  @Test func aFileThatIsThereIsReplacedOnlyByForce() throws {
    let program = try BuiltProgram.withStore()
    for (call, name) in [
      ("export(Quake:all(), 'a.csv'%)", "a.csv"), ("plot(Quake, { x = 'magnitude' }):save('a.svg'%)", "a.svg"),
      ("export({ 1, 2 }, 'a.lua'%)", "a.lua"),
    ] {
      func run(_ options: String) throws -> BuiltProgram.Result {
        try program.run(["quakes.sqlite", "-e", call.replacing("%", with: options)])
      }
      try "precious".write(toFile: program.path(name), atomically: true, encoding: .utf8)
      let refused = try run("")
      #expect(
        refused.status != 0 && refused.errors.contains("'\(name)' is there already; force = true replaces it"),
        "\(refused)")
      #expect(try String(contentsOfFile: program.path(name), encoding: .utf8) == "precious")
      #expect(try run(", { force = true }").status == 0)
      #expect(try String(contentsOfFile: program.path(name), encoding: .utf8) != "precious")
    }
    #expect(try program.run(["quakes.sqlite", "-e", ".export a.csv Quake"]).errors.contains("there already"))
    #expect(try program.run(["quakes.sqlite", "-e", ".export --force a.csv Quake:limit(1)"]).status == 0)
    #expect(try String(contentsOfFile: program.path("a.csv"), encoding: .utf8).split(separator: "\n").count == 2)
  }

  @Test func aFileWithBlanksIsAWordAndTheRestIsTheExpression() throws {
    let program = try BuiltProgram.withStore()
    for (line, file) in [
      (".export \"my file.csv\" Quake:limit(1)", "my file.csv"),
      (".export --force 'my file.csv'  Quake:limit(1)", "my file.csv"),
      (".export text.csv \"one\" and Quake:limit(1)", "text.csv"),
    ] {
      let result = try program.run(["quakes.sqlite", "-e", line])
      #expect(result.status == 0, "\(result)")
      #expect(try String(contentsOfFile: program.path(file), encoding: .utf8).split(separator: "\n").count == 2)
    }
  }

  /// The requests differ in how they are read: one that is sorted is read by one thread.
  @Test func aLargeTableIsWrittenInPartsAsByOneThread() throws {
    let program = try BuiltProgram()
    try program.write(
      "make.sql",
      """
      CREATE TABLE space (id INTEGER PRIMARY KEY, raw BLOB);
      INSERT INTO space VALUES (1, zeroblob(5000000));
      CREATE TABLE note (id INTEGER PRIMARY KEY, n INTEGER, x REAL, flag BOOLEAN, price DECIMAL(10, 2), day DATE, "when" DATETIME,
        raw BLOB, mixed, text TEXT);
      WITH RECURSIVE k(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM k WHERE i < 600)
      INSERT INTO note SELECT i * 200, CASE i % 7 WHEN 0 THEN NULL ELSE i END, CASE i % 5 WHEN 0 THEN NULL ELSE i * 0.3 END,
        i % 2, CASE i % 3 WHEN 0 THEN NULL ELSE i || '.10' END, date('2020-01-01', i || ' days'),
        datetime('2020-01-01', i || ' minutes'), CASE i % 4 WHEN 0 THEN NULL ELSE CAST(i AS BLOB) END,
        CASE i % 4 WHEN 0 THEN i WHEN 1 THEN 0.5 WHEN 2 THEN 'a, "b"' END, '<é>' || char(10) || i FROM k;
      """)
    try program.write(
      "export.lua",
      """
      for number, request in ipairs { Note:all(), Note:where "n > 3" } do
        for _, format in ipairs { "csv", "tsv", "json", "ndjson", "md", "html", "lua" } do
          local count = export(request, "parts" .. number .. "." .. format)
          assert(count > 400 and count == export(request:sorted "id", "whole" .. number .. "." .. format))
        end
      end
      """)
    #expect(try program.shell(["bash", "-c", "sqlite3 notes.sqlite <make.sql"]).status == 0)
    let result = try program.run(["notes.sqlite", "export.lua"])
    #expect(result.status == 0, "\(result)")
    for number in [1, 2] {
      for format in ["csv", "tsv", "json", "ndjson", "md", "html", "lua"] {
        func text(_ name: String) throws -> String {
          try String(contentsOfFile: program.path("\(name)\(number).\(format)"), encoding: .utf8)
        }
        #expect(try text("parts") == text("whole"), "\(format)")
      }
    }
  }
}
