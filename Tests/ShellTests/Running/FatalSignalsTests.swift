import Foundation
import Glibc
import Testing

@testable import Shell

/// Where a signal ends the process: the terminal, the history, and what is said.
@Suite(.serialized) struct FatalSignalsTests {
  @Test(arguments: [SIGSEGV, SIGABRT, SIGTERM, SIGHUP])
  func aSignalThatEndsThePromptSaysWhatIsLost(_ signal: Int32) throws {
    let program = try BuiltProgram.withStore()
    let environment = ["SWIFT_BACKTRACE": "enable=no"]
    let session = try program.terminal("-q --no-init quakes.sqlite", environment: environment)
    try session.expectPrompt()
    session.send("for q in Quake:each() do q.magnitude = 9 end\r")
    try session.expect("quakes*5> ")
    session.signal(signal)
    #expect(try session.waitForExit() == 128 + signal)
    #expect(session.transcript.contains("perilune: signal \(signal) ended the process; 5 unsaved changes are lost\n"))
    // Pasting in brackets ends with the prompt.
    let output = String(decoding: session.output, as: UTF8.self)
    let begun = try #require(output.ranges(of: "\u{1B}[?2004h").last)
    let ended = try #require(output.ranges(of: "\u{1B}[?2004l").last)
    #expect(begun.lowerBound < ended.lowerBound)
    let next = try program.terminal("-q --no-init quakes.sqlite", environment: environment)
    try next.expectPrompt()
    next.send("\u{1B}[A")
    try next.expectScreen { $0.currentLine == "quakes> for q in Quake:each() do q.magnitude = 9 end" }
  }

  @Test(arguments: [("Quake:first().magnitude = 9", true), ("print(1)", false)])
  func aScriptThatIsEndedSaysWhatIsLostAndNothingOtherwise(_ change: String, _ isLost: Bool) throws {
    let program = try BuiltProgram.withStore()
    let session = try program.terminal("quakes.sqlite -e \"\(change) print 'ready' while true do end\"")
    try session.expect("ready\n")
    session.signal(SIGTERM)
    #expect(try session.waitForExit() == 128 + SIGTERM)
    let sentence = "perilune: signal 15 ended the process; 1 unsaved change is lost\n"
    #expect(session.transcript.contains(isLost ? sentence : "ready\n"))
    #expect(session.transcript.contains("signal 15") == isLost)
  }

  @Test func aFullScreenIsLeft() throws {
    let program = try BuiltProgram.withStore()
    let session = try program.terminal(
      "-q --no-init quakes.sqlite", environment: ["SWIFT_BACKTRACE": "enable=no"])
    try session.expectPrompt()
    session.send(".browse Quake\r")
    try session.expectScreen { $0.lines.contains { $0.contains("us1") } }
    session.signal(SIGSEGV)
    #expect(try session.waitForExit() == 128 + SIGSEGV)
    let output = String(decoding: session.output, as: UTF8.self)
    #expect(output.contains("\u{1B}[?1049l") && output.contains("no change was unsaved"))
  }
}
