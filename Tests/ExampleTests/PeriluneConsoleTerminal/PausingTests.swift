import Foundation
import TestSupport
import Testing

/// A program that pauses has a prompt on its terminal.
struct PausingTests {
  let folder: TemporaryFolder
  private let program = Perilune.executable.deletingLastPathComponent().appending(path: "PausingProgram").path

  init() throws { folder = try TemporaryFolder() }

  @Test func aPauseHasItsPromptOnTheTerminal() throws {
    let terminal = try Terminal([program, "orders.sqlite"], columns: 100, in: folder)
    func answer(to typed: String, _ prompt: String) throws -> String {
      terminal.type(typed)
      return try terminal.readToPrompt { $0 == prompt }.joined(separator: "\n")
    }
    let notice = try answer(to: "", "orders:paused> ")
    #expect(notice.contains("paused at PausingProgram/main.swift:17: why is this late (limit, order)"), "\(notice)")
    #expect(try answer(to: "order.total = 11\r", "orders:paused*1> ").contains("order.total"))
    #expect(try answer(to: "twi\t(limit)\r", "orders:paused*1> ").contains("6"))
    terminal.type("while true do end\r")
    try terminal.readUntil { $0.contains("while true do end\n") }
    terminal.interrupt()
    #expect(try answer(to: "", "orders:paused*1> ").contains("stopped"))
    let again = try answer(to: ".go\r", "orders:paused*1> ")
    #expect(again.contains("goes on with 11.0") && again.contains("once more"), "\(again)")
    terminal.type("\u{4}")
    try terminal.readUntil { $0.contains("is done") }
  }

  @Test func withoutATerminalTheProgramGoesOn() throws {
    let output = try Perilune.runCommand([program, "orders.sqlite"], in: folder)
    #expect(output.status == 0 && output.text == "goes on with 10.0\nis done\n", "\(output)")
  }

  @Test func theEnvironmentForbidsPauses() throws {
    let terminal = try Terminal(
      ["env", "PERILUNE_PAUSE=0", program, "orders.sqlite"], columns: 100, in: folder)
    try terminal.readUntil { $0.contains("is done") }
  }
}
