import Glibc
import Testing

@testable import Shell

/// Entries of the history that were recalled, changed and left.
@Suite(.serialized) struct EditedEntryTests {
  private static let (up, down, backspace) = ("\u{1B}[A", "\u{1B}[B", "\u{7F}")
  private static let (reread, undo) = ("\u{18}\u{12}", "\u{1F}")

  /// Each of these ended the program once, or is another way to the same.
  @Test(arguments: [
    "\(up)a\(up)", "\(up)\(backspace)\(up)", "\(up)a\u{1B}<", "\u{10}\u{15}\u{10}", "\(up)a\(up)b\(undo)\(up)",
    "\(up)a\u{1B}>\(up)b\(up)", "\(up)a\u{12}one\u{1B}", "\(up)a\u{1B}pone\u{1B}\(up)b", "\(reread)\(up)a\(up)",
    "\(up)a\(up)\(up)b\(down)c\u{3}", "\(up)a\u{12}one\u{7}b\(up)", "\(up)a\(up)\u{3}\(up)b\(up)",
  ])
  func anEntryThatWasChangedAndLeftDoesNotEndThePrompt(_ keys: String) throws {
    let session = try loopSession()
    session.send("print one\rprint two\r")
    try session.expect("\ntwo\nlib> ")
    for _ in 0..<3 {
      session.send(keys)
      session.settle(milliseconds: 100)
      session.send("\r")
      session.settle(milliseconds: 100)
    }
    session.send("\u{3}")
    session.settle()
    session.send("print alive\r")
    try session.expect("\nalive\nlib> ")
  }

  @Test func whatIsTypedIntoAnEntryStaysInItUntilABlockIsSent() throws {
    let session = try loopSession()
    session.send("print one\rprint two\r")
    try session.expect("\ntwo\nlib> ")
    // Typed at the oldest entry, which Up does not leave, and once more after coming back.
    session.send("\(Self.up)\(Self.up)1\(Self.up)2\(Self.down)\(Self.up)3\(Self.down)\(Self.down)")
    try session.expectScreen { $0.currentLine == "lib>" }
    session.send("\(Self.up)\(Self.up)")
    try session.expectScreen { $0.currentLine == "lib> print one123" }
    session.send("\r")
    try session.expect("\none123\nlib> ")
    session.send("\(Self.up)\(Self.up)\(Self.up)")
    try session.expectScreen { $0.currentLine == "lib> print one" }
  }

  @Test func aSearchGoesToTheEntryThatItFinds() throws {
    let session = try loopSession()
    session.send("print one\rprint two\rprint three\r")
    try session.expect("\nthree\nlib> ")
    session.send("typed\u{12}one\u{1B}")
    try session.expectScreen { $0.currentLine == "lib> print one" }
    session.settle()
    session.send(Self.down)
    try session.expectScreen { $0.currentLine == "lib> print two" }
    session.send("\u{1B}>")
    try session.expectScreen { $0.currentLine == "lib> typed" }
    // Given up, it leaves the line and its edits as they were.
    session.send("\u{12}two\u{7}")
    try session.expectScreen { $0.currentLine == "lib> typed" }
    session.send(Self.undo)
    try session.expectScreen { $0.currentLine == "lib>" }
  }

  @Test func controlCEndsAPasteThatHasNoEnd() throws {
    let session = try loopSession()
    session.send("\u{1B}[200~print never")
    session.settle()
    session.send("\u{3}")
    try session.expect("^C\n")
    try session.expectPrompt("lib>")
    session.send("print alive\r")
    try session.expect("\nalive\nlib> ")
  }

  @Test func whatIsTypedRightAfterControlCIsTheNextBlock() throws {
    // The program has one thread: where there are others, one of them may get the signal, and pass it on later.
    let program = try BuiltProgram.withStore()
    let session = try program.terminal("-q --no-init quakes.sqlite")
    try session.expectPrompt()
    for number in 1...20 {
      session.send("print 'never'\u{3}print(\(number) + 100)\r")
      try session.expect("\n\(number + 100)\nquakes> ")
    }
    #expect(!session.transcript.contains("\nnever\n"))
  }
}
