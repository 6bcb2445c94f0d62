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
    try session.expect("quakes*3> ")
    session.signal(signal)
    #expect(try session.waitForExit() == 128 + signal)
    #expect(session.transcript.contains("perilune: signal \(signal) ended the process; 3 unsaved changes are lost\n"))
    // Pasting in brackets ends with the prompt.
    let output = String(decoding: session.output, as: UTF8.self)
    let (on, off) = (output.ranges(of: "\u{1B}[?2004h").last, output.ranges(of: "\u{1B}[?2004l").last)
    #expect(try #require(on).lowerBound < #require(off).lowerBound)
    let next = try program.terminal("-q --no-init quakes.sqlite", environment: environment)
    try next.expectPrompt()
    next.send("\u{1B}[A")
    try next.expectScreen { $0.currentLine == "quakes> for q in Quake:each() do q.magnitude = 9 end" }
  }

  @Test func aScriptThatIsEndedSaysWhatIsLostAndNothingOtherwise() throws {
    let program = try BuiltProgram.withStore()
    let end = "os.execute('kill -TERM ' .. io.open('/proc/self/stat'):read('n')) while true do end"
    let lost = try program.run(["quakes.sqlite", "-e", "Quake:first().magnitude = 9 \(end)"])
    #expect(lost.errors.hasSuffix("perilune: signal 15 ended the process; 1 unsaved change is lost\n"), "\(lost)")
    let nothing = try program.run(["quakes.sqlite", "-e", end])
    #expect(nothing.errors.isEmpty, "\(nothing)")
  }

  @Test func aFullScreenIsLeft() throws {
    let session = try BuiltProgram.withStore().terminal(
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
