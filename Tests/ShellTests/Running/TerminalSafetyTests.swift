import Foundation
import TestSupport
import Testing

@testable import Presentation
@testable import Shell

/// What reaches a real terminal.
@Suite struct TerminalSafetyTests {
  /// What a terminal obeys of an output, colours and line ends left out.
  private func obeyed(_ output: [UInt8]) -> [String] {
    let text = String(decoding: output, as: UTF8.self).replacing(/\u{1B}\[[0-9;]*m/, with: "")
    return text.unicodeScalars.filter { TerminalControls.all.contains($0) && !"\r\n\t".unicodeScalars.contains($0) }
      .map { String($0.value, radix: 16) }
  }

  private func output(_ program: BuiltProgram, _ arguments: [String]) throws -> [UInt8] {
    let session = try PTYSession(
      executable: BuiltProgram.executable, arguments: arguments, environment: program.environment, columns: 120)
    _ = try session.waitForExit()
    return session.output
  }

  private static let noise = #"'a\27[2Jb\7\u{9B}31m\u{202E}c\x9b'"#

  @Test func aSandboxedScriptDoesNotDriveTheTerminal() throws {
    let program = try BuiltProgram()
    let code = "print(\(Self.noise)) io.write(\(Self.noise), '\\n') warn '@on' warn(\(Self.noise)) error(\(Self.noise))"
    let output = try output(program, ["--sandbox", "-e", code])
    #expect(obeyed(output) == [])
    #expect(String(decoding: output, as: UTF8.self).contains("a␛[2Jb␇"), "\(String(decoding: output, as: UTF8.self))")
  }

  @Test func charactersThatAreWrittenInPiecesArriveWhole() throws {
    let code =
      "for b in ('é€🙂x'):gmatch '.' do io.write(b) io.write '' end print() for i = 1, 3000 do io.write '€' end print()"
    let output = try output(try BuiltProgram(), ["--sandbox", "-e", code])
    let text = String(decoding: output, as: UTF8.self)
    #expect(text.contains("é€🙂x") && text.contains(String(repeating: "€", count: 3000)))
  }

  @Test func whatAScriptPrintsIsItsOwnBusinessAndItsWarningsAreNot() throws {
    let program = try BuiltProgram()
    let printed = try output(program, ["-e", "print('\\27[2J')"])
    #expect(String(decoding: printed, as: UTF8.self).contains("\u{1B}[2J"))
    let warned = try output(program, ["-e", "warn '@on' warn(\(Self.noise), \(Self.noise))"])
    #expect(obeyed(warned) == [])
    #expect(String(decoding: warned, as: UTF8.self).contains("warning: a␛[2Jb"))
  }

  @Test func namesAndValuesOfAFileDoNotDriveTheTerminal() throws {
    let program = try BuiltProgram()
    let make = """
      local s = open('hostile.sqlite', { create = true, model = Model { A = Entity { text = String } } })
      s:close()
      """
    #expect(try program.run(["-e", make]).status == 0)
    let fill = """
      local n = 'a\\27[2Jb\\7\\u{9B}31m\\u{202E}c'
      store:sql('CREATE TABLE "T' .. n .. '" (id INTEGER PRIMARY KEY, "c' .. n .. '" TEXT, j JSON)')
      store:sql('CREATE VIEW "V' .. n .. '" AS SELECT 1 AS "x' .. n .. '"')
      store:sql('INSERT INTO "T' .. n .. '" VALUES (1, ?, ?)', n, '{"k":"' .. n .. '"}')
      store:sql 'DROP TABLE _perilune'
      """
    #expect(try program.run(["hostile.sqlite", "-e", fill]).status == 0)
    let store = program.path("hostile.sqlite")
    var arguments = [store]
    for line in [
      ".entities", ".schema", "store", "store.model", "help()", "store.notes",
      "for _, e in ipairs(store.model.entityNames) do show(store.entities[e]:all()) describe(store.entities[e]) end",
      ".sql SELECT * FROM sqlite_schema", ".sql on", "store.entities[store.model.entityNames[1]]:all()", ".diff",
      ".stats",
      ".verify", "store.entities[store.model.entityNames[2]]:all():explain()", "store.model:source()",
    ] {
      arguments += ["-e", line]
    }
    let output = try output(program, arguments)
    #expect(obeyed(output) == [])
    #expect(output.count > 1000)
    for mode in OutputMode.allCases {
      let shown = try self.output(
        program, [store, "--mode", mode.rawValue, "-e", ".sql SELECT * FROM sqlite_schema"])
      #expect(obeyed(shown) == [], "\(mode)")
    }
  }
}
