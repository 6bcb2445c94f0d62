import Foundation
import TestSupport
import Testing

/// Ten questions about flights have the same answers in Lua, over a store of ours and over plain tables, as in SQL.
struct FlightTests {
  static let flights = Perilune.root.appending(path: "Examples/flights")

  static func file(_ name: String) -> String { flights.appending(path: name).path }

  /// Makes plain.sqlite and answers by SQL.
  func answersInSQL(in folder: TemporaryFolder) throws -> [String] {
    let made = try Perilune.runCommand([Self.file("make-sqlite.sh"), Self.file("sample"), "plain.sqlite"], in: folder)
    #expect(made.status == 0, "\(made.errors)")
    let questions = URL(filePath: Self.file("questions.sql"))
    let answers = try Perilune.runCommand(["sqlite3", "-tabs", "plain.sqlite"], input: questions, in: folder)
    #expect(answers.status == 0, "\(answers.errors)")
    return visibleLines(answers.text)
  }

  /// Lines are equal but for means, which Lua rounds to a tenth.
  func expectSame(_ output: Perilune.Output, as expected: [String]) {
    #expect(output.status == 0, "\(output.errors)")
    let lines = visibleLines(output.text)
    #expect(expected.count > 30)
    #expect(lines.count == expected.count, "\(lines.joined(separator: "\n"))")
    for (line, wanted) in zip(lines, expected) {
      let fields = line.split(separator: "\t"), wantedFields = wanted.split(separator: "\t")
      let same =
        fields.count == wantedFields.count
        && zip(fields, wantedFields).allSatisfy { field, wanted in
          if field == wanted { return true }
          guard field.contains("."), let number = Double(field), let exact = Double(wanted) else { return false }
          return abs(number - exact) < 0.0501
        }
      #expect(same, "\(line) is not \(wanted)")
    }
  }

  @Test func importedObjectsAnswerAsSQLDoes() throws {
    let folder = try TemporaryFolder()
    let imported = try Perilune.run([Self.file("import.lua"), Self.file("sample"), "flights.sqlite"], in: folder)
    #expect(imported.status == 0, "\(imported.errors)")
    let check = try Perilune.runCommand(["sqlite3", "flights.sqlite", "PRAGMA integrity_check"], in: folder)
    #expect(check.text == "ok\n")
    let answers = try Perilune.run(["flights.sqlite", Self.file("questions.lua")], in: folder)
    expectSame(answers, as: try answersInSQL(in: folder))
  }

  @Test func plainTablesAnswerAsSQLDoes() throws {
    let folder = try TemporaryFolder()
    let expected = try answersInSQL(in: folder)
    let answers = try Perilune.run(["plain.sqlite", Self.file("questions-sqlite.lua")], in: folder)
    expectSame(answers, as: expected)
  }
}
