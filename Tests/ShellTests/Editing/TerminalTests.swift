import Glibc
import Testing

@testable import Shell

/// The loop and readline on a real terminal.
@Suite(.serialized) struct TerminalTests {
  @Test func aLineIsRunAndThePromptComesBack() throws {
    let session = try loopSession()
    session.send("print hello\r")
    try session.expect("hello\nlib> ")
    session.send("\u{4}")
    try session.expect("bye 0")
    #expect(try session.waitForExit() == 7)
  }

  @Test func aBlockGoesOnUntilItIsComplete() throws {
    let session = try loopSession()
    session.send("do one\r")
    try session.expect("2>> ")
    session.send("two\r")
    try session.expect("3>> ")
    session.send("end\r")
    try session.expect("<do one|  two|end>\nlib> ")
  }

  @Test func controlCDropsTheLineOrTheWholeBlockAndNeverLeaves() throws {
    let session = try loopSession()
    session.send("print never")
    session.settle()
    session.send("\u{3}")
    try session.expect("^C\nlib> ")
    session.send("do one\r")
    try session.expect("2>> ")
    session.send("tw\u{3}")
    try session.expect("^C\nlib> ")
    for _ in 0..<5 {
      session.send("\u{3}")
      try session.expect("^C\nlib> ")
    }
    session.send("print still here\r")
    try session.expect("still here\n")
    #expect(!session.transcript.contains("<do"))
    #expect(!session.transcript.contains("never\nnever"))
  }

  @Test func controlCStopsWhatRunsAndThePromptComesBack() throws {
    let session = try loopSession()
    session.send("sleep 30\r")
    try session.expect("asleep\n")
    session.send("\u{3}")
    try session.expect("stopped\nlib> ", seconds: 3)
    session.send("print on\r")
    try session.expect("\non\n")
  }

  @Test func aBlockIsRecalledAndEditedAsOneEntry() throws {
    let home = try temporaryFolder()
    var session = try loopSession(home: home)
    session.send("do one\rtwo\rend\r")
    try session.expect("<do one|  two|end>\nlib> ")
    session.send("\u{1B}[A")
    try session.expectScreen { $0.currentLine == "3>> end" }
    // Up within the block, to its second line, then a change there.
    session.send("\u{1B}[A")
    session.send("\u{5}")
    session.settle()
    session.send(" more\r")
    try session.expect("<do one|  two more|end>\nlib> ")
    session.send("print last\r")
    try session.expect("\nlast\nlib> ")
    // Another session has them too: nothing waits for the end.
    session = try loopSession(home: home)
    session.send("\u{10}\u{10}\r")
    try session.expect("<do one|  two more|end>\nlib> ")
    session.send("\u{12}two\r")
    try session.expect("<do one|  two more|end>\nlib> ")
  }

  @Test func upLeavesABlockAtItsFirstLine() throws {
    let session = try loopSession()
    session.send("print first\rdo\rend\r")
    try session.expect("<do|end>\nlib> ")
    session.send("\u{1B}[A\u{1B}[A")
    try session.expectScreen { $0.currentLine == "lib> do" }
    session.send("\u{1B}[A")
    try session.expectScreen { $0.currentLine == "lib> print first" }
    session.send("\u{1B}[B")
    try session.expectScreen { $0.lines.suffix(2) == ["lib> do", "2>> end"] }
    session.send("\u{1B}[B\u{1B}[B")
    try session.expectScreen { $0.currentLine == "lib>" }
  }

  @Test func theHistoryIsEnteredAtItsEndEachTime() throws {
    let session = try loopSession()
    session.send("print one\rprint two\rprint three\r")
    try session.expect("\nthree\nlib> ")
    session.send("\u{1B}[A\u{1B}[A\r")
    try session.expect("\ntwo\nlib> ")
    session.send("\u{1B}[A")
    try session.expectScreen { $0.currentLine == "lib> print two" }
    session.send("\u{1B}[A")
    try session.expectScreen { $0.currentLine == "lib> print three" }
    session.send("\u{1B}[A\u{1B}[A")
    try session.expectScreen { $0.currentLine == "lib> print one" }
  }

  @Test func controlCLeavesASearchToo() throws {
    let session = try loopSession()
    session.send("print findme\r")
    try session.expect("\nfindme\nlib> ")
    session.send("\u{12}find")
    try session.expectScreen { $0.currentLine.contains("find': print findme") }
    session.send("\u{3}")
    try session.expectScreen { $0.currentLine == "lib>" }
    session.send("print on\r")
    try session.expect("\non\nlib> ")
    session.send("\u{1B}[A")
    try session.expectScreen { $0.currentLine == "lib> print on" }
  }

  @Test func aPartialLineIsEndedBeforeThePrompt() throws {
    let session = try loopSession()
    session.send("write abc\r")
    try session.expectScreen { Array($0.lines.suffix(2)) == ["abc", "lib>"] }
  }

  @Test func altEnterInsertsALine() throws {
    let session = try loopSession()
    session.send("print a\u{1B}\rb\r")
    try session.expect("\na\nb\nlib> ")
  }

  @Test func pastedLinesAreOneEdit() throws {
    let session = try loopSession()
    session.send("\u{1B}[200~print a\nprint b\nx\n\u{1B}[201~")
    session.settle()
    #expect(!session.transcript.contains("\na\n"))
    session.send("\r")
    try session.expect("\na\nprint b\nx\nlib> ")
    session.send("\u{10}")
    try session.expectScreen { Array($0.lines.suffix(3)) == ["lib> print a", "2>> print b", "3>> x"] }
    session.send("\u{3}")
    try session.expect("^C\nlib> ")
    #expect(Array(session.screen.lines.suffix(4)) == ["lib> print a", "2>> print b", "3>> x^C", "lib>"])
  }

