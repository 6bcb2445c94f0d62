import Foundation
import TestSupport
import Testing

@testable import Shell

/// Blocks typed into the program on a terminal.
@Suite(.serialized) struct BlockTypingTests {
  private func session(
    _ arguments: [String] = [], rows: Int = 24, environment: [String: String] = [:]
  ) throws -> PTYSession {
    let program = try BuiltProgram.withStore()
    var variables = ["TERM": "xterm", "HOME": try temporaryFolder(), "INPUTRC": "/dev/null", "LANG": "C.UTF-8"]
    variables.merge(environment) { $1 }
    let session = try PTYSession(
      executable: BuiltProgram.executable,
      arguments: ["-q", "--no-init"] + arguments + [program.path("quakes.sqlite")],
      environment: variables, rows: rows)
    try session.expect("quakes> ")
    return session
  }

  @Test func anUnfinishedBlockIsIndentedAndEditedAsOne() throws {
    let session = try session()
    session.send("for i = 1, 2 do\rif i == 2 then\rprint('n', i)\rend\r")
    try session.expectScreen {
      $0.lines.suffix(5) == [
        "quakes> for i = 1, 2 do", "     2>   if i == 2 then", "     3>     print('n', i)", "     4>   end", "     5>",
      ] && $0.column == 10
    }
    session.send("\u{1B}[A\u{1B}[A\u{5} -- two\u{1B}[B\u{1B}[Bend\r")
    try session.expect("n\t2\nquakes> ")
    session.send("\u{1B}[A")
    try session.expectScreen { $0.currentLine == "     5> end" }
  }

  @Test func aBlockTallerThanTheWindowIsScrolledWithin() throws {
    let session = try session(rows: 6)
    for number in 1...12 { session.send("x\(number) = 1\u{1B}\r") }
    try session.expectScreen { $0.lines.first == "     8> x8 = 1" && $0.currentLine == "    13>" }
    session.send(String(repeating: "\u{1B}[A", count: 12))
    try session.expectScreen { $0.currentLine == "quakes> x1 = 1" && $0.lines.last == "     6> x6 = 1" }
    session.send("\u{3}")
    try session.expectScreen { $0.currentLine == "quakes>" }
  }

  @Test func theUsersEditorChangesTheBlock() throws {
    let folder = try temporaryFolder()
    let editor = "sed -i 's/1/41 + 1/'"
    let session = try session(environment: ["EDITOR": editor, "TMPDIR": folder, "PATH": "/usr/bin:/bin"])
    session.send("print(1)\u{18}\u{5}")
    try session.expectScreen { $0.currentLine == "quakes> print(41 + 1)" }
    session.send("\r")
    try session.expect("\n42\nquakes> ")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
  }

  @Test func luaIsColouredUnlessTheUserRefusesColours() throws {
    func typed(_ session: PTYSession) throws -> String {
      session.send("local x = 'y'")
      try session.expectScreen { $0.currentLine == "quakes> local x = 'y'" }
      return String(decoding: session.output, as: UTF8.self)
    }
    #expect(try typed(session()).contains("\u{1B}[35mlocal\u{1B}[0m x = \u{1B}[32m'y'\u{1B}[0m"))
    let refusals: [([String], [String: String])] = [
      ([], ["NO_COLOR": "1"]), ([], ["TERM": "dumb"]), (["--plain-editor"], [:]), (["--color", "never"], [:]),
    ]
    for (arguments, environment) in refusals {
      #expect(try !typed(session(arguments, environment: environment)).contains("\u{1B}[35m"))
    }
  }

  @Test func predicatesNamesAndBracketsAreMarkedWhileOneTypes() throws {
    let session = try session()
    session.send("x = Quake:where('magnitud > %@', nothing)")
    try session.expectScreen { $0.currentLine == "quakes> x = Quake:where('magnitud > %@', nothing)" }
    session.settle()
    func shown() -> String { String(decoding: session.output, as: UTF8.self) }
    #expect(shown().contains("\u{1B}[4mmagnitud\u{1B}[0m \u{1B}[35m>\u{1B}[0m \u{1B}[94m%@\u{1B}[0m"))
    #expect(shown().contains("\u{1B}[4mnothing\u{1B}[0m\u{1B}[1m)\u{1B}[0m"))
    #expect(shown().contains("where\u{1B}[1;7m(\u{1B}[0m"))
    // What is shown for the cursor does not stay.
    session.send("\u{3}")
    try session.expectPrompt()
    let last = shown().split(separator: "^C")[0].split(separator: "\r").last { $0.contains("nothing") }
    #expect(last?.contains("[1;7m") == false, "\(last ?? "")")
  }

  @Test func pastedLinesKeepTheirOwnBlanks() throws {
    let session = try session()
    session.send("do\r    if true then\r        print('in')\r")
    try session.expectScreen { $0.lines.suffix(2) == ["     3>         print('in')", "     4>"] }
  }

  @Test func theKeysOfViEditBlocksToo() throws {
    let folder = try temporaryFolder()
    try "set editing-mode vi\n".write(toFile: folder + "/inputrc", atomically: true, encoding: .utf8)
    let session = try session(environment: ["INPUTRC": folder + "/inputrc"])
    session.send("for i = 1, 2 do\rprint('n', i)\rend")
    try session.expectScreen { $0.currentLine == "     3>   end" }
    session.send("\u{1B}")
    session.settle(milliseconds: 700)
    // Up to the line above, to its end, and a change there.
    session.send("k$i .. '!'")
    try session.expectScreen { $0.currentLine == "     2>   print('n', i .. '!')" }
    session.send("\u{1B}")
    session.settle(milliseconds: 700)
    session.send("j\r")
    try session.expect("n\t2!\n")
    try session.expectPrompt()
    session.send("\u{1B}")
    session.settle(milliseconds: 700)
    session.send("k")
    try session.expectScreen { $0.lines.suffix(3).first == "quakes> for i = 1, 2 do" }
  }

  @Test func thePlainEditorGoesOnBehindAContinuationPrompt() throws {
    let session = try session(["--plain-editor"])
    session.send("do\r")
    try session.expect("2> ")
    session.send("print('in')\rend\r")
    try session.expect("in\nquakes> ")
  }
}
