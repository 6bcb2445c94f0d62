import Foundation
import Testing

@Suite struct DoctorCommandTests {
  private func fields(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test func aStoreIsExaminedOnTheCommandLine() throws {
    let program = try BuiltProgram.withStore()
    let plain = try program.run(["doctor", "quakes.sqlite"])
    #expect(plain.status == 0 && plain.errors.isEmpty)
    for text in [
      "made by      Perilune, format 1", "sound        nothing wrong", "Quake: 5 rows", "writing      possible",
    ] {
      #expect(plain.output.contains(text), "\(plain.output)")
    }
    #expect(plain.output.split(separator: "\n").count <= 24)
    for arguments in [["doctor", "quakes.sqlite", "--json"], ["doctor", "--mode", "json", "quakes.sqlite"]] {
      let fields = try fields(try program.run(arguments).output)
      #expect(fields["kind"] as? String == "perilune" && fields["healthy"] as? Bool == true)
    }
  }

  @Test func aTimeLimitCutsTheExaminationShort() throws {
    let program = try BuiltProgram.withStore()
    let cut = try program.run(["doctor", "--timeout", "0.000001", "quakes.sqlite"])
    #expect(cut.status == 124 && cut.errors.contains("the time limit was reached"), "\(cut.errors)")
    #expect(cut.output.contains("made by      Perilune") && cut.output.contains("cut short"), "\(cut.output)")
    #expect(try program.run(["doctor", "--timeout", "600", "quakes.sqlite"]).status == 0)
  }

  @Test func theOpenStoreIsExaminedAtThePromptAndInLua() throws {
    let program = try BuiltProgram.withStore()
    let plain = try program.run(["doctor", "quakes.sqlite"])
    // While it is open its log is there.
    func lines(_ output: String) -> [String] {
      output.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("log ") }
    }
    let open = try program.run(["quakes.sqlite"], input: ".doctor\n").output
    #expect(lines(open) == lines(plain.output) && lines(open).count > 3)
    #expect(plain.output.contains("log          no write-ahead log beside it"))
    let json = try program.run(["quakes.sqlite", "--mode", "json"], input: ".doctor\n")
    #expect(try fields(json.output)["kind"] as? String == "perilune")
    #expect(try program.run(["quakes.sqlite", "-e", "store:doctor().healthy"]).output == "true\n")
    #expect(try program.run([], input: ".doctor\n").status == 66)
    let sandbox = try program.run(["--sandbox", "quakes.sqlite"], input: ".doctor\n")
    #expect(sandbox.output.isEmpty && sandbox.errors.contains("files beside the store"))
  }

  @Test func problemsAreAStatus() throws {
    let program = try BuiltProgram.withStore()
    let damage = "PRAGMA foreign_keys = OFF; UPDATE report SET quake_pk = 99"
    #expect(try program.run(["quakes.sqlite", "-e", "store:sql '\(damage)'"]).status == 0)
    let result = try program.run(["doctor", "quakes.sqlite"])
    #expect(result.status == 1 && result.output.contains("report of row 1: the reference leads to no row"))
    #expect(try program.run(["quakes.sqlite"], input: ".doctor\nprint 'not reached'\n").status == 1)
  }

  @Test func whatIsNoStoreIsToldAsFarAsItCanBeRead() throws {
    let program = try BuiltProgram.withStore()
    try Data("SQLite format 3\0".utf8).write(to: URL(fileURLWithPath: program.path("cut.sqlite")))
    let cut = try program.run(["doctor", "cut.sqlite"])
    #expect(cut.status == 69 && cut.output.contains("is cut off") && cut.errors.isEmpty)
    try program.write("text.sqlite", String(repeating: "This is no store. ", count: 100))
    let other = try program.run(["doctor", "text.sqlite"])
    #expect(other.status == 69 && other.output.contains("is not an SQLite file"))
    // Bytes of anything else are no numbers of pages.
    #expect(!other.output.contains("page"), "\(other.output)")
    try Data().write(to: URL(fileURLWithPath: program.path("empty.sqlite")))
    let empty = try program.run(["doctor", "empty.sqlite"])
    #expect(empty.status == 0 && empty.output.contains("an empty file"), "\(empty.output)")
    let none = try program.run(["doctor", "none.sqlite", "--json"])
    #expect(none.status == 66)
    #expect((try fields(none.output)["failure"] as? String)?.contains("none.sqlite") == true)
  }

  @Test func oneStoreIsExpected() throws {
    let program = try BuiltProgram.withStore()
    #expect(try program.run(["doctor"]).status == 64)
    #expect(try program.run(["doctor", "quakes.sqlite", "other.sqlite"]).status == 64)
    #expect(try program.run(["doctor", "quakes.sqlite", "x.lua"]).status == 64)
    // A store may have the name.
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: program.path("quakes.sqlite" + suffix)) {
      try FileManager.default.copyItem(
        atPath: program.path("quakes.sqlite" + suffix), toPath: program.path("doctor" + suffix))
    }
    #expect(try program.run(["./doctor", "-e", "store.kind"]).output == "perilune\n")
    #expect(try program.run(["doctor", "doctor"]).status == 0)
  }
}