  @Test func observersPrintAboveTheHalfTypedLine() throws {
    let session = try loopSession()
    session.send("every 0.15 3\r")
    try session.expect("lib> ")
    session.send("print half\u{1B}[D\u{1B}[D")
    try session.expect("tick 3")
    try session.expectScreen {
      Array($0.lines.suffix(4)) == ["tick 1", "tick 2", "tick 3", "lib> print half"] && $0.column == 13
    }
    session.send("X\r")
    try session.expect("haXlf\nlib> ")
  }

  @Test func observersPrintAboveABlockAndAWrappedLine() throws {
    let session = try loopSession(columns: 30)
    session.send("every 0.3 1\r")
    try session.expect("lib> ")
    session.send("do one two three four five six seven")
    try session.expect("tick 1")
    try session.expectScreen {
      Array($0.lines.suffix(3)) == ["tick 1", "lib> do one two three four fiv", "e six seven"]
    }
    session.send("\revery 0.2 1\rend\r")
    try session.expect("end>")
  }

  @Test func outputWithoutANewlineKeepsItsLine() throws {
    let session = try loopSession()
    session.send("partial 0.1\r")
    session.send("abc")
    try session.expectScreen { Array($0.lines.suffix(2)) == ["no newline", "lib> abc"] }
  }

  @Test func turnsWaitWhileTheHistoryIsSearched() throws {
    let session = try loopSession()
    session.send("print findme\r")
    try session.expect("findme\nlib> ")
    session.send("every 0.1 1\r\u{12}find")
    try session.expectScreen { $0.currentLine.contains("find': print findme") }
    session.settle(milliseconds: 250)
    #expect(!session.transcript.contains("tick"))
    session.send("\u{5}")
    try session.expect("tick 1")
    try session.expectScreen { $0.currentLine == "lib> print findme" }
  }

  @Test func tabCompletesWhatIsCertainAndListsTheRest() throws {
    let session = try loopSession()
    session.send("mag\t")
    try session.expectScreen { $0.currentLine == "lib> magnitude" && $0.column == 15 }
    session.send("pl\t")
    try session.expectScreen { $0.currentLine == "lib> magnitude place" }
    session.send("\t")
    try session.expectScreen {
      Array($0.lines.suffix(3)) == ["place        String", "placeholder  String", "lib> magnitude place"]
    }
    session.send("h\t\r")
    try session.expect("<magnitude placeholder >")
    session.send(".mode nd\t\r.mode\r")
    try session.expect("* ndjson")
  }

  @Test func tabIndentsALineOfABlock() throws {
    let session = try loopSession()
    session.send("do\r\tx\rend\r")
    try session.expect("<do|    x|end>")
  }

  @Test func aResizedWindowIsFollowed() throws {
    let session = try loopSession(columns: 60)
    session.send("print a b c d e f g h i j k l m n o p q r s t u v w x y z")
    session.settle()
    session.resize(columns: 40, rows: 24)
    session.settle()
    session.send("!\r")
    try session.expect("x y z!\nlib> ")
  }

  @Test func wideCharactersAreEditedAsOnes() throws {
    let session = try loopSession()
    session.send("print 雪é")
    try session.expectScreen { $0.currentLine == "lib> print 雪é" && $0.column == 14 }
    session.send("\u{7F}\u{7F}x\r")
    try session.expect("\nx\nlib> ")
  }

  @Test func leavingAsksWhenChangesAreUnsaved() throws {
    let session = try loopSession()
    session.send("change\r")
    try session.expect("lib*1> ")
    session.send("\u{4}")
    try session.expect("1 unsaved change: s)ave d)iscard c)ancel ")
    session.send("c\r")
    try session.expect("lib*1> ")
    session.send("quit\r")
    try session.expect("s)ave")
    session.send("\u{3}")
    try session.expect("lib*1> ")
    session.send(".quit\r")
    try session.expect("s)ave")
    session.send("s\r")
    try session.expect("saved\nbye 0")
    #expect(try session.waitForExit() == 7)
  }

  @Test func aTerminalThatIsGoneEndsTheSession() throws {
    let session = try loopSession()
    session.send("change\r")
    try session.expect("lib*1> ")
    session.signal(SIGHUP)
    #expect(try session.waitForExit() == 128 + SIGHUP)
  }

  @Test func theProgramCanBeStoppedAndContinued() throws {
    // A shell with job control: the kernel does not stop a program that no shell could continue.
    let session = try loopSession(shell: "/bin/bash", environment: ["PS1": "$ "])
    session.send("print ab")
    try session.expectScreen { $0.currentLine == "lib> print ab" }
    session.send("\u{1A}")
    try session.expect("Stopped")
    try session.expect("$ ")
    session.send("fg\r")
    try session.expect("lib> print ab")
    session.send("c\r")
    try session.expect("\nabc\nlib> ")
  }

  @Test func mistakesInCommandsNameTheNearest() throws {
    let session = try loopSession()
    session.send(".moode csv\r")
    try session.expect("error: there is no command .moode\n  did you mean '.mode'?\n")
    session.send(".mode jsn\r")
    try session.expect("did you mean 'json'?")
    session.send("?where\r")
    try session.expect("help on where")
  }
}
