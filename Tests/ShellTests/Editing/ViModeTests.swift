import Foundation
import Testing

@testable import Shell

/// vi's way of editing, in blocks.
@Suite(.serialized) struct ViModeTests {
  private func session() throws -> PTYSession {
    let home = try temporaryFolder()
    try "set editing-mode vi\n".write(toFile: home + "/inputrc", atomically: true, encoding: .utf8)
    return try loopSession(home: home, environment: ["INPUTRC": home + "/inputrc"])
  }

  /// Escape by itself, with the moment that tells it from a key of several bytes.
  private func escape(_ session: PTYSession) {
    session.send("\u{1B}")
    session.settle(milliseconds: 600)
  }

  @Test(arguments: ["/", "?"]) func aSearchOfViBringsTheBlockAndRunsNothing(_ key: String) throws {
    let session = try session()
    session.send("print one\rprint two\r")
    try session.expect("\ntwo\nlib> ")
    if key == "?" { session.send("\u{1B}[A\u{1B}[A") }
    escape(session)
    session.send("\(key)\(key == "/" ? "one" : "two")\r")
    let found = key == "/" ? "lib> print one" : "lib> print two"
    try session.expectScreen { $0.currentLine == found }
    session.settle()
    session.send("A!\r")
    try session.expect(key == "/" ? "\none!\nlib> " : "\ntwo!\nlib> ")
  }

  @Test func aPasteAmongTheCommandsOfViIsText() throws {
    let session = try session()
    session.send("print 1")
    escape(session)
    session.send("\u{1B}[200~dd0\u{1B}[201~")
    try session.expectScreen { $0.currentLine == "lib> print dd01" }
    session.send("\r")
    try session.expect("\ndd01\nlib> ")
  }

  @Test func escapeAndALetterAreACommandOfVi() throws {
    let session = try session()
    session.send("print abc\u{1B}[H")
    // Without a moment between them, as a terminal sends Alt and a letter.
    session.send("\u{1B}fbx")
    try session.expectScreen { $0.currentLine == "lib> print ac" }
  }

  /// Each of these ended the program once.
  @Test(arguments: ["\u{1B}y\u{1B}[200~a\u{18}b\u{1B}[201~", "\u{1B}d\u{1B}[200~a\u{18}b\u{1B}[201~\u{1B}[18~"])
  func aKeyOfSeveralBytesEndsACommandThatWaitsForAMotion(_ keys: String) throws {
    let session = try session()
    session.send(keys)
    session.settle()
    session.send("\u{3}")
    try session.expect("^C\n")
    session.send("print alive\r")
    try session.expect("\nalive\nlib> ")
  }

  @Test func writingOverTextStaysInTheBlock() throws {
    let session = try session()
    session.send("do xx")
    escape(session)
    session.send("0R")
    session.send("do y\r")
    try session.expectScreen { $0.lines.contains { $0.hasPrefix("  2>>") } || $0.currentLine.hasPrefix("2>>") }
    session.send("end\r")
    try session.expect("<do y")
  }

  @Test func theArrowsGoThroughABlockWhileTextIsWrittenOver() throws {
    let session = try session()
    session.send("do abc\rend")
    try session.expectScreen { $0.currentLine.hasSuffix("end") }
    session.send("\u{1B}[A")
    escape(session)
    session.send("R")
    session.send("\u{1B}[B\u{1B}[A\u{1B}[C")
    session.settle()
    session.send("Z")
    session.send("\u{1B}[B\r")
    try session.expect("Z")
    try session.expect("lib> ")
  }
}
