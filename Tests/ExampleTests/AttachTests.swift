import Foundation
import TestSupport
import Testing

/// `perilune attach` is the prompt of a program that runs: of Examples/OrderServer, built from outside.
@Suite(.enabled(if: OutsideProgram.canBeCompiled, "there are no modules beside the tests to compile against"))
struct AttachTests {
  /// The program, which is compiled once.
  private static let program = Result {
    let sources = OutsideProgram.root.appending(path: "Examples/OrderServer/Sources/OrderServer")
    let files = try FileManager.default.contentsOfDirectory(atPath: sources.path)
    let program = TemporaryFolder.ofThisRun.appending(path: "OrderServer")
    try OutsideProgram.compile(files.map { sources.appending(path: $0).path }, to: program.path, with: .console)
    return program
  }

  /// A server that takes orders, until the test is over.
  private final class Server {
    let folder: TemporaryFolder
    var socket: String { folder.file("console") }
    private let process = Process()

    init() throws {
      folder = try TemporaryFolder(forSocketsOf: "attach")
      process.executableURL = try AttachTests.program.get()
      process.arguments = [folder.file("orders.sqlite"), folder.file("console")]
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      for _ in 0..<12_000 where !FileManager.default.fileExists(atPath: socket) { usleep(10_000) }
    }

    deinit {
      // Threads of tests may block the signals that end a process in a kinder way, and their children inherit that.
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }

    /// What a script from a pipe prints.
    func run(_ script: String, _ options: [String] = []) throws -> Perilune.Output {
      let input = folder.url.appending(path: "\(UUID()).lua")
      try script.write(to: input, atomically: true, encoding: .utf8)
      return try Perilune.runCommand(["perilune", "attach", socket] + options, input: input, in: folder)
    }
  }

  @Test func aPipeRunsAScriptInTheProgram() throws {
    let server = try Server()
    let output = try server.run("local w = worker 'ada'\nprint(w.name, Order:count() > 0)\nreturn 1")
    #expect(output.text == "ada\ttrue\n1\n" && output.status == 0, "\(output)")
    #expect(try server.run("{ { a = 1 } }", ["--mode", "json"]).text.contains("\"a\":1"))
    let failed = try server.run("worker 'eve'")
    #expect(failed.status == 1 && failed.errors.contains("there is no worker 'eve'"), "\(failed)")
    #expect(try server.run("os.exit(7)").status == 7)
    #expect(try server.run("Order:count()\n.entities\n").status == 0)
    let transcript = try String(contentsOfFile: server.socket + ".transcript", encoding: .utf8)
    #expect(transcript.contains("worker 'eve'"))
  }

  @Test func whereNothingListensItSaysSo() throws {
    let folder = try TemporaryFolder()
    let output = try Perilune.runCommand(["perilune", "attach", "none"], in: folder)
    #expect(output.status == 66)
    #expect(output.errors.contains("'none': there is no such socket; the program listens with console.listen"))
  }

  @Test func aClosedWindowLosesNothing() throws {
    let server = try Server()
    func window() throws -> (Terminal, greeting: String) {
      let terminal = try Terminal(["perilune", "attach", server.socket], columns: 100, in: server.folder)
      return (terminal, try terminal.readToPrompt { $0 == "orders> " }.joined())
    }
    let (terminal, _) = try window()
    terminal.type("kept = 42\r")
    _ = try terminal.readToPrompt { $0 == "orders> " }
    let (other, greeting) = try window()
    #expect(greeting.contains("attached to OrderServer"))
    terminal.closeWindow()
    let (again, later) = try window()
    #expect(later.contains("back at OrderServer"))
    again.type("kept\r")
    #expect(try again.readToPrompt { $0 == "orders> " }.contains("42"))
    again.type("\u{4}")
    again.waitUntilExit()
    #expect(try window().greeting.contains("attached to OrderServer"))
    withExtendedLifetime(other) {}
  }

  @Test func aFullScreenFollowsTheProgram() throws {
    let server = try Server()
    let terminal = try Terminal(["perilune", "attach", server.socket], columns: 100, in: server.folder, kind: "xterm")
    try terminal.readUntil { $0.contains("attached to OrderServer") }
    terminal.type("watch(Order:where('number > 3'):sorted('number'))\r")
    // The workers write, and the line above the rows says what came.
    try terminal.readUntil { $0.contains("sorted by number") && $0.contains("inserted (") }
    terminal.resize(columns: 60, rows: 12)
    try terminal.readUntil { $0.contains("inserted (") }
    terminal.type("qprint('left', 6 * 7)\r")
    try terminal.readUntil { $0.contains("left\t42") }
    terminal.type("browse(Order:where('number < 3'))\r")
    try terminal.readUntil { $0.contains("2 Order") }
    terminal.type("q")
    try terminal.readUntil { $0.contains("_ = Order") }
  }

  @Test func aPromptCompletesAndRuns() throws {
    let server = try Server()
    let terminal = try Terminal(["perilune", "attach", server.socket], columns: 100, in: server.folder)
    func answer(to typed: String) throws -> String {
      terminal.type(typed)
      return try terminal.readToPrompt { $0 == "orders> " }.joined(separator: "\n")
    }
    #expect(try answer(to: "").contains("attached to OrderServer"))
    #expect(try answer(to: "worker('bob').name\r").contains("bob"))
    #expect(try answer(to: "paus\t(worker 'ada')\r").contains("pause(worker 'ada')"))
    #expect(try answer(to: "Ordr:count()\r").contains("did you mean 'Order'?"))
    #expect(try answer(to: "for i = 1, 2 do\rprint('line ' .. i)\rend\r").contains("line 2"))
    terminal.type("Order:first().total = 7777\r")
    _ = try terminal.readToPrompt { $0 == "orders*1> " }
    terminal.type("rollback()\r")
    _ = try terminal.readToPrompt { $0 == "orders> " }
  }
}
