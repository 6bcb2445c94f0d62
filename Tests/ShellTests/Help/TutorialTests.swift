import Testing

@testable import Session
@testable import Shell

/// The tutorial is typed from its first step to its last.
@Suite struct TutorialTests {
  @Test func everyAnswerLeadsToTheNextStepAndTheOwnStoreComesBack() throws {
    #expect(Tutorial.steps.count == 12)
    let program = try BuiltProgram.withStore()
    let session = try program.terminal("quakes.sqlite", columns: 120, rows: 50)
    try session.expect("quakes> ")
    session.send(".tutorial\r")
    for (number, step) in Tutorial.steps.enumerated() {
      try session.expect("\(number + 1) of 12  ")
      try session.expect("perilune")
      if number == 0 {
        // What does not do what was asked for does not lead on.
        session.send("1 + 1\r")
        try session.expect("\n2\nperilune> ")
      }
      session.send(step.answer + "\r")
    }
    try session.expect("That was all.")
    session.send(".tutorial end\r")
    try session.expect("quakes> ")
    session.send("Quake:count()\r")
    try session.expect("\n5\nquakes> ")
  }
}
